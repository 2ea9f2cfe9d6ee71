import { FIRST_PRICES, type SpotOrder } from '@bourse/contract';
import type {
  SimulatedAct,
  SimulatedEnd,
  SimulatedFields,
  SimulatedIntentKind,
  SimulatedPerson,
} from '@bourse/ledger-client';
import { formatUnits, pow10, toUnits } from '@bourse/money';
import { readFields } from '@bourse/platform';
import type { AmendOrders } from '../application/amend-orders.js';
import type { CancelOrders } from '../application/cancel-orders.js';
import { AmendOrderBody, CancelOrderBody, OcoBody, PlaceOrderBody } from '../application/order-fields.js';
import type { PlaceOrder } from '../application/place-order.js';
import { BUY, baseOf, isStop, isWaiting } from '@bourse/matching';
import type { StoredAmend, StoredOrder } from './engine-store.js';
import type { ListedMarket } from '../application/markets.js';
import { marketsOf } from './markets.js';

/** Prices lie close together, so that orders meet; amounts have many decimals, so that rounding matters. */
function drawOrder(person: SimulatedPerson): SimulatedFields {
  const { random } = person;
  const market = random.pick(marketsOf(person));
  const first = toUnits(FIRST_PRICES[market.symbol] ?? '1', market.priceScale);
  const near = (spread: number): string =>
    formatUnits(
      first + BigInt(Math.round((random.next() * 2 - 1) * spread)) * (first / 2_000n || 1n),
      market.priceScale,
    );
  const amount = formatUnits(
    BigInt(1 + random.int(market.symbol === 'BTC/USDT' ? 300_000 : 50_000)),
    market.numberScale,
  );
  const base: Record<string, string> = {
    legal_id: String(market.quoteId),
    currency_id: String(market.baseId),
    type: random.chance(0.5) ? '1' : '2',
    amount,
  };
  if (random.chance(0.4)) base['client_order_id'] = `k${person.serial()}`;
  if (random.chance(0.3)) base['stp'] = random.pick(['cancel_newest', 'cancel_oldest', 'cancel_both']);
  if (random.chance(0.15)) {
    // By ticks around the first price, as all prices here: some lie on the wrong side, and are refused.
    const [above, below] = base['type'] === '1' ? ['take_profit', 'stop_loss'] : ['stop_loss', 'take_profit'];
    const away = (sign: 1 | -1): string =>
      formatUnits(first + (BigInt(sign * (1 + random.int(8))) * first) / 2_000n, market.priceScale);
    if (random.chance(0.8)) base[above] = away(1);
    if (random.chance(0.8)) base[below] = away(-1);
  }
  const dice = random.next();
  if (dice < 0.18) return { ...base, order_type: 'market', ...(random.chance(0.2) ? { time_in_force: 'FOK' } : {}) };
  if (dice < 0.32) {
    const stop = { stop_price: near(8), ...(random.chance(0.4) ? { trigger_by: 'mark' } : {}) };
    return random.chance(0.5)
      ? { ...base, order_type: 'stop_market', ...stop }
      : { ...base, order_type: 'stop_limit', ...stop, target_price: near(8) };
  }
  if (dice < 0.4) return { ...base, target_price: near(4), post_only: '1' };
  if (dice < 0.5) {
    const steps = (count: number): string => formatUnits((BigInt(count) * first) / 2_000n || 1n, market.priceScale);
    const trail: Record<string, string> = random.chance(0.5)
      ? { trail_percent: random.pick(['0.1', '0.15', '0.33']) }
      : { trail_amount: steps(1 + random.int(4)) };
    if (random.chance(0.4)) trail['activation_price'] = near(6);
    // With exits it is refused.
    delete base['take_profit'];
    delete base['stop_loss'];
    return { ...base, order_type: 'trailing_stop', ...trail };
  }
  return {
    ...base,
    target_price: near(4),
    ...(random.chance(0.25) ? { time_in_force: random.pick(['IOC', 'FOK']) } : {}),
  };
}

/** An OCO pair around the first price of its market; some lie on the wrong side of the last price, and are refused. */
function drawPair(person: SimulatedPerson): SimulatedFields {
  const { random } = person;
  const market = random.pick(marketsOf(person));
  const first = toUnits(FIRST_PRICES[market.symbol] ?? '1', market.priceScale);
  const away = (steps: number): string => formatUnits(first + (BigInt(steps) * first) / 2_000n, market.priceScale);
  const sign = random.chance(0.5) ? 1 : -1;
  const stop = -sign * (1 + random.int(5));
  return {
    legal_id: String(market.quoteId),
    currency_id: String(market.baseId),
    type: sign === 1 ? '2' : '1',
    amount: formatUnits(BigInt(1 + random.int(market.symbol === 'BTC/USDT' ? 300_000 : 50_000)), market.numberScale),
    target_price: away(sign * (1 + random.int(5))),
    stop_price: away(stop),
    ...(random.chance(0.5) ? { stop_limit_price: away(stop - sign * random.int(4)) } : {}),
    ...(random.chance(0.3) ? { post_only: '1' } : {}),
    ...(random.chance(0.3) ? { stp: random.pick(['cancel_newest', 'cancel_oldest', 'cancel_both']) } : {}),
    ...(random.chance(0.3) ? { client_order_id: `k${person.serial()}` } : {}),
  };
}

/** Another order under a client order id that was used before. */
function drawOrderAgain(person: SimulatedPerson): SimulatedFields | null {
  const used = person.last?.fields['client_order_id'];
  return used ? { ...drawOrder(person), client_order_id: used } : null;
}

/** Other terms for an own order: another price, another amount, or both; some less than what is filled. */
function drawAmend(person: SimulatedPerson): SimulatedFields | null {
  const { random, told } = person;
  const orders = [...told('order'), ...told('oco')];
  if (orders.length === 0) return null;
  const { target_price: price, amount } = drawOrder(person);
  const id = random.pick(orders);
  if (price === undefined || random.chance(0.3)) return { id, amount: amount ?? '' };
  return random.chance(0.5) ? { id, target_price: price } : { id, target_price: price, amount: amount ?? '' };
}

function drawCancel({ random, told }: SimulatedPerson): SimulatedFields | null {
  const orders = [...told('order'), ...told('oco')];
  return orders.length > 0 ? { id: random.pick(orders) } : null;
}

export const ACTS: readonly SimulatedAct[] = [
  { below: 0.3, kind: 'cancel', draw: drawCancel },
  { below: 0.43, kind: 'order', draw: drawOrderAgain },
  { below: 0.55, kind: 'amend', draw: drawAmend },
  { below: 0.63, kind: 'oco', draw: drawPair },
  { below: 1, kind: 'order', draw: drawOrder },
];

export const ORDER: SimulatedIntentKind<{ readonly place: PlaceOrder }> = {
  run: ({ place }, user, fields, context) => place.execute(user, readFields(PlaceOrderBody, fields), context),
  otherFields: drawOrder,
};
export const PAIR: SimulatedIntentKind<{ readonly place: PlaceOrder }> = {
  run: ({ place }, user, fields, context) => place.pair(user, readFields(OcoBody, fields), context),
  otherFields: drawPair,
};
export const CANCEL: SimulatedIntentKind<{ readonly cancel: CancelOrders }> = {
  run: ({ cancel }, user, fields, context) => cancel.one(user, readFields(CancelOrderBody, fields), context),
  isDurable: (server, fields) => server.row<StoredOrder>('spot.orders', fields['id'] ?? '')?.status === 2,
};
export const AMEND: SimulatedIntentKind<{ readonly amend: AmendOrders }> = {
  run: ({ amend }, user, fields, context) => amend.execute(user, readFields(AmendOrderBody, fields), context),
  isDurable: (server, fields) =>
    server.rows<StoredAmend>('spot.amends').some(({ orderId }) => orderId === fields['id']),
  otherFields: (person) => ({ ...drawAmend(person), amount: '1' }),
};

/** I6: every answer about an order matches its outcome; no effect without a request, none twice. */
export function checkOrders(end: SimulatedEnd): string[] {
  const { server, intents, journals } = end;
  const problems: string[] = [];
  const orders = new Map(server.rows<StoredOrder>('spot.orders').map((order) => [order.id, order]));
  const held = new Map<string, number>();
  for (const { id, causeType, causeId } of journals)
    if (causeType === 'order' && id.endsWith(':hold')) held.set(causeId, (held.get(causeId) ?? 0) + 1);
  const claimed = new Set<string>();
  const cancelled = new Set<string>();
  const byClientId = new Map<string, string>();
  const accepted = new Map<string, number>();
  for (const { commandId, user, kind, fields, id, outcomes } of intents) {
    for (const outcome of outcomes)
      if (outcome.kind === 'ok') problems.push(...checkAnswered(outcome.extra['order'], orders, end));
    if (id === null) continue;
    if (kind === 'cancel') {
      cancelled.add(fields['id'] ?? '');
      const order = orders.get(fields['id'] ?? '');
      if (order?.status !== 2 || order.reason !== 'user')
        problems.push(`I6 cancel ${commandId} was ok and its order is ${order?.status} ${order?.reason}`);
    }
    if (kind === 'amend') accepted.set(id, (accepted.get(id) ?? 0) + 1);
    if (kind !== 'order' && kind !== 'oco') continue;
    if (held.get(id) !== 1) problems.push(`I6 ${commandId} was ok and has ${held.get(id) ?? 0} effects (order ${id})`);
    if (!orders.has(id)) problems.push(`I6 order ${id} of ${commandId} was accepted and never reached its book`);
    // A second intent under the same client order id is given the first one's answer, and has no order of its own.
    const coid = fields['client_order_id'];
    const first = coid === undefined ? undefined : byClientId.get(`${user} ${coid}`);
    if (first !== undefined && first !== id) problems.push(`I6 client order id ${coid} of ${user} has two orders`);
    if (claimed.has(id) && first === undefined) problems.push(`I6 order ${id} is the answer to two intents`);
    if (coid !== undefined) byClientId.set(`${user} ${coid}`, id);
    claimed.add(id);
  }
  const amended = new Map<string, number>();
  for (const { orderId } of server.rows<StoredAmend>('spot.amends'))
    amended.set(orderId, (amended.get(orderId) ?? 0) + 1);
  for (const id of new Set([...accepted.keys(), ...amended.keys()]))
    if (accepted.get(id) !== amended.get(id))
      problems.push(`I6 order ${id} was amended ${amended.get(id) ?? 0} times, told were ${accepted.get(id) ?? 0}`);
  const isClaimed = (id: string): boolean => {
    const order = orders.get(id);
    if (claimed.has(id) || !order) return claimed.has(id);
    return (isStop(order) && claimed.has(order.linkId)) || (order.parentId !== '' && isClaimed(order.parentId));
  };
  for (const id of held.keys()) if (!isClaimed(id)) problems.push(`I6 order ${id} has happened and nobody was told so`);
  for (const order of orders.values()) {
    if (order.reason === 'user' && !cancelled.has(order.id))
      problems.push(`I6 order ${order.id} was cancelled and nobody was told so`);
    if (!held.has(order.id) && !holdsNothing(order))
      problems.push(`I6 order ${order.id} is in a book and was never held`);
  }
  return [...problems, ...checkPairs(orders), ...checkExits(orders, marketsOf(end))];
}

/** The answer to an order stays true: its fills are never undone, and an order that is done never opens. */
function checkAnswered(answered: unknown, orders: ReadonlyMap<string, StoredOrder>, end: SimulatedEnd): string[] {
  if (typeof answered !== 'object' || answered === null) return [];
  const { id, status, filled_amount: filled } = answered as SpotOrder;
  const order = orders.get(id);
  const market = marketsOf(end).find(({ symbol }) => symbol === order?.symbol);
  if (!order || !market) return [`SPOT-120 order ${id} was answered and does not exist`];
  const lots = Number(toUnits(filled, market.numberScale));
  if (order.filled < lots || (status === 2 && (order.status !== 2 || order.filled !== lots)))
    return [
      `SPOT-120 order ${id} was answered with status ${status} and ${lots} filled, and has ${order.status} and ` +
        String(order.filled),
    ];
  return [];
}

/** Whether an order has no hold of its own: a stop leg that has not started, an exit whose money was moved away. */
export const holdsNothing = (order: StoredOrder): boolean =>
  (isStop(order) && order.linkId !== '' && !order.triggered) || (order.reason === 'balance' && order.holdLeft === 0n);

/** One outcome of each pair: both legs are open and neither has begun, or at most one of them ever begins. */
function checkPairs(orders: ReadonlyMap<string, StoredOrder>): string[] {
  const problems: string[] = [];
  for (const limit of orders.values()) {
    if (limit.linkId === '' || isStop(limit)) continue;
    const stop = orders.get(limit.linkId);
    if (stop?.linkId !== limit.id) problems.push(`I6 leg ${limit.id} has no other leg`);
    else if (limit.filled > 0 && (stop.triggered || stop.status === 1))
      problems.push(`I6 limit leg ${limit.id} is filled, and its stop leg ${stop.id} was not ended`);
    else if ((limit.status === 1 && limit.filled === 0) !== isWaiting(stop))
      problems.push(`I6 of the pair ${limit.id} and ${stop.id} one leg has ended alone`);
  }
  return problems;
}

/** The exits of each done order close what it has brought, once; they are in a book by now. */
function checkExits(orders: ReadonlyMap<string, StoredOrder>, markets: readonly ListedMarket[]): string[] {
  const problems: string[] = [];
  const exits = new Map<string, StoredOrder[]>();
  for (const order of orders.values())
    if (order.parentId !== '') exits.set(order.parentId, [...(exits.get(order.parentId) ?? []), order]);
  for (const parent of orders.values()) {
    const market = markets.find(({ symbol }) => symbol === parent.symbol);
    const wanted = [parent.takeProfit, parent.stopLoss].filter((price) => price > 0);
    if (!market || wanted.length === 0) continue;
    const lots =
      parent.side === BUY
        ? Number((baseOf(market, parent.filled) - parent.fee) / pow10(market.baseScale - market.numberScale))
        : parent.filled;
    const expected = parent.status === 2 && lots > 0 ? wanted.length : 0;
    const own = exits.get(parent.id) ?? [];
    if (own.length !== expected) problems.push(`I6 order ${parent.id} has ${own.length} exits, not ${expected}`);
    for (const exit of own)
      if (exit.side === parent.side || exit.quantity !== lots)
        problems.push(`I6 exit ${exit.id} of ${parent.id} is ${exit.quantity} lots, not ${lots}`);
  }
  return problems;
}
