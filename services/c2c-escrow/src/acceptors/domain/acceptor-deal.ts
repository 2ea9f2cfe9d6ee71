import { PERCENT_SCALE } from '@bourse/formulas';
import { divide, percentOf, pow10, rescale } from '@bourse/money';

/** Scale of an acceptor's cash, and of what people write (rules §7). */
export const CASH_SCALE = 2;
/** Highest rate of an acceptor, in percent. */
export const RATE_MAX = 20n * pow10(PERCENT_SCALE);

/** `buy` deposits: fiat to the acceptor, coins to the person; `sell` withdraws. */
export type AcceptorDealType = 'buy' | 'sell';
export type AcceptorWay = 'ali_pay' | 'we_chat' | 'bank';
/**
 * `asking`: the ledger has not decided about the first hold. `holding`: the person's coins are held, and the acceptor's
 * cash is asked for. Nobody sees a deal before it is `open`. The last two are ends.
 */
export type AcceptorDealState = 'asking' | 'holding' | 'open' | 'confirmed' | 'rejected';
/** How far an open deal has come; it stays as it was when the deal ends. */
export type AcceptorDealStage = 'waiting' | 'transferred' | 'objected';

/**
 * What became of an objection to a withdrawal that was confirmed by time (rules §7). `returning`: finance has decided
 * for the person, and the ledger is asked for the coins. The last two are ends: for the acceptor, and for the person.
 */
export type AcceptorDispute = 'none' | 'open' | 'returning' | 'kept' | 'returned';

/** What was agreed: nothing changes it later. */
export interface AcceptorTerms {
  readonly id: string;
  readonly type: AcceptorDealType;
  readonly userId: number;
  /** The acceptor as a person, and the name that the person was shown. */
  readonly acceptorId: number;
  readonly acceptorName: string;
  readonly currencyId: number;
  /** Of the coin. */
  readonly scale: number;
  /** What is paid in: fiat of a deposit, in cents; coins of a withdrawal, in cents too. */
  readonly money: bigint;
  /** What is paid out: coins of a deposit at the coin's scale, fiat of a withdrawal in cents. */
  readonly received: bigint;
  readonly way: AcceptorWay;
  /** Phone and accounts of both sides, copied when it was asked for and sealed. */
  readonly facts: string;
  /** After how long a silent acceptor is given up, and a transfer counts as received, ms. */
  readonly silentMs: number;
  readonly autoMs: number;
}
export interface AcceptorDeal extends AcceptorTerms {
  readonly state: AcceptorDealState;
  readonly stage: AcceptorDealStage;
  /** Names of pictures: the acceptor's proof, and what the person has objected with. */
  readonly proof: string;
  readonly evidence: string;
  /** As it was written; or the key of the words, where the exchange itself has decided. */
  readonly reason: string;
  readonly reasonKey: string;
  /** When a transfer was taken as received by time, business ms; null: it was not. */
  readonly autoAt: number | null;
  readonly dispute: AcceptorDispute;
  /** Coins of a return that the acceptor had not, at the coin's scale: the house has paid them. */
  readonly missing: bigint;
  /** When it moves on by itself, business ms; null: never. */
  readonly dueAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What is paid out for `money`, at its own scale: the rate's part stays with the acceptor, up by at most one unit. */
export const calculateReceived = (money: bigint, rate: bigint): bigint =>
  money - percentOf(money, rate, PERCENT_SCALE, 'up');

/** The most that can be paid in, in cents, where so much of what is paid out is left; rounded down. */
export function calculateMaxMoney(left: bigint, scale: number, rate: bigint): bigint {
  const hundred = 100n * pow10(PERCENT_SCALE);
  return rescale(divide(left * hundred, hundred - rate, 'down'), scale, CASH_SCALE, 'down');
}

/** What of a deal says what it moves. */
type MovedTerms = Pick<AcceptorTerms, 'type' | 'money' | 'received' | 'scale'>;
/** Coins that a deal moves, at the coin's scale. */
export const coinsOf = ({ type, money, received, scale }: MovedTerms): bigint =>
  type === 'buy' ? received : rescale(money, CASH_SCALE, scale, 'down');
/** Cash of the acceptor that a deal moves, in cents: a deposit adds to it, a withdrawal takes from it. */
export const cashOf = ({ type, money, received }: Omit<MovedTerms, 'scale'>): bigint =>
  type === 'buy' ? money : received;

/** What may happen to an open deal. */
export type AcceptorAction =
  | 'confirm'
  | 'reject'
  | 'transfer'
  | 'cancel'
  | 'receive'
  | 'object'
  | 'decideConfirm'
  | 'decideReject';
interface ActionRule {
  /** Stage in which it is allowed, by the type of the deal. */
  readonly buy?: AcceptorDealStage;
  readonly sell?: AcceptorDealStage;
  readonly to: Pick<AcceptorDeal, 'state'> | Pick<AcceptorDeal, 'stage'>;
}
const CONFIRMED = { state: 'confirmed' } as const;
const REJECTED = { state: 'rejected' } as const;
const ACTIONS: Readonly<Record<AcceptorAction, ActionRule>> = {
  confirm: { buy: 'waiting', to: CONFIRMED },
  reject: { buy: 'waiting', sell: 'waiting', to: REJECTED },
  transfer: { sell: 'waiting', to: { stage: 'transferred' } },
  cancel: { buy: 'waiting', sell: 'waiting', to: REJECTED },
  receive: { sell: 'transferred', to: CONFIRMED },
  object: { buy: 'waiting', sell: 'transferred', to: { stage: 'objected' } },
  decideConfirm: { buy: 'objected', sell: 'objected', to: CONFIRMED },
  decideReject: { buy: 'objected', sell: 'objected', to: REJECTED },
};

/** A deal as it opens: the acceptor has so long to answer. */
export const openAcceptorDeal = (deal: AcceptorDeal, at: number): AcceptorDeal => ({
  ...deal,
  state: 'open',
  stage: 'waiting',
  dueAt: at + deal.silentMs,
  createdAt: at,
  updatedAt: at,
});

/** A deal after an action; null: not in this state (`acceptor.state`). */
export function applyAction(deal: AcceptorDeal, action: AcceptorAction, at: number): AcceptorDeal | null {
  const rule = ACTIONS[action];
  if (deal.state !== 'open' || deal.stage !== rule[deal.type]) return null;
  const next = { ...deal, ...rule.to, updatedAt: at };
  return { ...next, dueAt: next.stage === 'transferred' && next.state === 'open' ? at + deal.autoMs : null };
}

/**
 * What time does to a deal at its deadline (rules §13): a transfer counts as received; where the acceptor is silent, a
 * withdrawal goes back and a deposit is for finance to decide. Null: nothing is due.
 */
export function applyDeadline(deal: AcceptorDeal, at: number): AcceptorDeal | null {
  if (deal.state !== 'open' || deal.dueAt === null || deal.dueAt > at) return null;
  if (deal.stage === 'transferred') return { ...deal, ...CONFIRMED, autoAt: at, dueAt: null, updatedAt: at };
  const silent = { ...deal, dueAt: null, updatedAt: at, reasonKey: 'acceptor.silent' };
  return deal.type === 'sell' ? { ...silent, ...REJECTED } : { ...silent, stage: 'objected' };
}

/** What time leaves to finance: the person whose silence would count as consent is not able to object (rules §7). */
export const leaveToFinance = (deal: AcceptorDeal, at: number): AcceptorDeal => ({
  ...deal,
  stage: 'objected',
  dueAt: null,
  updatedAt: at,
  reasonKey: 'acceptor.cannotAnswer',
});

/** Whether the ledger keeps coins for it: held from the first answer of the ledger to the end. */
export const keepsCoins = ({ state }: AcceptorDeal): boolean => state === 'open' || state === 'holding';
/** Whether the ledger keeps cash of the acceptor for it. */
export const keepsCash = ({ type, state }: AcceptorDeal): boolean => type === 'sell' && state === 'open';

/** From when on a person can object to it, ms: to a deposit only after the acceptor has had so long to confirm it. */
export const objectableFrom = ({ type, createdAt }: AcceptorDeal, waitMs: number): number =>
  type === 'buy' ? createdAt + waitMs : createdAt;
/** An objection to a deposit, which has a picture, was decided against the person. */
export const isStrike = ({ type, state, stage, evidence }: AcceptorDeal): boolean =>
  type === 'buy' && state === 'rejected' && stage === 'objected' && evidence !== '';

/** Until when a person can object to a withdrawal that was confirmed by time, ms; null: not at all. */
export const objectableUntil = ({ type, state, autoAt, dispute }: AcceptorDeal, windowMs: number): number | null =>
  type === 'sell' && state === 'confirmed' && autoAt !== null && dispute === 'none' ? autoAt + windowMs : null;
/** The person objects after the confirmation by time: finance decides; null: not possible (`acceptor.state`). */
export function disputeDeal(deal: AcceptorDeal, at: number, windowMs: number): AcceptorDeal | null {
  const until = objectableUntil(deal, windowMs);
  return until !== null && at < until ? { ...deal, stage: 'objected', dispute: 'open', updatedAt: at } : null;
}
/** Decided for the acceptor: it stays confirmed. */
export const keepConfirmed = (deal: AcceptorDeal, at: number): AcceptorDeal | null =>
  deal.dispute === 'open' ? { ...deal, dispute: 'kept', updatedAt: at } : null;

/** Out of which purse a person gets the coins of a withdrawal back. */
export interface Recovery {
  readonly taken: bigint;
  readonly missing: bigint;
}
/** What the acceptor has is taken; what is missing the house pays. */
export function planRecovery(coins: bigint, posted: bigint): Recovery {
  const taken = posted < coins ? posted : coins;
  return { taken, missing: coins - taken };
}
/** Decided for the person: the ledger is asked. */
export const beginReturn = (deal: AcceptorDeal, posted: bigint): AcceptorDeal | null =>
  deal.dispute === 'open'
    ? { ...deal, dispute: 'returning', missing: planRecovery(coinsOf(deal), posted).missing }
    : null;
/** The ledger has the coins for the person. */
export const finishReturn = (deal: AcceptorDeal, at: number): AcceptorDeal => ({
  ...deal,
  ...REJECTED,
  dispute: 'returned',
  updatedAt: at,
});
/** The acceptor had less than a moment ago: finance decides again. */
export const failReturn = (deal: AcceptorDeal): AcceptorDeal => ({ ...deal, dispute: 'open', missing: 0n });
/** Finance decides an objection after the confirmation by time, or the coins are on their way back. */
export const isUnderDispute = ({ dispute }: Pick<AcceptorDeal, 'dispute'>): boolean =>
  dispute === 'open' || dispute === 'returning';
/** Whether finance has something to decide about it. */
export const isObjected = ({ state, stage, dispute }: AcceptorDeal): boolean =>
  (state === 'open' && stage === 'objected') || dispute === 'open';
