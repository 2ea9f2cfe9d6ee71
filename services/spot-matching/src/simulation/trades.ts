import { ledgerPartition } from '@bourse/events';
import type { SimulatedEnd, SimulatedView, SimulatedMove } from '@bourse/ledger-client';
import type { ListedMarket } from '../application/markets.js';
import type { MarketRow } from '../application/ports.js';
import { holdFor, BUY, baseOf, feeOf, quoteOf, isMarket, isStop, isWaiting } from '@bourse/matching';
import type { StoredAmend, StoredOrder, StoredTrade } from './engine-store.js';
import { holdsNothing } from './orders.js';
import { marketsOf, simulatedLevel } from './markets.js';

/**
 * The sums of an order's trades; `used` is the part of its hold that they have used, of an amended order those
 * after its last amend.
 */
interface Filled {
  readonly lots: number;
  readonly quote: bigint;
  readonly fee: bigint;
  readonly used: bigint;
}
const NOTHING: Filled = { lots: 0, quote: 0n, fee: 0n, used: 0n };

/** The amends of each order, by their numbers. */
type Amends = ReadonlyMap<string, readonly StoredAmend[]>;
/** Limit price of an order at a trade. */
function priceThen(amends: Amends, order: StoredOrder, trade: StoredTrade): number {
  const after = amends.get(order.id)?.find(({ tradeSequence }) => tradeSequence >= trade.sequence);
  return after?.priceBefore ?? order.price;
}

/** How often each journal was posted. */
type Posted = (journalId: string) => number;

/** I5: numbers without gaps, fair prices, fills within amounts, exact money, each settled once. */
export function checkTrades(end: SimulatedEnd): string[] {
  const { server, config, journals } = end;
  const problems: string[] = [];
  const orders = new Map(server.rows<StoredOrder>('spot.orders').map((order) => [order.id, order]));
  const ids = new Map<string, number>();
  for (const { id } of journals) ids.set(id, (ids.get(id) ?? 0) + 1);
  const posted: Posted = (id) => ids.get(id) ?? 0;
  const trades = server.rows<StoredTrade>('spot.trades');
  const amends = new Map<string, StoredAmend[]>();
  for (const row of [...server.rows<StoredAmend>('spot.amends')].sort((a, b) => a.sequence - b.sequence))
    amends.set(row.orderId, [...(amends.get(row.orderId) ?? []), row]);
  const filled = new Map<string, Filled>();
  const takers = new Set(
    trades.map(({ takerSide, buyOrderId, sellOrderId }) => (takerSide === BUY ? buyOrderId : sellOrderId)),
  );
  for (const market of marketsOf(end)) {
    const rows = trades.filter((row) => row.symbol === market.symbol).sort((a, b) => a.sequence - b.sequence);
    for (const [index, trade] of rows.entries()) {
      const where = `trade ${trade.symbol} ${trade.sequence}`;
      if (trade.sequence !== index + 1) problems.push(`I5 ${where} is number ${index + 1}`);
      const [buyer, seller] = [orders.get(trade.buyOrderId), orders.get(trade.sellOrderId)];
      if (!buyer || !seller || buyer.userId !== trade.buyerId || seller.userId !== trade.sellerId) {
        problems.push(`I5 ${where} has no orders of its people`);
        continue;
      }
      const limits = { buyer: priceThen(amends, buyer, trade), seller: priceThen(amends, seller, trade) };
      problems.push(...checkTrade(market, trade, buyer, seller, limits));
      problems.push(...checkSettled(trade, config.ledgerPartitions, posted));
      addTo(filled, market, trade, { buyer, seller, limit: limits.buyer, amends });
    }
    const counted = server.row<MarketRow>('spot.market', market.symbol)?.tradeSequence ?? 0;
    if (rows.length !== counted)
      problems.push(`I5 ${market.symbol} counts ${counted} trades and stores ${rows.length}`);
  }
  for (const order of orders.values()) {
    const market = marketsOf(end).find(({ symbol }) => symbol === order.symbol);
    const last = amends.get(order.id)?.at(-1);
    const held = last && market ? holdAfter(market, order, last, trades) : order.held;
    problems.push(...checkFilled(order, filled.get(order.id) ?? NOTHING, held, posted));
    if (market && !hasRatesOfLevel(market, order)) problems.push(`I5 order ${order.id} has not the rates of its level`);
    if (order.postOnly && takers.has(order.id)) problems.push(`I5 post-only order ${order.id} has taken`);
  }
  return problems;
}

/** Whether each rate of an order is the least one that is no less than its owner's part of the pair's rate. */
function hasRatesOfLevel(market: ListedMarket, { userId, makerFee, takerFee }: StoredOrder): boolean {
  const level = simulatedLevel(userId);
  const isPart = (rate: bigint, whole: bigint, percent: number): boolean => {
    const over = rate * 100n - whole * BigInt(percent);
    return over >= 0n && over < 100n;
  };
  return isPart(makerFee, market.makerFee, level.makerPercent) && isPart(takerFee, market.takerFee, level.takerPercent);
}

/** One trade against the two orders it is of. */
function checkTrade(
  market: ListedMarket,
  trade: StoredTrade,
  buyer: StoredOrder,
  seller: StoredOrder,
  limits: { readonly buyer: number; readonly seller: number },
): string[] {
  const problems: string[] = [];
  const where = `trade ${trade.symbol} ${trade.sequence}`;
  if (buyer.userId === seller.userId) problems.push(`I5 ${where} is of one person with themselves`);
  if (!(isMarket(buyer) && isStop(buyer)) && trade.price > limits.buyer)
    problems.push(`I5 ${where} at ${trade.price} is above the buyer's ${limits.buyer}`);
  if (!(isMarket(seller) && isStop(seller)) && trade.price < limits.seller)
    problems.push(`I5 ${where} at ${trade.price} is below the seller's ${limits.seller}`);
  const quote =
    (BigInt(trade.price) * BigInt(trade.quantity) * 10n ** BigInt(market.quoteScale)) /
    10n ** BigInt(market.priceScale + market.numberScale);
  if (quote !== trade.quote || quote !== quoteOf(market, trade.price, trade.quantity, 'down'))
    problems.push(`I5 ${where} moves ${trade.quote}, it is worth ${quote}`);
  const base = baseOf(market, trade.quantity);
  const takerBuys = trade.takerSide === BUY;
  if (trade.buyerFee !== feeOf(base, takerBuys ? buyer.takerFee : buyer.makerFee))
    problems.push(`I5 ${where} takes ${trade.buyerFee} of the buyer`);
  if (trade.sellerFee !== feeOf(quote, takerBuys ? seller.makerFee : seller.takerFee))
    problems.push(`I5 ${where} takes ${trade.sellerFee} of the seller`);
  return problems;
}

/** People of one partition are settled by one journal, others by one each. */
function checkSettled(trade: StoredTrade, partitions: number, posted: Posted): string[] {
  const id = `trade:${trade.symbol}:${trade.sequence}`;
  const together = ledgerPartition(trade.buyerId, partitions) === ledgerPartition(trade.sellerId, partitions);
  const expected: readonly (readonly [name: string, times: number])[] = [
    [id, together ? 1 : 0],
    [`${id}:buy`, together ? 0 : 1],
    [`${id}:sell`, together ? 0 : 1],
  ];
  return expected
    .filter(([name, times]) => posted(name) !== times)
    .map(([name, times]) => `I5 ${name} was settled ${posted(name)} times instead of ${times}`);
}

function addTo(
  filled: Map<string, Filled>,
  market: ListedMarket,
  trade: StoredTrade,
  {
    buyer,
    seller,
    limit,
    amends,
  }: {
    readonly buyer: StoredOrder;
    readonly seller: StoredOrder;
    readonly limit: number;
    readonly amends: Amends;
  },
): void {
  const { quantity, buyerFee, sellerFee } = trade;
  const quote = quoteOf(market, trade.price, quantity, 'down');
  const ofBuyer = isMarket(buyer) ? quote : quote + quoteOf(market, limit - trade.price, quantity, 'down');
  for (const [order, fee, used] of [
    [buyer, buyerFee, ofBuyer],
    [seller, sellerFee, baseOf(market, quantity)],
  ] as const) {
    const sum = filled.get(order.id) ?? NOTHING;
    filled.set(order.id, {
      lots: sum.lots + quantity,
      quote: sum.quote + quote,
      fee: sum.fee + fee,
      used: sum.used + ((amends.get(order.id)?.at(-1)?.tradeSequence ?? 0) < trade.sequence ? used : 0n),
    });
  }
}

/** The hold of an order after its last amend: enough for what was not filled then. */
function holdAfter(
  market: ListedMarket,
  order: StoredOrder,
  { price, quantity, tradeSequence }: StoredAmend,
  trades: readonly StoredTrade[],
): bigint {
  const filled = trades
    .filter(({ symbol, sequence }) => symbol === order.symbol && sequence <= tradeSequence)
    .filter(({ buyOrderId, sellOrderId }) => buyOrderId === order.id || sellOrderId === order.id)
    .reduce((sum, trade) => sum + trade.quantity, 0);
  return holdFor(market, order, price, quantity - filled);
}

/**
 * One order against what its trades make, and against what the ledger has held and released for it; `held`: from its
 * last amend on.
 */
function checkFilled(order: StoredOrder, sum: Filled, held: bigint, posted: Posted): string[] {
  const problems: string[] = [];
  if (
    sum.lots !== order.filled ||
    sum.quote !== order.quoteFilled ||
    sum.fee !== order.fee ||
    order.filled > order.quantity
  )
    problems.push(`I5 order ${order.id} is filled ${order.filled} of ${order.quantity}, its trades make ${sum.lots}`);
  if (held - sum.used !== order.holdLeft)
    problems.push(`I3 order ${order.id} held ${held}, used ${sum.used} and has ${order.holdLeft} left`);
  const holds = posted(`order:${order.id}:hold`);
  if (holds !== (holdsNothing(order) ? 0 : 1)) problems.push(`I6 order ${order.id} was held ${holds} times`);
  const releases = posted(`order:${order.id}:release`);
  if (releases !== (order.status === 2 && order.holdLeft > 0n ? 1 : 0))
    problems.push(
      `I3 order ${order.id} (status ${order.status}, ${order.holdLeft} left) was released ${releases} times`,
    );
  if (order.timeInForce === 2 && order.filled > 0 && order.filled < order.quantity)
    problems.push(`I5 fill-or-kill order ${order.id} is filled ${order.filled} of ${order.quantity}`);
  if (order.status === 1 && !isWaiting(order) && (order.timeInForce !== 0 || isMarket(order)))
    problems.push(`I8 order ${order.id} may not rest and does`);
  return problems;
}

/** The amounts that the trades moved between people, and their fees to the house. */
export function movesOf(view: SimulatedView<unknown>): readonly SimulatedMove[] {
  const markets = new Map(marketsOf(view).map((market) => [market.symbol, market]));
  return view.server.rows<StoredTrade>('spot.trades').flatMap((trade): readonly SimulatedMove[] => {
    const market = markets.get(trade.symbol);
    if (!market) return [];
    const { baseId, quoteId } = market;
    const base = baseOf(market, trade.quantity);
    return [
      { whose: trade.buyerId, currency: quoteId, units: -trade.quote },
      { whose: trade.buyerId, currency: baseId, units: base - trade.buyerFee },
      { whose: trade.sellerId, currency: baseId, units: -base },
      { whose: trade.sellerId, currency: quoteId, units: trade.quote - trade.sellerFee },
      { whose: 'h.fees', currency: baseId, units: trade.buyerFee },
      { whose: 'h.fees', currency: quoteId, units: trade.sellerFee },
    ];
  });
}
