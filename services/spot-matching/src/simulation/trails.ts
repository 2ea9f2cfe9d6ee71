import { BUY, isWaiting } from '@bourse/matching';
import type { StoredOrder, StoredTrade } from './engine-store.js';

/** The trigger of a trailing stop after the trades since it arrived, and whether one of them has triggered it. */
function followed({ side, trail }: StoredOrder, prices: readonly number[]): { trigger: number; isHit: boolean } {
  if (!trail) throw new Error('invariant: only a trailing stop has a trail');
  const seen: number[] = trail.reference > 0 ? [trail.reference] : [];
  const trigger = (): number => {
    if (seen.length === 0) return 0;
    const best = side === BUY ? Math.min(...seen) : Math.max(...seen);
    if (trail.amount > 0) return side === BUY ? best + trail.amount : best - trail.amount;
    const whole = 10_000n;
    const [at, percent] = [BigInt(best), BigInt(trail.percent)];
    return Number(side === BUY ? (at * (whole + percent) + whole - 1n) / whole : (at * (whole - percent)) / whole);
  };
  for (const price of prices) {
    const now = trigger();
    if (now > 0 && (side === BUY ? price >= now : price <= now)) return { trigger: now, isHit: true };
    const isActive = seen.length > 0 || (side === BUY ? price <= trail.activation : price >= trail.activation);
    if (isActive) seen.push(price);
  }
  return { trigger: trigger(), isHit: false };
}

/** I5: each trailing stop has the trigger that its market's trades make, and has started at the first one beyond it. */
export function checkTrails(orders: readonly StoredOrder[], trades: readonly StoredTrade[]): string[] {
  const problems: string[] = [];
  for (const order of orders) {
    const { id, symbol, trail, stopPrice, triggered } = order;
    // One that has ended before it started is followed by trades that no longer count for it.
    if (!trail || !(triggered || isWaiting(order))) continue;
    const prices = trades
      .filter((trade) => trade.symbol === symbol && trade.sequence >= trail.since)
      .sort((a, b) => a.sequence - b.sequence)
      .map(({ price }) => price);
    const { trigger, isHit } = followed(order, prices);
    if (isHit !== triggered) problems.push(`I5 trailing stop ${id} is ${triggered ? '' : 'not '}started by its trades`);
    if (trigger !== stopPrice)
      problems.push(`I5 trailing stop ${id} has trigger ${stopPrice}, its trades make ${trigger}`);
  }
  return problems;
}
