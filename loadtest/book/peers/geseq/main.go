// geseq/orderbook on the shared workload: one goroutine, the book called directly.
// usage: peer DATA_DIR WARM RUNS LATENCY VERIFY PREFILL -> one JSON line, as bench.mjs prints it
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"syscall"
	"time"

	"github.com/geseq/orderbook"
	decimal "github.com/geseq/udecimal"
)

type command struct {
	kind, side      byte
	id              uint64
	price, quantity decimal.Decimal
	lots            uint64
}

// The book calls back with what happened.
type listener struct {
	trades, rejects            uint64
	hashing                    bool
	tradedQty, notional, taken uint64
	hash                       uint32
}

func (l *listener) PutOrder(m orderbook.MsgType, s orderbook.OrderStatus, id uint64, qty decimal.Decimal, err error) {
	if m == orderbook.MsgCancelOrder && s == orderbook.Rejected {
		l.rejects++
	}
}

func (l *listener) PutTrade(maker, taker uint64, makerStatus, takerStatus orderbook.OrderStatus, qty, price decimal.Decimal) {
	lots, ticks := qty.Int(), price.Int()
	l.trades++
	l.tradedQty += lots
	l.notional += lots * ticks
	l.taken += lots
	if !l.hashing {
		return
	}
	l.mix(maker)
	l.mix(taker)
	l.mix(ticks)
	l.mix(lots)
}

func (l *listener) mix(value uint64) { l.hash = (l.hash ^ uint32(value)) * 0x01000193 }

type peer struct {
	book   *orderbook.OrderBook
	events *listener
	token  uint64
	killed uint64
}

func newPeer(hashing bool) *peer {
	events := &listener{hash: 0x811c9dc5, hashing: hashing}
	return &peer{book: orderbook.NewOrderBook(events), events: events}
}

func (p *peer) step(c *command) {
	p.token++
	switch c.kind {
	case 1:
		p.book.CancelOrder(p.token, c.id)
	case 0:
		p.book.AddOrder(p.token, c.id, orderbook.Limit, sideOf(c.side), c.quantity, c.price, decimal.Zero, orderbook.None)
	default:
		p.events.taken = 0
		p.book.AddOrder(p.token, c.id, orderbook.Market, sideOf(c.side), c.quantity, decimal.Zero, decimal.Zero, orderbook.None)
		p.killed += c.lots - p.events.taken
	}
}

func sideOf(side byte) orderbook.SideType {
	if side == 0 {
		return orderbook.Buy
	}
	return orderbook.Sell
}

func (p *peer) replay(commands []command) {
	for i := range commands {
		p.step(&commands[i])
	}
}

func cpuNanoseconds() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func main() {
	number := func(at int) int {
		value, err := strconv.Atoi(os.Args[at])
		if err != nil {
			panic(err)
		}
		return value
	}
	raw, err := os.ReadFile(filepath.Join(os.Args[1], "workload.bin"))
	if err != nil {
		panic(err)
	}
	warm, runs, prefill := number(2), number(3), number(6)
	commands := make([]command, len(raw)/16)
	for i := range commands {
		record := raw[i*16 : i*16+16]
		lots := binary.LittleEndian.Uint32(record[12:])
		commands[i] = command{kind: record[0], side: record[1], id: uint64(binary.LittleEndian.Uint32(record[4:])),
			price: decimal.NewI(uint64(binary.LittleEndian.Uint32(record[8:])), 0), quantity: decimal.NewI(uint64(lots), 0), lots: uint64(lots)}
	}
	result := map[string]any{"lat": nil, "totals": nil}
	rates := []int64{}
	for run := 0; run < warm+runs; run++ {
		p := newPeer(false)
		p.replay(commands[:prefill])
		runtime.GC()
		before := cpuNanoseconds()
		p.replay(commands[prefill:])
		if run >= warm {
			rates = append(rates, int64(len(commands)-prefill)*1_000_000_000/(cpuNanoseconds()-before))
		}
	}
	result["cpu"] = rates
	if number(4) == 1 {
		p := newPeer(false)
		p.replay(commands[:prefill])
		taken := make([]int, 0, len(commands)-prefill)
		for i := prefill; i < len(commands); i++ {
			from := time.Now()
			p.step(&commands[i])
			taken = append(taken, int(time.Since(from)))
		}
		sort.Ints(taken)
		result["lat"] = map[string]int{"p50": taken[len(taken)/2], "p99": taken[len(taken)*99/100]}
	}
	if number(5) == 1 {
		p := newPeer(true)
		p.replay(commands)
		// The book shows neither its levels nor its orders: their totals cannot be compared.
		result["totals"] = map[string]any{"trades": p.events.trades, "tradedQty": p.events.tradedQty, "notional": p.events.notional,
			"tradeHash": p.events.hash, "killedQty": p.killed, "rejects": p.events.rejects}
	}
	line, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}
