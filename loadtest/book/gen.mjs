// Deterministic spot-flow workload generator + independent reference matcher.
// usage: node gen.mjs OUT_DIR [seed=42] [prefill=50000] [commands=1000000]
// writes OUT_DIR/workload.bin (16-byte little-endian records) and OUT_DIR/expected.json
//   record: u8 type(0 limit,1 cancel,2 market) u8 side(0 buy,1 sell) u16 0 | u32 orderId | u32 price | u32 qty
//   (cancel records carry the side and price of the target so that peers that need them can use them)
// As a module: generate({ seed, prefill, commands }) returns { records, meta } without files.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

/** @param {{ seed?: number, prefill?: number, commands?: number }} [options] */
export function generate({ seed = 42, prefill: PRE = 50000, commands: N = 1000000 } = {}) {
  let s = seed >>> 0;
  function rnd() {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  const expo = (m) => -Math.log(1 - rnd()) * m;
  // reference book: one JS array (FIFO with head index) per tick; a deliberately different structure from the cores
  // under test
  const T = 1 << 18,
    levels = new Array(T);
  let bb = -1,
    ba = T; // single symbol, ticks < 2^18
  const orders = new Map(); // id -> {id,side,price,rem}
  const live = [],
    pos = new Map();
  let tradeN = 0,
    tradeQ = 0,
    notional = 0,
    hash = 0x811c9dc5,
    killed = 0,
    rejects = 0,
    maxLive = 0,
    minLive = 1e9,
    lvMin = 1e9,
    lvMax = 0;
  const mix = (x) => {
    hash = Math.imul(hash ^ (x >>> 0), 0x01000193) >>> 0;
  };
  const lvQ = new Float64Array(T),
    lvC = new Int32Array(T);
  let nB = 0,
    nA = 0;
  function addLive(o) {
    pos.set(o.id, live.length);
    live.push(o.id);
  }
  function rmLive(id) {
    const i = pos.get(id),
      l = live.pop();
    if (l !== id) {
      live[i] = l;
      pos.set(l, i);
    }
    pos.delete(id);
  }
  function rest(o) {
    let L = levels[o.price];
    if (!L) L = levels[o.price] = { a: [], h: 0 };
    if (lvC[o.price] === 0) {
      if (o.side) nA++;
      else nB++;
    }
    L.a.push(o);
    orders.set(o.id, o);
    lvQ[o.price] += o.rem;
    lvC[o.price]++;
    addLive(o);
    if (o.side === 0) {
      if (o.price > bb) bb = o.price;
    } else if (o.price < ba) ba = o.price;
  }
  function drop(o) {
    orders.delete(o.id);
    rmLive(o.id);
    if (--lvC[o.price] === 0) {
      if (o.side) nA--;
      else nB--;
      if (o.side === 0 && o.price === bb) {
        while (bb >= 0 && lvC[bb] === 0) bb--;
      }
      if (o.side === 1 && o.price === ba) {
        while (ba < T && lvC[ba] === 0) ba++;
      }
    }
  }
  function match(id, side, limit, qty) {
    let rem = qty;
    while (rem > 0) {
      const p = side === 0 ? ba : bb;
      if (p < 0 || p >= T || (side === 0 ? p > limit : p < limit)) break;
      const L = levels[p];
      const m = L.a[L.h];
      if (m.dead) {
        L.h++;
        continue;
      }
      const q = Math.min(rem, m.rem);
      rem -= q;
      m.rem -= q;
      lvQ[p] -= q;
      tradeN++;
      tradeQ += q;
      notional += q * p;
      mix(m.id);
      mix(id);
      mix(p);
      mix(q);
      if (m.rem === 0) {
        m.dead = true;
        L.h++;
        if (L.h > 1024 && L.h * 2 > L.a.length) {
          L.a.splice(0, L.h);
          L.h = 0;
        }
        drop(m);
      }
    }
    return rem;
  }
  const buf = Buffer.alloc((PRE + N) * 16);
  let w = 0,
    nextId = 1;
  const mixCount = { add: 0, cancel: 0, stale: 0, cross: 0, market: 0 };
  function emit(type, side, id, price, qty) {
    buf[w] = type;
    buf[w + 1] = side;
    buf.writeUInt32LE(id, w + 4);
    buf.writeUInt32LE(price, w + 8);
    buf.writeUInt32LE(qty, w + 12);
    w += 16;
  }
  let fair = 100000;
  const clampP = (p) => Math.max(1, Math.min(T - 2, p));
  const size = () => 1 + Math.floor(Math.exp(rnd() * 3) * expo(50));
  function passive() {
    const side = rnd() < 0.5 ? 0 : 1,
      off = 1 + Math.min(499, Math.floor(expo(90)));
    let p;
    if (side === 0) {
      p = fair - off;
      if (p >= ba) p = ba - 1;
    } else {
      p = fair + off;
      if (p <= bb) p = bb + 1;
    }
    p = clampP(p);
    const q = size(),
      id = nextId++;
    emit(0, side, id, p, q);
    const r = match(id, side, p, q);
    if (r > 0) rest({ id, side, price: p, rem: r, dead: false });
  }
  for (let i = 0; i < PRE; i++) passive();
  tradeN &&
    (() => {
      throw new Error('prefill traded');
    })();
  const recent = () => {
    for (let k = 0; k < 8; k++) {
      const id = nextId - 1 - Math.floor(rnd() * 4000);
      if (orders.has(id)) return id;
    }
    return live[Math.floor(rnd() * live.length)];
  };
  for (let i = 0; i < N; i++) {
    const u = rnd();
    if (rnd() < 0.02) fair += rnd() < 0.5 ? 1 : -1;
    if (u < 0.45) {
      mixCount.add++;
      passive();
    } else if (u < 0.8) {
      mixCount.cancel++;
      if (rnd() < 0.01) {
        let id = 1 + Math.floor(rnd() * (nextId - 1));
        while (orders.has(id)) id = 1 + Math.floor(rnd() * (nextId - 1));
        mixCount.stale++;
        rejects++;
        emit(1, 0, id, 0, 0);
      } else {
        const id = rnd() < 0.6 ? recent() : live[Math.floor(rnd() * live.length)],
          o = orders.get(id);
        emit(1, o.side, id, o.price, o.rem);
        o.dead = true;
        lvQ[o.price] -= o.rem;
        drop(o);
      }
    } else {
      const mid = (bb + ba) / 2,
        bias = fair > mid ? 0.7 : fair < mid ? 0.3 : 0.5,
        side = rnd() < bias ? 0 : 1;
      const f = 0.35 * Math.pow(live.length / 50000, 3);
      const q = 1 + Math.floor(size() * f),
        id = nextId++;
      if (u < 0.9) {
        mixCount.cross++;
        const p = clampP(side === 0 ? ba + Math.floor(expo(2)) : bb - Math.floor(expo(2)));
        emit(0, side, id, p, q);
        const r = match(id, side, p, q);
        if (r > 0) rest({ id, side, price: p, rem: r, dead: false });
      } else {
        mixCount.market++;
        emit(2, side, id, 0, q);
        const r = match(id, side, side === 0 ? T : -1, q);
        if (r > 0) killed += r;
      }
    }
    if (live.length > maxLive) maxLive = live.length;
    if (live.length < minLive) minLive = live.length;
    const lv = nA + nB;
    if (lv > lvMax) lvMax = lv;
    if (lv < lvMin) lvMin = lv;
  }
  let bidQty = 0,
    askQty = 0;
  for (let p = 0; p < T; p++)
    if (lvC[p]) {
      if (p <= bb) bidQty += lvQ[p];
      else askQty += lvQ[p];
    }
  const exp = {
    trades: tradeN,
    tradedQty: tradeQ,
    notional,
    tradeHash: hash,
    killedQty: killed,
    rejects,
    resting: orders.size,
    bidLevels: nB,
    askLevels: nA,
    bidQty,
    askQty,
    bestBid: bb,
    bestAsk: ba,
  };
  return {
    records: buf.subarray(0, w),
    meta: {
      prefill: PRE,
      commands: N,
      mix: mixCount,
      expected: exp,
      resting: [minLive, maxLive],
      levels: [lvMin, lvMax],
      fairEnd: fair,
    },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , out = '.', seed = '42', prefill = '50000', commands = '1000000'] = process.argv;
  const { records, meta } = generate({ seed: Number(seed), prefill: Number(prefill), commands: Number(commands) });
  fs.writeFileSync(`${out}/workload.bin`, records);
  fs.writeFileSync(`${out}/expected.json`, JSON.stringify(meta, null, 1));
  console.log(JSON.stringify(meta, null, 1));
}
