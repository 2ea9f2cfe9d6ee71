/** What comes within this time is committed together, ms: sums of the ledger's facts are read by nobody at once. */
export const FACTS_GATHER_MS = 250;
