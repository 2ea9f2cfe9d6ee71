import type { Calls } from '@bourse/contract/calls';
import { ONCE } from './types.generated.js';

type Market = 'spot' | 'lever';
const MARKETS: Readonly<Record<string, Market>> = {
  coin: 'spot',
  transaction: 'spot',
  transaction_del: 'spot',
  lever: 'lever',
};
/** Commands that end the orders of a pair, or of all pairs. */
const MASS: readonly string[] = ['POST /api/coin/cancel_all', 'POST /api/lever/batch_close'];
/** Commands that name existing orders. */
const EXISTING: readonly string[] = ['PUT /api/coin/order', 'PUT /api/coin/trade', 'POST /api/coin/cancel'];

/** The orders that a command is about. */
export interface OrderClaim {
  readonly market: Market;
  readonly isMass: boolean;
  /** The orders that it places or names: `id 7`, `name mine`. */
  readonly orders: ReadonlySet<string>;
  /** Whether it names existing orders by their ids, or by their client ids. */
  readonly isById: boolean;
  readonly isByName: boolean;
  /** The pairs of its orders; undefined: they are not known, or it is about all. */
  readonly pairs: readonly string[] | undefined;
}

interface Named {
  readonly id?: unknown;
  readonly client_order_id?: unknown;
  readonly legal_id?: unknown;
  readonly currency_id?: unknown;
  readonly op?: unknown;
}
interface Given extends Named {
  readonly ids?: readonly unknown[];
  readonly client_order_ids?: readonly unknown[];
  readonly items?: readonly Named[];
}
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The claim of a call; undefined: it is no command about orders. */
export function claimOf(name: keyof Calls, fields: object): OrderClaim | undefined {
  const market = MARKETS[name.split('/')[2] ?? ''];
  if (market === undefined || !ONCE.includes(name)) return undefined;
  const { ids = [], client_order_ids: names = [], items, ...one } = fields as Given;
  const all: readonly Named[] = items ?? [
    one,
    ...ids.map((id) => ({ id })),
    ...names.map((own) => ({ client_order_id: own })),
  ];
  const byId = all.filter(({ id }) => isGiven(id));
  const byName = all.filter(({ client_order_id: own }) => isGiven(own));
  return {
    market,
    isMass: MASS.includes(name),
    orders: new Set([
      ...byId.map(({ id }) => `id ${String(id)}`),
      ...byName.map(({ client_order_id: own }) => `name ${String(own)}`),
    ]),
    isById: byId.length > 0,
    isByName: byName.some(({ op }) => EXISTING.includes(name) || op === 'amend' || op === 'cancel'),
    pairs: all.every(({ legal_id: quote, currency_id: base }) => isGiven(quote) && isGiven(base))
      ? all.map(({ legal_id: quote, currency_id: base }) => `${String(quote)} ${String(base)}`)
      : undefined,
  };
}

/** Whether two commands may be about the same order. */
export function overlap(one: OrderClaim, other: OrderClaim): boolean {
  if (one.market !== other.market) return false;
  if (one.isMass || other.isMass)
    return !one.pairs || !other.pairs || one.pairs.some((pair) => other.pairs?.includes(pair));
  // An order may be named by its id in one and by its client id in the other.
  if ((one.isById && other.isByName) || (one.isByName && other.isById)) return true;
  return [...one.orders].some((order) => other.orders.has(order));
}
