// exchange-core's direct order book on the shared workload: one thread, the book class called directly, no disruptor, no risk engine, no I/O.
// usage: java ExchangeCorePeer DATA_DIR WARM RUNS LATENCY VERIFY PREFILL -> one JSON line, as bench.mjs prints it
import exchange.core2.collections.objpool.ObjectsPool;
import exchange.core2.core.common.CoreSymbolSpecification;
import exchange.core2.core.common.L2MarketData;
import exchange.core2.core.common.MatcherEventType;
import exchange.core2.core.common.MatcherTradeEvent;
import exchange.core2.core.common.OrderAction;
import exchange.core2.core.common.OrderType;
import exchange.core2.core.common.SymbolType;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.cmd.OrderCommandType;
import exchange.core2.core.common.config.LoggingConfiguration;
import exchange.core2.core.orderbook.IOrderBook;
import exchange.core2.core.orderbook.OrderBookDirectImpl;
import exchange.core2.core.orderbook.OrderBookEventsHelper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

public final class ExchangeCorePeer {
  private static final long MAX_PRICE = 1L << 40;

  private static byte[] types;
  private static byte[] sides;
  private static int[] ids;
  private static int[] prices;
  private static int[] quantities;

  private final IOrderBook book;
  private final OrderCommand command = new OrderCommand();
  private MatcherTradeEvent free;
  private long trades;
  private long tradedQuantity;
  private long notional;
  private long killed;
  private long rejects;
  private int hash = 0x811c9dc5;

  private ExchangeCorePeer() {
    // Pool sizes of the peer's own matching engine.
    Map<Integer, Integer> sizes = new HashMap<>();
    sizes.put(ObjectsPool.DIRECT_ORDER, 1 << 20);
    sizes.put(ObjectsPool.DIRECT_BUCKET, 1 << 16);
    sizes.put(ObjectsPool.ART_NODE_4, 1 << 15);
    sizes.put(ObjectsPool.ART_NODE_16, 1 << 14);
    sizes.put(ObjectsPool.ART_NODE_48, 1 << 13);
    sizes.put(ObjectsPool.ART_NODE_256, 1 << 12);
    CoreSymbolSpecification symbol = CoreSymbolSpecification.builder()
        .symbolId(1).type(SymbolType.CURRENCY_EXCHANGE_PAIR).baseCurrency(1).quoteCurrency(2).baseScaleK(1).quoteScaleK(1).build();
    book = new OrderBookDirectImpl(symbol, new ObjectsPool(sizes), new OrderBookEventsHelper(this::takeEvent), LoggingConfiguration.builder().loggingLevels(EnumSet.noneOf(LoggingConfiguration.LoggingLevel.class)).build());
    command.uid = 1;
    command.symbol = 1;
  }

  // Events are used again, as the peer's own pool does: it is faster so than with new ones.
  private MatcherTradeEvent takeEvent() {
    MatcherTradeEvent event = free;
    if (event == null) return new MatcherTradeEvent();
    free = event.nextEvent;
    event.nextEvent = null;
    return event;
  }

  private void replay(int from, int to, boolean hashing) {
    for (int i = from; i < to; i++) step(i, hashing);
  }

  private void step(int i, boolean hashing) {
    OrderCommand order = command;
    order.matcherEvent = null;
    order.orderId = ids[i];
    if (types[i] == 1) {
      order.command = OrderCommandType.CANCEL_ORDER;
      if (book.cancelOrder(order) != CommandResultCode.SUCCESS) rejects++;
    } else {
      boolean buys = sides[i] == 0;
      order.command = OrderCommandType.PLACE_ORDER;
      order.action = buys ? OrderAction.BID : OrderAction.ASK;
      order.size = quantities[i];
      if (types[i] == 0) {
        order.orderType = OrderType.GTC;
        order.price = prices[i];
      } else {
        order.orderType = OrderType.IOC;
        order.price = buys ? MAX_PRICE : 1;
      }
      order.reserveBidPrice = order.price;
      book.newOrder(order);
    }
    MatcherTradeEvent event = order.matcherEvent;
    while (event != null) {
      if (event.eventType == MatcherEventType.TRADE) {
        trades++;
        tradedQuantity += event.size;
        notional += event.size * event.price;
        if (hashing) {
          mix((int) event.matchedOrderId);
          mix(ids[i]);
          mix((int) event.price);
          mix((int) event.size);
        }
      } else if (event.eventType == MatcherEventType.REJECT) {
        killed += event.size;
      }
      MatcherTradeEvent next = event.nextEvent;
      event.nextEvent = free;
      free = event;
      event = next;
    }
  }

  private void mix(int value) {
    hash = (hash ^ value) * 0x01000193;
  }

  // All threads, compiler and collector included; the clock of the platform's bean ticks every 10 ms, a tenth of a run.
  private static long cpuNanoseconds() throws IOException {
    Path tasks = Path.of("/proc/self/task");
    if (!Files.exists(tasks)) return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    long sum = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        try {
          sum += Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
        } catch (NoSuchFileException ended) {
          continue;
        }
      }
    }
    return sum;
  }

  private static long[] times(long warm, long runs, int prefill, int count) throws IOException {
    long[] cpu = new long[(int) runs];
    for (int run = 0; run < warm + runs; run++) {
      ExchangeCorePeer peer = new ExchangeCorePeer();
      peer.replay(0, prefill, false);
      System.gc();
      long before = cpuNanoseconds();
      peer.replay(prefill, count, false);
      if (run >= warm) cpu[run - (int) warm] = cpuNanoseconds() - before;
    }
    return cpu;
  }

  private static String latency(int prefill, int count) {
    ExchangeCorePeer peer = new ExchangeCorePeer();
    peer.replay(0, prefill, false);
    long[] taken = new long[count - prefill];
    for (int i = prefill; i < count; i++) {
      long from = System.nanoTime();
      peer.step(i, false);
      taken[i - prefill] = System.nanoTime() - from;
    }
    Arrays.sort(taken);
    return "{\"p50\":" + taken[taken.length / 2] + ",\"p99\":" + taken[(int) (taken.length * 0.99)] + "}";
  }

  private static String totals(int count) {
    ExchangeCorePeer peer = new ExchangeCorePeer();
    peer.replay(0, count, true);
    IOrderBook book = peer.book;
    L2MarketData top = book.getL2MarketDataSnapshot(1);
    StringJoiner json = new StringJoiner(",", "{", "}");
    json.add("\"trades\":" + peer.trades).add("\"tradedQty\":" + peer.tradedQuantity).add("\"notional\":" + peer.notional);
    json.add("\"tradeHash\":" + Integer.toUnsignedLong(peer.hash)).add("\"killedQty\":" + peer.killed).add("\"rejects\":" + peer.rejects);
    json.add("\"resting\":" + (book.getOrdersNum(OrderAction.BID) + book.getOrdersNum(OrderAction.ASK)));
    json.add("\"bidLevels\":" + book.getTotalBidBuckets(Integer.MAX_VALUE)).add("\"askLevels\":" + book.getTotalAskBuckets(Integer.MAX_VALUE));
    json.add("\"bidQty\":" + book.getTotalOrdersVolume(OrderAction.BID)).add("\"askQty\":" + book.getTotalOrdersVolume(OrderAction.ASK));
    json.add("\"bestBid\":" + top.bidPrices[0]).add("\"bestAsk\":" + top.askPrices[0]);
    return json.toString();
  }

  public static void main(String[] args) throws Exception {
    ByteBuffer records = ByteBuffer.wrap(Files.readAllBytes(Path.of(args[0], "workload.bin"))).order(ByteOrder.LITTLE_ENDIAN);
    int count = records.capacity() / 16;
    types = new byte[count];
    sides = new byte[count];
    ids = new int[count];
    prices = new int[count];
    quantities = new int[count];
    for (int i = 0; i < count; i++) {
      types[i] = records.get(i * 16);
      sides[i] = records.get(i * 16 + 1);
      ids[i] = records.getInt(i * 16 + 4);
      prices[i] = records.getInt(i * 16 + 8);
      quantities[i] = records.getInt(i * 16 + 12);
    }
    int prefill = Integer.parseInt(args[5]);
    long[] cpu = times(Long.parseLong(args[1]), Long.parseLong(args[2]), prefill, count);
    StringJoiner rates = new StringJoiner(",", "[", "]");
    for (long nanoseconds : cpu) rates.add(String.valueOf(Math.round((count - prefill) * 1e9 / nanoseconds)));
    String latency = args[3].equals("1") ? latency(prefill, count) : "null";
    String totals = args[4].equals("1") ? totals(count) : "null";
    System.out.println("{\"cpu\":" + rates + ",\"lat\":" + latency + ",\"totals\":" + totals + "}");
  }
}
