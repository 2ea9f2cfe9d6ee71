import type { AccountState, HoldState, Outcome, Posting } from './journal.js';

/**
 * The ledger of one partition: decides postings one after another. Two implementations pass one suite
 * (`ledger-suite.ts`).
 */
export interface Ledger {
  /** Applies all journals of a posting and returns the entries of each account, or refuses and changes nothing. */
  post(posting: Posting): Outcome;
  accounts(): Iterable<AccountState>;
  holds(): Iterable<HoldState>;
}
