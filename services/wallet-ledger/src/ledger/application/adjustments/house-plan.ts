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
