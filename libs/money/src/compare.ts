/** The smaller of two amounts. */
export const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The larger of two amounts. */
export const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);
