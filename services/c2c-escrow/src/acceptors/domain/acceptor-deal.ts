import { PERCENT_SCALE } from '@bourse/formulas';
import { divide, percentOf, pow10, rescale } from '@bourse/money';

/** Scale of an acceptor's cash, and of written amounts (rules §7). */
export const CASH_SCALE = 2;
/** Highest rate of an acceptor, in percent. */
export const RATE_MAX = 20n * pow10(PERCENT_SCALE);

/** `buy` is a deposit (fiat to the acceptor, coins to the person), `sell` a withdrawal. */
export type AcceptorDealType = 'buy' | 'sell';
export type AcceptorWay = 'ali_pay' | 'we_chat' | 'bank';
/**
 * `asking`: the first hold is not decided. `holding`: the person's coins are held, the acceptor's cash is not yet. A
 * deal is visible from `open` on. The last two are final.
 */
export type AcceptorDealState = 'asking' | 'holding' | 'open' | 'confirmed' | 'rejected';
/** Progress of an open deal; unchanged by its end. */
export type AcceptorDealStage = 'waiting' | 'transferred' | 'objected';

/**
 * State of an objection to a withdrawal that was confirmed by time (rules §7). `returning`: decided for the person, the
 * ledger has not answered. The last two are final: for the acceptor, and for the person.
 */
export type AcceptorDispute = 'none' | 'open' | 'returning' | 'kept' | 'returned';

/** Terms of a deal; they never change. */
export interface AcceptorTerms {
  readonly id: string;
  readonly type: AcceptorDealType;
  readonly userId: number;
  /** The acceptor's user id, and the name that the person was shown. */
  readonly acceptorId: number;
  readonly acceptorName: string;
  readonly currencyId: number;
  /** Scale of the coin. */
  readonly scale: number;
  /** The amount paid in: fiat of a deposit, coins of a withdrawal; both in cents. */
  readonly money: bigint;
  /** The amount paid out: coins of a deposit at the coin's scale, fiat of a withdrawal in cents. */
  readonly received: bigint;
  readonly way: AcceptorWay;
  /** Phone and accounts of both sides when the deal was requested, sealed. */
  readonly facts: string;
  /** Time limits of a silent acceptor, and of a transfer that the person does not confirm, ms. */
  readonly silentMs: number;
  readonly autoMs: number;
}
export interface AcceptorDeal extends AcceptorTerms {
  readonly state: AcceptorDealState;
  readonly stage: AcceptorDealStage;
  /** Names of pictures: the acceptor's proof, and the person's evidence of an objection. */
  readonly proof: string;
  readonly evidence: string;
  /** Written reason, or the key of a text when the exchange itself has decided. */
  readonly reason: string;
  readonly reasonKey: string;
  /** When a transfer was confirmed by time, business ms: when it was decided, not when it was due; null: it was not. */
  readonly autoAt: number | null;
  readonly dispute: AcceptorDispute;
  /** Coins of a return that the acceptor did not have, at the coin's scale; the house has paid them. */
  readonly missing: bigint;
  /** Next deadline, business ms; null: none. */
  readonly dueAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * The amount paid out for `money`, at its own scale; the rate's part is rounded up by at most one unit and stays with
 * the acceptor.
 */
export const calculateReceived = (money: bigint, rate: bigint): bigint =>
  money - percentOf(money, rate, PERCENT_SCALE, 'up');

/** The largest amount paid in, in cents, for which `left` suffices; rounded down. */
export function calculateMaxMoney(left: bigint, scale: number, rate: bigint): bigint {
  const hundred = 100n * pow10(PERCENT_SCALE);
  return rescale(divide(left * hundred, hundred - rate, 'down'), scale, CASH_SCALE, 'down');
}

/** The terms that decide the amounts moved. */
type MovedTerms = Pick<AcceptorTerms, 'type' | 'money' | 'received' | 'scale'>;
/** Coins that a deal moves, at the coin's scale. */
export const coinsOf = ({ type, money, received, scale }: MovedTerms): bigint =>
  type === 'buy' ? received : rescale(money, CASH_SCALE, scale, 'down');
/** Cash of the acceptor that a deal moves, in cents: a deposit adds it, a withdrawal takes it. */
export const cashOf = ({ type, money, received }: Omit<MovedTerms, 'scale'>): bigint =>
  type === 'buy' ? money : received;

/** Actions on an open deal. */
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
  /** The stage in which the action is allowed, by the type of the deal. */
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

/** Opens a deal; the acceptor's time to answer begins. */
export const openAcceptorDeal = (deal: AcceptorDeal, at: number): AcceptorDeal => ({
  ...deal,
  state: 'open',
  stage: 'waiting',
  dueAt: at + deal.silentMs,
  createdAt: at,
  updatedAt: at,
});

/** Applies an action; null: the state does not allow it (`acceptor.state`). */
export function applyAction(deal: AcceptorDeal, action: AcceptorAction, at: number): AcceptorDeal | null {
  const rule = ACTIONS[action];
  if (deal.state !== 'open' || deal.stage !== rule[deal.type]) return null;
  const next = { ...deal, ...rule.to, updatedAt: at };
  return { ...next, dueAt: next.stage === 'transferred' && next.state === 'open' ? at + deal.autoMs : null };
}

/**
 * Applies the deadline (rules §13): a transfer counts as received; with a silent acceptor a withdrawal goes back and a
 * deposit goes to finance. `at` is the deadline, `decidedAt` the present: after an outage it is later, and the person
 * still has the full time to object. Null: nothing is due.
 */
export function applyDeadline(deal: AcceptorDeal, at: number, decidedAt: number): AcceptorDeal | null {
  if (deal.state !== 'open' || deal.dueAt === null || deal.dueAt > at) return null;
  if (deal.stage === 'transferred')
    return { ...deal, ...CONFIRMED, autoAt: Math.max(at, decidedAt), dueAt: null, updatedAt: at };
  const silent = { ...deal, dueAt: null, updatedAt: at, reasonKey: 'acceptor.silent' };
  return deal.type === 'sell' ? { ...silent, ...REJECTED } : { ...silent, stage: 'objected' };
}

/** Leaves a deal to finance: the person whose silence would count as consent is not able to object (rules §7). */
export const leaveToFinance = (deal: AcceptorDeal, at: number): AcceptorDeal => ({
  ...deal,
  stage: 'objected',
  dueAt: null,
  updatedAt: at,
  reasonKey: 'acceptor.cannotAnswer',
});

/** Whether the ledger holds coins for the deal: from its first answer to the end. */
export const keepsCoins = ({ state }: AcceptorDeal): boolean => state === 'open' || state === 'holding';
/** Whether the ledger holds cash of the acceptor for the deal. */
export const keepsCash = ({ type, state }: AcceptorDeal): boolean => type === 'sell' && state === 'open';

/** When a person may first object, ms; for a deposit only after the acceptor had `waitMs` to confirm it. */
export const objectableFrom = ({ type, createdAt }: AcceptorDeal, waitMs: number): number =>
  type === 'buy' ? createdAt + waitMs : createdAt;
/** Whether an objection to a deposit, with a picture, was decided against the person. */
export const isStrike = ({ type, state, stage, evidence }: AcceptorDeal): boolean =>
  type === 'buy' && state === 'rejected' && stage === 'objected' && evidence !== '';

/** Until when a person may object to a withdrawal that was confirmed by time, ms; null: not at all. */
export const objectableUntil = ({ type, state, autoAt, dispute }: AcceptorDeal, windowMs: number): number | null =>
  type === 'sell' && state === 'confirmed' && autoAt !== null && dispute === 'none' ? autoAt + windowMs : null;
/** Objects after a confirmation by time, so that finance decides; null: not possible (`acceptor.state`). */
export function disputeDeal(deal: AcceptorDeal, at: number, windowMs: number): AcceptorDeal | null {
  const until = objectableUntil(deal, windowMs);
  return until !== null && at < until ? { ...deal, stage: 'objected', dispute: 'open', updatedAt: at } : null;
}
/** Decides for the acceptor: the deal stays confirmed. */
export const keepConfirmed = (deal: AcceptorDeal, at: number): AcceptorDeal | null =>
  deal.dispute === 'open' ? { ...deal, dispute: 'kept', updatedAt: at } : null;

/** The sources of returned coins. */
export interface Recovery {
  readonly taken: bigint;
  readonly missing: bigint;
}
/** The acceptor's coins are taken first; the house pays the missing ones. */
export function planRecovery(coins: bigint, posted: bigint): Recovery {
  const taken = posted < coins ? posted : coins;
  return { taken, missing: coins - taken };
}
/** Decides for the person; the ledger has to answer. */
export const beginReturn = (deal: AcceptorDeal, posted: bigint): AcceptorDeal | null =>
  deal.dispute === 'open'
    ? { ...deal, dispute: 'returning', missing: planRecovery(coinsOf(deal), posted).missing }
    : null;
/** The ledger has returned the coins. */
export const finishReturn = (deal: AcceptorDeal, at: number): AcceptorDeal => ({
  ...deal,
  ...REJECTED,
  dispute: 'returned',
  updatedAt: at,
});
/** The acceptor had fewer coins than expected, so finance decides again. */
export const failReturn = (deal: AcceptorDeal): AcceptorDeal => ({ ...deal, dispute: 'open', missing: 0n });
/** Whether an objection after a confirmation by time is open, or the coins are on their way back. */
export const isUnderDispute = ({ dispute }: Pick<AcceptorDeal, 'dispute'>): boolean =>
  dispute === 'open' || dispute === 'returning';
/** Whether finance has to decide the deal. */
export const isObjected = ({ state, stage, dispute }: AcceptorDeal): boolean =>
  (state === 'open' && stage === 'objected') || dispute === 'open';
