import { mayWithdraw } from '../../deals/domain/deal.js';

/* Appeals against deals: evidence of the two sides, and decisions of operators (rules §6). */

export type AppealSide = 'buyer' | 'seller';
export type AppealOpener = AppealSide | 'system';
/** `waiting`: the ledger has not answered whether it holds the seller's coins again, and the appeal is not visible. */
export type AppealState = 'waiting' | 'open' | 'withdrawn' | AppealSide;

/** Maximum number of pictures per side. */
export const PICTURES_MAX = 20;
/** Maximum number of pieces of evidence per side. */
export const PIECES_MAX = 60;
/** Maximum number of pictures when an appeal opens. */
export const OPENING_PICTURES_MAX = 6;

/** The proposal of the first operator when two must agree. */
export interface Proposal {
  readonly outcome: AppealSide;
  readonly operatorId: number;
  readonly at: number;
}

/** An appeal. Times are business time, ms. */
export interface Appeal {
  readonly id: string;
  readonly dealId: string;
  readonly openedBy: AppealOpener;
  readonly state: AppealState;
  /** Coins of the seller are held for the deal; without them the appeal is a record that pays nobody. */
  readonly withEscrow: boolean;
  /** Words of the opener; empty for an appeal of the system. */
  readonly reason: string;
  readonly openedAt: number;
  /** When the decision is due; fixed when the appeal opens. */
  readonly due: number;
  readonly endedAt: number | null;
  /** Words of the deciding operator; both sides read them. */
  readonly decision: string;
  readonly decidedBy: number | null;
  readonly assignedTo: number | null;
  readonly proposal: Proposal | null;
}

export type NewAppeal = Pick<Appeal, 'id' | 'dealId' | 'openedBy' | 'reason' | 'openedAt' | 'due' | 'withEscrow'>;

/** A new appeal; `waiting` until the ledger has answered. */
export const newAppeal = (facts: NewAppeal, state: 'waiting' | 'open'): Appeal => ({
  ...facts,
  state,
  endedAt: null,
  decision: '',
  decidedBy: null,
  assignedTo: null,
  proposal: null,
});

/** Opens a waiting appeal after the ledger has answered. */
export function openAfterAnswer(appeal: Appeal, withEscrow: boolean): Appeal {
  if (appeal.state !== 'waiting') throw new Error(`invariant: appeal ${appeal.id} does not wait for the ledger`);
  return { ...appeal, state: 'open', withEscrow };
}

/** Withdraws an appeal, where the side may. */
export function withdrawAppeal(appeal: Appeal, side: AppealSide, now: number): Appeal | 'c2c.state' {
  if (appeal.state !== 'open' || !mayWithdraw(appeal.openedBy, appeal.proposal !== null, side)) return 'c2c.state';
  return { ...appeal, state: 'withdrawn', endedAt: now };
}

/** Evidence of one side so far. */
export interface EvidenceCount {
  readonly pieces: number;
  readonly pictures: number;
}
/** Whether a side may add one more piece of evidence. */
export function checkEvidence(
  appeal: Appeal,
  brought: EvidenceCount,
  withPicture: boolean,
): 'ok' | 'c2c.state' | 'c2c.evidenceMax' {
  if (appeal.state !== 'open') return 'c2c.state';
  if (brought.pieces >= PIECES_MAX || (withPicture && brought.pictures >= PICTURES_MAX)) return 'c2c.evidenceMax';
  return 'ok';
}

/** An operator's ruling with the facts that decide whether it takes effect. */
export interface Ruling {
  readonly outcome: AppealSide;
  readonly operatorId: number;
  readonly words: string;
  /** Two operators must agree. */
  readonly needsTwo: boolean;
  /** This operator is certainly another person than the proposer. */
  readonly isSecond: boolean;
  readonly now: number;
}
export type RulingOutcome =
  | { readonly is: 'decided'; readonly appeal: Appeal }
  | { readonly is: 'proposed'; readonly appeal: Appeal }
  | { readonly is: 'refused'; readonly key: 'c2c.state' | 'admin.samePerson' };

/**
 * One operator decides; when two must agree, the first ruling is a proposal and the second decides it. A different
 * second ruling is a new proposal.
 */
export function applyRuling(appeal: Appeal, ruling: Ruling): RulingOutcome {
  const { outcome, operatorId, words, needsTwo, isSecond, now } = ruling;
  if (appeal.state !== 'open') return { is: 'refused', key: 'c2c.state' };
  const { proposal } = appeal;
  if (needsTwo && proposal?.outcome !== outcome)
    return { is: 'proposed', appeal: { ...appeal, proposal: { outcome, operatorId, at: now } } };
  if (needsTwo && !isSecond) return { is: 'refused', key: 'admin.samePerson' };
  return {
    is: 'decided',
    appeal: { ...appeal, state: outcome, endedAt: now, decision: words, decidedBy: operatorId, proposal: null },
  };
}

/**
 * Whether two operators must agree: the amount exceeds the limit of one. Coins other than USDT have no price here that
 * the two sides could not influence, so they always need two.
 */
export const needsTwoOperators = (
  stake: { readonly currencyName: string; readonly number: bigint; readonly withEscrow: boolean },
  limit: bigint,
): boolean => stake.withEscrow && (stake.currencyName !== 'USDT' || stake.number > limit);

/** Whether the appeal is open beyond its due time. */
export const isOverdue = ({ state, due }: Pick<Appeal, 'state' | 'due'>, now: number): boolean =>
  state === 'open' && now >= due;

/** Codes in the contract. */
export const STATE_CODES: Readonly<Record<AppealState, 0 | 1 | 2 | 3>> = {
  waiting: 0,
  withdrawn: 0,
  open: 1,
  buyer: 2,
  seller: 3,
};
