/**
 * Hash of a set of resting orders, updated by one operation: the same call adds and removes an order. Its parts are
 * mixed and combined by exclusive or, so the order of the calls does not matter; the sequence of each order represents
 * its time priority.
 */
export class RollingHash {
  private a = 0;
  private b = 0;

  /** Adds an order, or removes it if it was added. */
  toggle(side: number, price: number, sequence: number, remaining: number): void {
    const low = mix(mix(mix(0x811c9dc5 ^ side, price), sequence), remaining);
    this.a ^= mix(low, Math.floor(remaining / 0x1_0000_0000));
    this.b ^= mix(mix(low ^ 0x5bd1e995, Math.floor(sequence / 0x1_0000_0000)), price);
  }

  text(): string {
    return [this.a, this.b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

/** One round of a 32-bit finalizer over the state and the low 32 bits of a number. */
function mix(state: number, value: number): number {
  let mixed = Math.imul(state ^ value, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
