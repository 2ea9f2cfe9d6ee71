/** Odd, so that multiplying by it is one to one modulo 2^32 (Knuth's multiplicative hash). */
const SPREAD = 2_654_435_761n;
const FIRST = 1_000_003n;
const TAGS = 2n ** 32n;

/** Destination tag of the n-th person: unique, with neighbours far apart, so that a mistyped tag belongs to nobody. */
export const tagOf = (index: number): string => (((BigInt(index) + FIRST) * SPREAD) % TAGS).toString();
