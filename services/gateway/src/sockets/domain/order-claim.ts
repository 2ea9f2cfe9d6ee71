/** The orders that a frame is about: one order, or the orders of some pairs. Fields that are not known are absent. */
export type OrderClaim = OneOrder | ManyOrders;
interface OneOrder {
  readonly kind: 'new' | 'existing';
  readonly id?: string;
  /** The client id; '': the order has none. */
  readonly name?: string;
  readonly pair: Pair;
}
interface ManyOrders {
  readonly kind: 'many';
  readonly pair: Pair;
}
interface Pair {
  readonly quote?: number;
  readonly base?: number;
}
type Fields = Readonly<Record<string, string>>;

/** The claim of a frame that places an order. */
export const claimOfNew = (fields: Fields): OrderClaim => ({
  kind: 'new',
  name: fields['client_order_id'] ?? '',
  pair: pairOf(fields),
});

/** The claim of a frame that names an order; `nameOf` is the client id of an order, if it is known. */
export function claimOfExisting(fields: Fields, nameOf: (id: string) => string | undefined): OrderClaim {
  // The call reads an empty text as absent.
  const id = fields['id'] || undefined;
  const name = fields['client_order_id'] || (id === undefined ? undefined : nameOf(id));
  return {
    kind: 'existing',
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    pair: {},
  };
}

/** The claim of a frame that cancels the orders of a pair, of several pairs, or all. */
export const claimOfMany = (fields: Fields): OrderClaim => ({ kind: 'many', pair: pairOf(fields) });

/** Whether two frames may be about the same order. */
export function overlap(one: OrderClaim, other: OrderClaim): boolean {
  if (one.kind !== 'many' && other.kind !== 'many') return areSame(one, other);
  return mayEqual(one.pair.quote, other.pair.quote) && mayEqual(one.pair.base, other.pair.base);
}

function areSame(one: OneOrder, other: OneOrder): boolean {
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id;
  if (one.name !== undefined && other.name !== undefined) return one.name !== '' && one.name === other.name;
  // One is known by its id, the other by its client id. Who knows the id of an order has seen that it was placed.
  return one.kind === 'existing' && other.kind === 'existing';
}

const mayEqual = (one: number | undefined, other: number | undefined): boolean =>
  one === undefined || other === undefined || one === other;

function pairOf(fields: Fields): Pair {
  const [quote, base] = [numberOf(fields['legal_id']), numberOf(fields['currency_id'])];
  return { ...(quote === undefined ? {} : { quote }), ...(base === undefined ? {} : { base }) };
}
const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
