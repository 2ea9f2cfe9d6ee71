/** Money of the house is moved, by a sweep or to the cold wallet, only if it is worth this many network fees. */
export const WORTH_FEES = 10n;
