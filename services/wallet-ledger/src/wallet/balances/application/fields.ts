import { Default, wordReader } from '@bourse/platform';
import { EQUITY_DAYS_MAX } from './equity-history.js';

/*
 * Fields of the wallet's calls (api §2.2, §2.12, §2.13, §3), each class in the order of rules §12.9. Fields that are
 * checked after the coin or its networks are `late`.
 */

/** Days of an equity curve. */
const EQUITY_DAYS = { 7: 7, 30: 30, 90: 90, 365: EQUITY_DAYS_MAX } as const;
export class EquityQuery {
  @Default<number>(30, wordReader(EQUITY_DAYS, {})) days!: number;
}
