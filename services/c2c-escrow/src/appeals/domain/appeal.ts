/* Appeals: what the two sides of a deal bring, and what support decides (rules §6). */

export type AppealSide = 'buyer' | 'seller';
export type AppealOpener = AppealSide | 'system';
/** `waiting`: the ledger is asked whether the seller's coins can be held again; nobody sees it. */
export type AppealState = 'waiting' | 'open' | 'withdrawn' | AppealSide;

/** Pictures that one side can bring, over all. */
export const PICTURES_MAX = 20;
/** Pieces of evidence that one side can bring, over all. */
export const PIECES_MAX = 60;
/** Pictures that a side can bring when it opens an appeal. */
export const OPENING_PICTURES_MAX = 6;

/** What one operator has proposed where two must agree. */
export interface Proposal {
  readonly outcome: AppealSide;
  readonly operatorId: number;
  readonly at: number;
}

/** Times are business time, ms. */
export interface Appeal {
  readonly id: string;
  readonly dealId: string;
  readonly openedBy: AppealOpener;
  readonly state: AppealState;
  /** Coins of the seller are held for the deal; without them it is a record that nobody is paid from. */
  readonly withEscrow: boolean;
  /** Words of who has opened it; empty: the system has. */
  readonly reason: string;
  readonly openedAt: number;
  /** By when it is decided; it stays what it was when the appeal opened. */
  readonly due: number;
  readonly endedAt: number | null;
  /** The deciding operator's words, which both sides read. */
  readonly decision: string;
  readonly decidedBy: number | null;
  readonly assignedTo: number | null;
  readonly proposal: Proposal | null;
}

export type NewAppeal = Pick<Appeal, 'id' | 'dealId' | 'openedBy' | 'reason' | 'openedAt' | 'due' | 'withEscrow'>;

/** An appeal as it opens; `waiting` while the ledger is asked. */
export const newAppeal = (facts: NewAppeal, state: 'waiting' | 'open'): Appeal => ({
  ...facts,
  state,
  endedAt: null,
  decision: '',
  decidedBy: null,
  assignedTo: null,
  proposal: null,
});

/** The ledger has answered whether the coins are held again. */
export function openAfterAnswer(appeal: Appeal, withEscrow: boolean): Appeal {
  if (appeal.state !== 'waiting') throw new Error(`invariant: appeal ${appeal.id} does not wait for the ledger`);
  return { ...appeal, state: 'open', withEscrow };
}

/** Whoever has opened it takes it back; nobody takes back what the system has opened. */
export function withdrawAppeal(appeal: Appeal, side: AppealSide, now: number): Appeal | 'c2c.state' {
  if (appeal.state !== 'open' || appeal.openedBy !== side) return 'c2c.state';
  return { ...appeal, state: 'withdrawn', endedAt: now, proposal: null };
}

/** What a side has brought so far. */
export interface EvidenceCount {
  readonly pieces: number;
  readonly pictures: number;
}
/** Whether a side can bring one more piece of evidence. */
export function checkEvidence(
  appeal: Appeal,
  brought: EvidenceCount,
  withPicture: boolean,
): 'ok' | 'c2c.state' | 'c2c.evidenceMax' {
  if (appeal.state !== 'open') return 'c2c.state';
  if (brought.pieces >= PIECES_MAX || (withPicture && brought.pictures >= PICTURES_MAX)) return 'c2c.evidenceMax';
  return 'ok';
}

/** What an operator says. */
export interface Ruling {
  readonly outcome: AppealSide;
  readonly operatorId: number;
  readonly words: string;
  /** Two operators must agree. */
  readonly needsTwo: boolean;
  /** This operator is surely somebody else than who has proposed. */
  readonly isSecond: boolean;
  readonly now: number;
}
export type RulingOutcome =
  | { readonly is: 'decided'; readonly appeal: Appeal }
  | { readonly is: 'proposed'; readonly appeal: Appeal }
  | { readonly is: 'refused'; readonly key: 'c2c.state' | 'admin.samePerson' };

/**
 * One operator decides; where two must agree the first call is a proposal, and the second decides what was proposed.
 * Whoever is of another mind proposes that instead.
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
 * Whether two operators must agree: what is at stake is worth more than one may decide. What is no USDT has no price
 * here that the two sides could not have made themselves, so it takes two always.
 */
export const needsTwoOperators = (
  stake: { readonly currencyName: string; readonly number: bigint; readonly withEscrow: boolean },
  limit: bigint,
): boolean => stake.withEscrow && (stake.currencyName !== 'USDT' || stake.number > limit);

/** Open beyond its time. */
export const isOverdue = ({ state, due }: Pick<Appeal, 'state' | 'due'>, now: number): boolean =>
  state === 'open' && now >= due;

/** As the contract writes it. */
export const STATE_CODES: Readonly<Record<AppealState, 0 | 1 | 2 | 3>> = {
  waiting: 0,
  withdrawn: 0,
  open: 1,
  buyer: 2,
  seller: 3,
};
