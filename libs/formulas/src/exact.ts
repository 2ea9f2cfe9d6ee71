import { Decimal } from 'decimal.js';

/**
 * decimal.js with a precision that no sum or product of stored amounts can exceed: its default of 20 digits loses units
 * in silence (invariants §1.1). For formulas at the edges; the ledger and the book count in units.
 */
export const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -200, toExpPos: 200 });
export type Exact = InstanceType<typeof Exact>;
