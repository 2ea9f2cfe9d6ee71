/**
 * The kinds of data deleted after a time, by the name in `RETENTION_DAYS`. The audit trail, journals and orders are
 * kept for good.
 */
export const RETAINED = [
  'codes',
  'failures',
  'sessions',
  'devices',
  'letters',
  'api_keys',
  'approvals',
  'kyc_pictures',
  'unused_uploads',
  'ticks',
] as const;
export type Retained = (typeof RETAINED)[number];

/** Days, counted from the end of the data's purpose (docs/data-keys.md). */
export const RETENTION_DEFAULT_DAYS: Readonly<Record<Retained, number>> = {
  codes: 2,
  failures: 2,
  sessions: 2,
  devices: 400,
  letters: 30,
  api_keys: 90,
  approvals: 730,
  // Five years after the decision, as rules against money laundering ask in most places.
  kyc_pictures: 1_826,
  unused_uploads: 1,
  // Prices for public verification; the ones that decided an order stay with its receipt.
  ticks: 14,
};

const DAY_MS = 24 * 3_600_000;
/** The time before which data of a kind is deleted; `now` and the result in ms. */
export const keptSince = (days: Readonly<Record<Retained, number>>, what: Retained, now: number): number =>
  now - days[what] * DAY_MS;
