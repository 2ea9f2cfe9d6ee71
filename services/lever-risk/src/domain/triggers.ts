import { equityOf, HUNDRED_PERCENT, isLiquidated, type LeverAccount } from '@bourse/formulas';
import { divide, pow10 } from '@bourse/money';
import { accountOf, liquidationRateOf, type Marks } from './account.js';
import type { Guard } from './guards.js';
import { CLOSED_BY, neededHold, STATUS, type ClosedBy, type Position } from './position.js';

/** The actions that the prices demand: trigger orders that open, positions that close with their reason. */
export interface Due {
  readonly opens: readonly Position[];
  readonly closes: readonly { readonly position: Position; readonly by: ClosedBy }[];
}

/** Prices by purpose; a price that is too old for a purpose is not in its map. */
export interface FreshMarks {
  /** At most 5 s old: for trigger orders, targets and stops. */
  readonly trading: Marks;
  /** At most 10 s old: for liquidation. */
  readonly liquidating: Marks;
}

const isLong = ({ direction }: Pick<Position, 'direction'>): boolean => direction === 'long';

/** Whether the mark has reached the trigger price: long at or below it, short at or above it (rules §3). */
export const isTriggered = (position: Position, mark: bigint): boolean =>
  isLong(position) ? mark <= position.originPrice : mark >= position.originPrice;

/** Whether the stop or the target of a position closes it at this mark. */
export function stopReached(position: Position, mark: bigint): ClosedBy | null {
  const [target, stop] = isLong(position)
    ? [mark >= position.target, mark <= position.stop]
    : [mark <= position.target, mark >= position.stop];
  if (position.stop !== 0n && stop) return CLOSED_BY.stop;
  return position.target !== 0n && target ? CLOSED_BY.target : null;
}

/**
 * Whether an account must be liquidated: its exact margin ratio is at the liquidation rate or below. False if any pair
 * with an open position has no fresh price (rules §3).
 * @param account the same account already computed at the same marks, if the caller has it
 */
export function isLiquidatedAt(
  balance: bigint,
  positions: readonly Position[],
  marks: Marks,
  liquidationRate: bigint,
  account?: LeverAccount,
): boolean {
  for (const { status, pairId } of positions) if (status === STATUS.open && !marks.has(pairId)) return false;
  return isLiquidated(account ?? accountOf(balance, positions, marks), liquidationRateOf(positions, liquidationRate));
}

/**
 * The actions that these prices demand of an account. Liquidation comes first and closes all positions (rules §3).
 * @param account as for `isLiquidatedAt`
 */
export function dueAt(
  balance: bigint,
  positions: readonly Position[],
  marks: FreshMarks,
  liquidationRate: bigint,
  account?: LeverAccount,
): Due {
  const open = positions.filter(({ status }) => status === STATUS.open);
  if (isLiquidatedAt(balance, positions, marks.liquidating, liquidationRate, account))
    return { opens: [], closes: open.map((position) => ({ position, by: CLOSED_BY.liquidation })) };
  const closes = open.flatMap((position) => {
    const mark = marks.trading.get(position.pairId);
    const by = mark === undefined ? null : stopReached(position, mark);
    return by === null ? [] : [{ position, by }];
  });
  const opens = positions.filter((position) => {
    const mark = marks.trading.get(position.pairId);
    return position.status === STATUS.pending && mark !== undefined && isTriggered(position, mark);
  });
  return { opens, closes };
}

/** Balance and positions of one user and quote. */
interface Account {
  readonly balance: bigint;
  readonly positions: readonly Position[];
}

/**
 * The part of an account that the prices of an earlier tick may judge: what its owner did after that tick was judged by
 * later prices. Left out are positions and orders that the tick did not find in their present state, and targets and
 * stops with another price than at the tick. Money that positions made later hold counts as balance.
 * @param known the positions of the account at the tick
 */
export function asOfTick(known: readonly Position[], { balance, positions }: Account): Account {
  const before = new Map(known.map((position) => [position.id, position]));
  let free = balance;
  const judged: Position[] = [];
  for (const position of positions) {
    const old = before.get(position.id);
    if (!old) free += neededHold(position);
    else if (old.status === position.status) {
      const target = old.target === position.target ? position.target : 0n;
      const stop = old.stop === position.stop ? position.stop : 0n;
      judged.push({ ...position, target, stop });
    }
  }
  return { balance: free, positions: judged };
}

/**
 * How far the price of each pair may move before an account must act: the nearest trigger, stop or target price, and a
 * bound of its liquidation price. The equity that may be lost is divided among the k pairs with positions: while no
 * pair has lost its part, all together have not lost the whole, and the account is not liquidated.
 * @returns null if a pair with a position has no price, so that any price may matter
 */
export function guardsOf(
  balance: bigint,
  positions: readonly Position[],
  marks: Marks,
  liquidationRate: bigint,
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
    addLiquidation(account ?? accountOf(balance, positions, marks), positions, marks, liquidationRate, slopes, {
      below,
      above,
    });
  return guards;
}

/** Rounding costs at most one unit per position, hence the margin of safety in `spare`. */
function addLiquidation(
  account: LeverAccount,
  positions: readonly Position[],
  marks: Marks,
  liquidationRate: bigint,
  slopes: ReadonlyMap<number, { readonly lots: bigint; readonly position: Position }>,
  { below, above }: Record<'below' | 'above', (pairId: number, price: bigint) => void>,
): void {
  const wanted = divide(
    account.initialMargin * liquidationRateOf(positions, liquidationRate),
    HUNDRED_PERCENT,
    'ceiling',
  );
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
