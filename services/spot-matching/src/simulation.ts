// What the simulator runs of matching: the engine, the books and the calls that lead to them, on ports it brings
// itself. Nobody else imports this.
export {
  FROM_ZERO,
  replayBook,
  type Checkpoint,
  type LoggedCommand,
  type OrderMark,
  type Replayed,
} from './application/book-replay.js';
export { replayMarket, type SqlReader, type Replay } from './adapters/persistence/replay.js';
export { CancelOrderBody, PlaceOrderBody } from './application/order-fields.js';
export { CancelOrders } from './application/cancel-orders.js';
export { EngineReports } from './application/engine-reports.js';
export { CONSUMER, EngineRuntime } from './application/engine-runtime.js';
export { LocalBooks } from './application/local-books.js';
export { Markets, type ListedMarket } from './application/markets.js';
export { PlaceOrder, type CommandContext } from './application/place-order.js';
export {
  EngineStore,
  OrderReads,
  type EngineWrite,
  type FillFilter,
  type MarketRow,
  type OrderFilter,
  type Slice,
  type StoredFill,
} from './application/ports.js';
export { BUY, SELL } from './domain/book.js';
export { LadderBook } from './domain/ladder-book.js';
export { baseOf, budgetOf, capOf, feeOf, limitHold, quoteOf, type Market } from './domain/market.js';
export { MarketEngine, type Mode, type Trade } from './domain/market-engine.js';
export { isMarket, isStop, isWaiting, newOrder, type Order } from './domain/order.js';
export { PlainBook } from './domain/plain-book.js';
