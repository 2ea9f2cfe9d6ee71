/** Known facts about a withdrawal under review. Times are business time, ms; null: none is known. */
export interface WithdrawalFacts {
  readonly requestedAt: number;
  /** Paid withdrawals of the person before this one, and those of them to the same address and memo. */
  readonly earlier: number;
  readonly earlierToAddress: number;
  /** Other people with withdrawals to the same address and memo. */
  readonly othersToAddress: readonly number[];
  /** The last deposit of the coin that was credited before the request. */
  readonly lastDepositAt: number | null;
  readonly registeredAt: number;
  /** The last time that a further device signed in for the first time. */
  readonly newDeviceAt: number | null;
  readonly contactChangedAt: number | null;
  /** Other accounts with the same id number, mailbox or telephone. */
  readonly sharedWith: readonly number[];
}

/** Hints for operators, the most serious first. */
export const RISK_HINTS = [
  'shared_address',
  'shared_identity',
  'new_device',
  'contact_changed',
  'first_withdrawal',
  'new_address',
  'fresh_deposit',
  'young_account',
] as const;
export type RiskHint = (typeof RISK_HINTS)[number];

const DAY_MS = 86_400_000;
/** A device, a contact or an account is new for this long. */
const NEW_MS = 7 * DAY_MS;
/** A deposit is fresh for this long. */
const FRESH_MS = DAY_MS;

const RULES: Readonly<Record<RiskHint, (facts: WithdrawalFacts) => boolean>> = {
  shared_address: ({ othersToAddress }) => othersToAddress.length > 0,
  shared_identity: ({ sharedWith }) => sharedWith.length > 0,
  new_device: ({ newDeviceAt, requestedAt }) => isWithin(newDeviceAt, requestedAt, NEW_MS),
  contact_changed: ({ contactChangedAt, requestedAt }) => isWithin(contactChangedAt, requestedAt, NEW_MS),
  first_withdrawal: ({ earlier }) => earlier === 0,
  new_address: ({ earlier, earlierToAddress }) => earlier > 0 && earlierToAddress === 0,
  fresh_deposit: ({ lastDepositAt, requestedAt }) => isWithin(lastDepositAt, requestedAt, FRESH_MS),
  young_account: ({ registeredAt, requestedAt }) => isWithin(registeredAt, requestedAt, NEW_MS),
};

/** Whether it happened after the beginning of a span that ends at the request; later than the request counts too. */
const isWithin = (at: number | null, requestedAt: number, span: number): boolean =>
  at !== null && at > requestedAt - span;

/** The hints that follow from the facts of a withdrawal; none is decided by anything else. */
export const riskHints = (facts: WithdrawalFacts): readonly RiskHint[] =>
  RISK_HINTS.filter((hint) => RULES[hint](facts));
