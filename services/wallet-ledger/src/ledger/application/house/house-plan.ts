import { divide } from '@bourse/money';

export interface PartitionUnits {
  readonly partition: number;
  readonly units: bigint;
}

/**
 * Which purse gives how much of an amount that leaves a house account: each in proportion to what it has, so that none
 * runs dry first. Null: together they have less.
 */
export function planMove(purses: readonly PartitionUnits[], amount: bigint): PartitionUnits[] | null {
  const full = purses.filter(({ units }) => units > 0n);
  const whole = full.reduce((sum, { units }) => sum + units, 0n);
  if (whole < amount) return null;
  const shares = full.map(({ partition, units }) => ({
    partition,
    units: divide(amount * units, whole, 'down'),
    left: units - divide(amount * units, whole, 'down'),
  }));
  let rest = amount - shares.reduce((sum, { units }) => sum + units, 0n);
  for (const share of shares) {
    const more = rest < share.left ? rest : share.left;
    share.units += more;
    rest -= more;
  }
  return shares.filter(({ units }) => units > 0n).map(({ partition, units }) => ({ partition, units }));
}

/** Shares of an amount that comes from outside, one a partition, so that each may pay; the first has the odd units. */
export function planSpread(partitions: number, amount: bigint): PartitionUnits[] {
  const share = divide(amount, BigInt(partitions), 'down');
  const first = amount - share * BigInt(partitions - 1);
  return Array.from({ length: partitions }, (_, partition) => ({
    partition,
    units: partition === 0 ? first : share,
  })).filter(({ units }) => units > 0n);
}

/** Money of one account of the house that goes from the purse of one partition to that of another. */
export interface PurseMove {
  readonly from: number;
  readonly to: number;
  readonly units: bigint;
}

/**
 * Evens out the purses of an account, one a partition: who has less than half of an equal share gets up to the share
 * from those who have more than it, the fullest first. Nothing moves while each has half of its share, so that ordinary
 * business causes no journals, nor while an equal share is less than `least`: so little is brought to where it is asked
 * for instead.
 */
export function planEven(purses: readonly PartitionUnits[], least = 1n): PurseMove[] {
  const share = divide(
    purses.reduce((sum, { units }) => sum + units, 0n),
    BigInt(Math.max(1, purses.length)),
    'down',
  );
  if (share <= 0n || share < least) return [];
  const givers = purses
    .filter(({ units }) => units > share)
    .map(({ partition, units }) => ({ partition, spare: units - share }))
    .sort((a, b) => (a.spare < b.spare ? 1 : a.spare > b.spare ? -1 : a.partition - b.partition));
  const moves: PurseMove[] = [];
  for (const { partition: to, units: has } of purses) {
    if (has * 2n >= share) continue;
    for (let wanted = share - has; wanted > 0n;) {
      const giver = givers.find(({ spare }) => spare > 0n);
      if (!giver) break;
      const units = giver.spare < wanted ? giver.spare : wanted;
      moves.push({ from: giver.partition, to, units });
      giver.spare -= units;
      wanted -= units;
    }
  }
  return moves;
}

/** What the purse of a partition is to have, to pay what it was short of. */
export interface Wanted {
  readonly partition: number;
  readonly units: bigint;
}

/**
 * What purses send to those that were short, as far as it goes: one after the other, and none gives what it was short
 * of itself. Whoever cannot be given all of it is given nothing, so that the money is enough for another.
 */
export function planBringAll(purses: readonly PartitionUnits[], wanted: readonly Wanted[]): PurseMove[] {
  const keeps = new Map(wanted.map(({ partition, units }) => [partition, units]));
  const has = new Map(purses.map(({ partition, units }) => [partition, units]));
  const moves: PurseMove[] = [];
  for (const { partition: to, units } of wanted) {
    const spare = purses.map(({ partition }) => {
      const left = has.get(partition) ?? 0n;
      const kept = partition === to ? 0n : (keeps.get(partition) ?? 0n);
      // Who does not have all of what it is to keep cannot pay with it either.
      return { partition, units: left < kept && partition !== to ? left : left - kept };
    });
    const own = planBring(spare, to, units) ?? [];
    for (const { from, units: brought } of own) {
      has.set(from, (has.get(from) ?? 0n) - brought);
      has.set(to, (has.get(to) ?? 0n) + brought);
    }
    moves.push(...own);
  }
  return moves;
}

/** What the other purses send to one that is to have so much. Null: together they have less. */
export function planBring(purses: readonly PartitionUnits[], to: number, amount: bigint): PurseMove[] | null {
  const has = purses.find(({ partition }) => partition === to)?.units ?? 0n;
  if (has >= amount) return [];
  const shares = planMove(
    purses.filter(({ partition }) => partition !== to),
    amount - has,
  );
  return shares && shares.map(({ partition, units }) => ({ from: partition, to, units }));
}
