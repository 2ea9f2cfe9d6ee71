import { divide, minOf } from '@bourse/money';

export interface PartitionUnits {
  readonly partition: number;
  readonly units: bigint;
}

/**
 * How much each partition pays of an amount that leaves a house account: in proportion to what it has, so that none
 * runs dry first. Null: together they have less.
 */
export function planWithdrawal(balances: readonly PartitionUnits[], amount: bigint): PartitionUnits[] | null {
  const full = balances.filter(({ units }) => units > 0n);
  const whole = sumOf(full);
  if (whole < amount) return null;
  const shares = full.map(({ partition, units }) => ({
    partition,
    units: divide(amount * units, whole, 'down'),
    left: units - divide(amount * units, whole, 'down'),
  }));
  let rest = amount - sumOf(shares);
  for (const share of shares) {
    const more = minOf(rest, share.left);
    share.units += more;
    rest -= more;
  }
  return shares.filter(({ units }) => units > 0n).map(({ partition, units }) => ({ partition, units }));
}

/** Equal shares of an amount that comes from outside, one for each partition; the first gets the odd units. */
export function planDistribution(partitions: number, amount: bigint): PartitionUnits[] {
  const share = divide(amount, BigInt(partitions), 'down');
  const first = amount - share * BigInt(partitions - 1);
  return Array.from({ length: partitions }, (_, partition) => ({
    partition,
    units: partition === 0 ? first : share,
  })).filter(({ units }) => units > 0n);
}

/** Money of one house account that is transferred from one partition to another. */
export interface PartitionTransfer {
  readonly from: number;
  readonly to: number;
  readonly units: bigint;
  /** Beyond what a payment needs: a command of its own, so that the needed one is booked where this is refused. */
  readonly isReserve?: boolean;
}

/**
 * Rebalances a house account over its partitions: one that has less than half of an equal share gets the rest of the
 * share from those that have more than it, the fullest first. Nothing is transferred while each has half of its share,
 * so that ordinary business causes no journals, nor while an equal share is less than `least`: so little is transferred
 * only on request (`planTopUps`).
 */
export function planRebalance(balances: readonly PartitionUnits[], least = 1n): PartitionTransfer[] {
  const share = divide(sumOf(balances), BigInt(Math.max(1, balances.length)), 'down');
  if (share <= 0n || share < least) return [];
  const givers = fullestFirst(balances)
    .filter(({ units }) => units > share)
    .map(({ partition, units }) => ({ partition, spare: units - share }));
  return balances.flatMap(({ partition, units }) =>
    units * 2n >= share ? [] : collectUnits(givers, partition, share - units),
  );
}

/** The units that a partition lacks for a payment. */
export interface TopUp {
  readonly partition: number;
  readonly units: bigint;
}

/**
 * The transfers that fill the top-ups in their order, as far as the money goes. No partition gives what it needs,
 * and one that cannot get all of its amount gets nothing, so that the money can fill another. A filled partition also
 * gets an equal share of what no payment needs: smaller payments that it makes before the retry must not leave it short
 * again [HOUSE-015].
 */
export function planTopUps(balances: readonly PartitionUnits[], topUps: readonly TopUp[]): PartitionTransfer[] {
  const kept = new Map(topUps.map(({ partition, units }) => [partition, units]));
  const has = new Map(balances.map(({ partition, units }) => [partition, units]));
  const transfers: PartitionTransfer[] = [];
  const make = (planned: readonly PartitionTransfer[]): void => {
    for (const { from, to, units } of planned) {
      has.set(from, (has.get(from) ?? 0n) - units);
      has.set(to, (has.get(to) ?? 0n) + units);
    }
    transfers.push(...planned);
  };
  for (const { partition: to, units } of topUps) {
    const spare = balances.map(({ partition }) => {
      const left = has.get(partition) ?? 0n;
      const needed = partition === to ? 0n : (kept.get(partition) ?? 0n);
      // A partition that has only a part of what it needs cannot pay with it, so it may give that part away.
      return { partition, units: left < needed && partition !== to ? left : left - needed };
    });
    make(planTopUp(spare, to, units) ?? []);
  }
  const filled = new Set(transfers.map(({ to }) => to));
  const spares = balances.map(({ partition }) => {
    const [left, needed] = [has.get(partition) ?? 0n, kept.get(partition) ?? 0n];
    return { partition, units: left < needed ? left : left - needed };
  });
  const share = divide(sumOf(spares), BigInt(Math.max(1, balances.length)), 'down');
  const givers = fullestFirst(spares)
    .filter(({ units }) => units > share)
    .map(({ partition, units }) => ({ partition, spare: units - share }));
  for (const { partition, units } of spares)
    if (filled.has(partition) && units < share)
      make(collectUnits(givers, partition, share - units).map((one) => ({ ...one, isReserve: true })));
  return transfers;
}

/**
 * The transfers after which one partition has the amount, from the fullest others, so that as few as possible give.
 * Null: together the others have less than it lacks.
 */
export function planTopUp(balances: readonly PartitionUnits[], to: number, amount: bigint): PartitionTransfer[] | null {
  const lacking = amount - (balances.find(({ partition }) => partition === to)?.units ?? 0n);
  const givers = fullestFirst(balances)
    .filter(({ partition }) => partition !== to)
    .map(({ partition, units }) => ({ partition, spare: units }));
  const transfers = collectUnits(givers, to, lacking);
  return sumOf(transfers) < lacking ? null : transfers;
}

/** The transfers of an amount from these givers in their order, as far as they can spare it, which is taken off. */
function collectUnits(
  givers: readonly { readonly partition: number; spare: bigint }[],
  to: number,
  amount: bigint,
): PartitionTransfer[] {
  const transfers: PartitionTransfer[] = [];
  let lacking = amount;
  for (const giver of givers) {
    const units = minOf(giver.spare, lacking);
    if (units <= 0n) continue;
    transfers.push({ from: giver.partition, to, units });
    giver.spare -= units;
    lacking -= units;
  }
  return transfers;
}

const sumOf = (list: readonly { readonly units: bigint }[]): bigint => list.reduce((sum, { units }) => sum + units, 0n);

const fullestFirst = (balances: readonly PartitionUnits[]): PartitionUnits[] =>
  [...balances].sort((a, b) => (a.units < b.units ? 1 : a.units > b.units ? -1 : a.partition - b.partition));
