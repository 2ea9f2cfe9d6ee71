import { Default, wordReader } from '@bourse/platform';
import { EQUITY_DAYS_MAX } from './equity-history.js';

/* Fields of the calls about balances, each class in the order of rules §12.9. */

/** Days of an equity curve. */
const EQUITY_DAYS = { 7: 7, 30: 30, 90: 90, 365: EQUITY_DAYS_MAX } as const;
export class EquityQuery {
  @Default<number>(30, wordReader(EQUITY_DAYS, {})) days!: number;
}
