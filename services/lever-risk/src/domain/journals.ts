import { available, held, type Leg } from '@bourse/events';
import type { LedgerOrder } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import type { OvernightCharge } from './overnight-fees.js';
import { holdOf, wholeOf, type Position } from './position.js';
import type { Settled } from './settlement.js';

/*
 * The journals of rules §3. Each id derives from the position and its transition, so that it is booked once
 * (invariants §2.1).
 */

type LedgerAccount = Leg['from'];

/** Collects the legs of one position; a leg of 0 is omitted. */
class Legs {
  readonly all: Leg[] = [];
  constructor(private readonly position: Pick<Position, 'quote' | 'scales'>) {}

  add(from: LedgerAccount, to: LedgerAccount, units: bigint, more: Partial<Leg> = {}): this {
    const amount = formatUnits(units, this.position.scales.quoteScale);
    if (units > 0n) this.all.push({ from, to, currency: this.position.quote, amount, ...more });
    return this;
  }
}

const FEE = { fee: true } as const;
const freeBalance = ({ userId }: Pick<Position, 'userId'>): LedgerAccount => available(userId, 'lever');
const heldMargin = (position: Pick<Position, 'id' | 'partOf' | 'userId'>): LedgerAccount =>
  held(position.userId, 'lever', holdOf(wholeOf(position)));
const journal = (id: string, transition: string, legs: readonly Leg[]): LedgerOrder['journals'][number] => ({
  id: `${holdOf(id)}:${transition}`,
  causeType: 'lever',
  causeId: id,
  legs: [...legs],
});
const orderOf = (
  { userId }: Pick<Position, 'userId'>,
  journals: LedgerOrder['journals'],
  onBehalfOf: number | null = null,
): LedgerOrder => ({ issuer: 'lever-risk', userId, onBehalfOf, journals });

/** Margin and fee of a market position: on behalf of its owner, so the ledger refuses it without the balance. */
export const openOrder = (position: Position): LedgerOrder => {
  const legs = new Legs(position)
    .add(freeBalance(position), heldMargin(position), position.margin)
    .add(freeBalance(position), 'h.fees', position.fee, FEE);
  return orderOf(position, [journal(position.id, 'open', legs.all)], position.userId);
};

/** Holds margin and fee of a trigger order. */
export const triggerOrder = (position: Position): LedgerOrder => {
  const legs = new Legs(position).add(freeBalance(position), heldMargin(position), position.margin + position.fee);
  return orderOf(position, [journal(position.id, 'entrust', legs.all)], position.userId);
};

/** A trigger order opens: its fee leaves the hold. */
export const openedOrder = (position: Position): LedgerOrder => {
  const legs = new Legs(position).add(heldMargin(position), 'h.fees', position.fee, FEE);
  return orderOf(position, [journal(position.id, 'opened', legs.all)]);
};

/** A trigger order is cancelled: its hold is released. */
export const revokeOrder = (position: Position): LedgerOrder => {
  const legs = new Legs(position).add(heldMargin(position), freeBalance(position), position.margin + position.fee);
  return orderOf(position, [journal(position.id, 'revoke', legs.all)]);
};

const overnightFeeJournal = (
  position: Position,
  { day, fromMargin }: OvernightCharge,
): LedgerOrder['journals'][number] =>
  journal(
    wholeOf(position),
    `night:${day}`,
    new Legs(position).add(heldMargin(position), 'h.fees', fromMargin, FEE).all,
  );

/** The part of an overnight fee that the margin pays. */
export const overnightFeeOrder = (position: Position, charge: OvernightCharge): LedgerOrder =>
  orderOf(position, [overnightFeeJournal(position, charge)]);

const unpaidFeeJournal = (position: Position, paid: bigint, settlement: string): LedgerOrder['journals'][number] =>
  journal(position.id, `rest:${settlement}`, new Legs(position).add(freeBalance(position), 'h.fees', paid, FEE).all);

/** Unpaid overnight fees that the balance pays. `settlement` makes the ids unique. */
export const unpaidFeeOrder = (
  owner: Pick<Position, 'userId'>,
  parts: readonly { readonly position: Position; readonly paid: bigint }[],
  settlement: string,
): LedgerOrder =>
  orderOf(
    owner,
    parts.filter(({ paid }) => paid > 0n).map(({ position, paid }) => unpaidFeeJournal(position, paid, settlement)),
  );

/**
 * Closes positions of one user in one settlement: first the overnight fees that no timer has charged and those still
 * unpaid, then for each position its margin back, its gain from the house or its loss to it, its shortfall from the
 * fund.
 * @param settlement makes the ids unique
 * @param overnightCharges by position
 */
export const closeOrder = (
  settled: readonly Settled[],
  settlement: string,
  overnightCharges: ReadonlyMap<string, readonly OvernightCharge[]> = new Map(),
): LedgerOrder => {
  const [first] = settled;
  if (!first) throw new Error('invariant: a settlement closes something');
  return orderOf(first.position, [
    ...settled.flatMap(({ position }) =>
      (overnightCharges.get(wholeOf(position)) ?? [])
        .filter(({ fromMargin }) => fromMargin > 0n)
        .map((charge) => overnightFeeJournal(position, charge)),
    ),
    ...settled
      .filter(({ overnightFee }) => overnightFee > 0n)
      .map(({ position, overnightFee }) => unpaidFeeJournal(position, overnightFee, settlement)),
    ...settled.map(({ position, gain, loss, shortfall }) =>
      journal(
        position.id,
        'close',
        new Legs(position)
          .add(heldMargin(position), freeBalance(position), position.margin)
          .add('h.lever', freeBalance(position), gain)
          .add(freeBalance(position), 'h.lever', loss)
          .add('h.lever_fund', 'h.lever', shortfall).all,
      ),
    ),
  ]);
};
