import { available, held, type Leg } from '@bourse/events';
import type { LedgerOrder } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import type { Night } from './night.js';
import { holdOf, type Position } from './position.js';
import type { Settled } from './settlement.js';

/*
 * The journals of rules §3. Their ids derive from the position and its transition, so that each is booked once
 * (invariants §2.1).
 */

type Purse = Leg['from'];

/** Legs of one position; those of nothing are left out. */
class Legs {
  readonly all: Leg[] = [];
  constructor(private readonly position: Pick<Position, 'quote' | 'scales'>) {}

  add(from: Purse, to: Purse, units: bigint, more: Partial<Leg> = {}): this {
    const amount = formatUnits(units, this.position.scales.quoteScale);
    if (units > 0n) this.all.push({ from, to, currency: this.position.quote, amount, ...more });
    return this;
  }
}

const FEE = { fee: true } as const;
const purse = ({ userId }: Pick<Position, 'userId'>): Purse => available(userId, 'lever');
const margin = ({ id, userId }: Pick<Position, 'id' | 'userId'>): Purse => held(userId, 'lever', holdOf(id));
const journal = (id: string, what: string, legs: readonly Leg[]): LedgerOrder['journals'][number] => ({
  id: `${holdOf(id)}:${what}`,
  causeType: 'lever',
  causeId: id,
  legs: [...legs],
});
const orderOf = (
  { userId }: Pick<Position, 'userId'>,
  journals: LedgerOrder['journals'],
  onBehalfOf: number | null = null,
): LedgerOrder => ({ issuer: 'lever-risk', userId, onBehalfOf, journals });

/** Margin and fee of a position at the market: asked for by its owner, refused without the balance. */
export const openOrder = (position: Position): LedgerOrder => {
  const legs = new Legs(position)
    .add(purse(position), margin(position), position.caution)
    .add(purse(position), 'h.fees', position.fee, FEE);
  return orderOf(position, [journal(position.id, 'open', legs.all)], position.userId);
};

/** Margin and fee of a touch order, both in its hold. */
export const entrustOrder = (position: Position): LedgerOrder => {
  const legs = new Legs(position).add(purse(position), margin(position), position.caution + position.fee);
  return orderOf(position, [journal(position.id, 'entrust', legs.all)], position.userId);
};

/** A touch order opens: its fee leaves the hold. */
export const openedOrder = (position: Position): LedgerOrder => {
  const legs = new Legs(position).add(margin(position), 'h.fees', position.fee, FEE);
  return orderOf(position, [journal(position.id, 'opened', legs.all)]);
};

/** A touch order is taken back: all of its hold is free again. */
export const revokeOrder = (position: Position): LedgerOrder => {
  const legs = new Legs(position).add(margin(position), purse(position), position.caution + position.fee);
  return orderOf(position, [journal(position.id, 'revoke', legs.all)]);
};

const nightJournal = (position: Position, { day, ofCaution }: Night): LedgerOrder['journals'][number] =>
  journal(position.id, `night:${day}`, new Legs(position).add(margin(position), 'h.fees', ofCaution, FEE).all);

/** What the margin pays of a night fee. */
export const nightOrder = (position: Position, night: Night): LedgerOrder =>
  orderOf(position, [nightJournal(position, night)]);

const restJournal = (position: Position, paid: bigint, settlement: string): LedgerOrder['journals'][number] =>
  journal(position.id, `rest:${settlement}`, new Legs(position).add(purse(position), 'h.fees', paid, FEE).all);

/** What the balance pays of night fees that margins did not cover; `settlement` makes the ids unique. */
export const restOrder = (
  owner: Pick<Position, 'userId'>,
  parts: readonly { readonly position: Position; readonly paid: bigint }[],
  settlement: string,
): LedgerOrder =>
  orderOf(
    owner,
    parts.filter(({ paid }) => paid > 0n).map(({ position, paid }) => restJournal(position, paid, settlement)),
  );

/**
 * Closes positions of one person together: nights that no timer has charged and what is owed for nights first, then
 * margin back, gain from the house or loss to it, shortfall from the fund. `nights` by position; `settlement` makes the
 * ids unique.
 */
export const closeOrder = (
  settled: readonly Settled[],
  settlement: string,
  nights: ReadonlyMap<string, readonly Night[]> = new Map(),
): LedgerOrder => {
  const [first] = settled;
  if (!first) throw new Error('invariant: a settlement closes something');
  return orderOf(first.position, [
    ...settled.flatMap(({ position }) =>
      (nights.get(position.id) ?? [])
        .filter(({ ofCaution }) => ofCaution > 0n)
        .map((night) => nightJournal(position, night)),
    ),
    ...settled.filter(({ rest }) => rest > 0n).map(({ position, rest }) => restJournal(position, rest, settlement)),
    ...settled.map(({ position, gain, loss, shortfall }) =>
      journal(
        position.id,
        'close',
        new Legs(position)
          .add(margin(position), purse(position), position.caution)
          .add('h.lever', purse(position), gain)
          .add(purse(position), 'h.lever', loss)
          .add('h.lever_fund', 'h.lever', shortfall).all,
      ),
    ),
  ]);
};
