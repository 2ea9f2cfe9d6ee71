import { equityOf, HUNDRED_PERCENT, isBurst, type LeverAccount } from '@bourse/formulas';
import { divide, pow10 } from '@bourse/money';
import { accountOf, burstOf, type Marks } from './account.js';
import type { Guard } from './guards.js';
import { CLOSED_BY, STATUS, type ClosedBy, type Position } from './position.js';

/** What the prices ask for: touch orders that open, positions that close, and why. */
export interface Due {
  readonly opens: readonly Position[];
  readonly closes: readonly { readonly position: Position; readonly by: ClosedBy }[];
}

/** A pair's prices that are too old for a purpose are not in the map that is given for it. */
export interface FreshMarks {
  /** At most 5 s old: by these touch orders open, targets and stops close. */
  readonly trading: Marks;
  /** At most 10 s old: by these accounts are liquidated. */
  readonly liquidating: Marks;
}

const isLong = ({ direction }: Pick<Position, 'direction'>): boolean => direction === 'long';

/** Whether the market has touched the price of an order: long at or below, short at or above (rules §3). */
export const isTouched = (position: Position, mark: bigint): boolean =>
  isLong(position) ? mark <= position.originPrice : mark >= position.originPrice;

/** Which of its own prices closes a position at this mark. */
export function stopReached(position: Position, mark: bigint): ClosedBy | null {
  const [target, stop] = isLong(position)
    ? [mark >= position.target, mark <= position.stop]
    : [mark <= position.target, mark >= position.stop];
  if (position.stop !== 0n && stop) return CLOSED_BY.stop;
  return position.target !== 0n && target ? CLOSED_BY.target : null;
}

/**
 * Whether an account is to be liquidated: its exact rate has come to what it may not reach. Without a fresh price for
 * each pair in which it has positions nothing is known of it, and nothing is done (rules §3). `account`: where it was
 * counted before, at the same marks.
 */
export function isBurstAt(
  balance: bigint,
  positions: readonly Position[],
  marks: Marks,
  burst: bigint,
  account?: LeverAccount,
): boolean {
  for (const { status, pairId } of positions) if (status === STATUS.open && !marks.has(pairId)) return false;
  return isBurst(account ?? accountOf(balance, positions, marks), burstOf(positions, burst));
}

/**
 * What happens to an account at these prices. Liquidation goes before everything else: it closes all (rules §3).
 * `account` as for `isBurstAt`.
 */
export function dueAt(
  balance: bigint,
  positions: readonly Position[],
  marks: FreshMarks,
  burst: bigint,
  account?: LeverAccount,
): Due {
  const open = positions.filter(({ status }) => status === STATUS.open);
  if (isBurstAt(balance, positions, marks.liquidating, burst, account))
    return { opens: [], closes: open.map((position) => ({ position, by: CLOSED_BY.burst })) };
  const closes = open.flatMap((position) => {
    const mark = marks.trading.get(position.pairId);
    const by = mark === undefined ? null : stopReached(position, mark);
    return by === null ? [] : [{ position, by }];
  });
  const opens = positions.filter((position) => {
    const mark = marks.trading.get(position.pairId);
    return position.status === STATUS.pending && mark !== undefined && isTouched(position, mark);
  });
  return { opens, closes };
}

/**
 * How far the price of a pair may move before anything can happen to an account: the nearest of the prices that its
 * orders and stops name, and a bound of its liquidation. With k pairs that it has positions in, the equity that may be
 * lost is shared out among them in k parts: while no pair has lost its part, all of them together have not lost the
 * whole, and the account stands. `null`: the price of a pair with a position is not known, so any price may matter.
 */
export function guardsOf(
  balance: bigint,
  positions: readonly Position[],
  marks: Marks,
  burst: bigint,
  account?: LeverAccount,
): ReadonlyMap<number, Guard> | null {
  const guards = new Map<number, { below: bigint | null; above: bigint | null }>();
  const at = (pairId: number): { below: bigint | null; above: bigint | null } => {
    const known = guards.get(pairId) ?? { below: null, above: null };
    guards.set(pairId, known);
    return known;
  };
  const below = (pairId: number, price: bigint): void => {
    const guard = at(pairId);
    if (guard.below === null || price > guard.below) guard.below = price;
  };
  const above = (pairId: number, price: bigint): void => {
    const guard = at(pairId);
    if (guard.above === null || price < guard.above) guard.above = price;
  };
  const slopes = new Map<number, { lots: bigint; position: Position }>();
  for (const position of positions) {
    const { pairId, status, target, stop } = position;
    const [adverse, favourable] = isLong(position) ? [below, above] : [above, below];
    if (status === STATUS.pending) adverse(pairId, position.originPrice);
    if (status !== STATUS.open) continue;
    if (stop !== 0n) adverse(pairId, stop);
    if (target !== 0n) favourable(pairId, target);
    if (!marks.has(pairId)) return null;
    const slope = slopes.get(pairId)?.lots ?? 0n;
    slopes.set(pairId, { lots: slope + (isLong(position) ? position.lots : -position.lots), position });
  }
  if (slopes.size > 0)
    addLiquidation(account ?? accountOf(balance, positions, marks), positions, marks, burst, slopes, { below, above });
  return guards;
}

/** Rounding loses at most one unit a position, and one more in what is shown of it. */
function addLiquidation(
  account: LeverAccount,
  positions: readonly Position[],
  marks: Marks,
  burst: bigint,
  slopes: ReadonlyMap<number, { readonly lots: bigint; readonly position: Position }>,
  { below, above }: Record<'below' | 'above', (pairId: number, price: bigint) => void>,
): void {
  const wanted = divide(account.originCaution * burstOf(positions, burst), HUNDRED_PERCENT, 'ceiling');
  const spare = equityOf(account) - wanted - BigInt(positions.length);
  for (const [pairId, { lots, position }] of slopes) {
    if (lots === 0n) continue;
    const mark = marks.get(pairId)!;
    const { priceScale, numberScale, quoteScale } = position.scales;
    const size = lots < 0n ? -lots : lots;
    const ticks = divide(
      spare * pow10(priceScale + numberScale),
      size * BigInt(slopes.size) * pow10(quoteScale),
      'floor',
    );
    if (lots > 0n) below(pairId, mark - ticks);
    else above(pairId, mark + ticks);
  }
}
