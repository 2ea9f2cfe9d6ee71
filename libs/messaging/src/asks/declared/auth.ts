import type { Params } from '@bourse/contract';
import { TOPIC_WRITERS, TOPICS } from '@bourse/events';
import { EDGE_SERVICE, type Caller, type OperatorRole, type ServiceName } from '@bourse/platform';
import type { FundVerdict } from '../../people/fund-gate.js';
import type { PartyFacts } from '../../people/parties.js';
import type { ReaderFacts } from '../../people/readers.js';
import { defineAsk, shape } from '../define.js';
import type { ChangeFacts } from './service.js';

/** Data of a person that other services need to show, book for or write to them. */
export interface ProfileFacts {
  readonly id: number;
  readonly accountNumber: string;
  readonly extensionCode: string;
  readonly lang: Caller['lang'];
  readonly email: string;
  readonly phone: string;
}

/** A call that waits for a second operator. */
export interface ApprovalRequest {
  readonly operator: Pick<Caller, 'userId' | 'accountNumber'>;
  readonly call: string;
  readonly target: string;
  readonly reason: string;
  readonly after: ChangeFacts;
  /** The data that the asking service needs to carry it out; auth returns it unread. */
  readonly payload: object;
}

/** A change that waits. `inForceAt`: business time, ms; null: it is not approved yet. */
export interface WaitingChange {
  readonly approvalId: number;
  readonly target: string;
  readonly after: ChangeFacts;
  readonly inForceAt: number | null;
}

/** `others` have requested or approved the decision before; `role`: the least role that it takes. */
export interface SecondPersonQuestion {
  readonly operatorId: number;
  readonly others: readonly number[];
  readonly role: OperatorRole;
}

/** Facts by which operators judge a withdrawal. Times are business time, ms; null: none is known. */
export interface PersonRisk {
  readonly userId: number;
  readonly registeredAt: number;
  /** The last time that a further device signed in for the first time. */
  readonly newDeviceAt: number | null;
  /** The last change of the e-mail or the phone. */
  readonly contactChangedAt: number | null;
  /** Other accounts with the same id number, mailbox or telephone. */
  readonly sharedWith: readonly number[];
}

/** An API key with its owner. */
export interface ApiKeyFacts {
  readonly caller: Caller;
  readonly secret: string;
  readonly permissions: readonly string[];
  readonly ips: readonly string[];
}

/** A message that a demo install has sent. */
export interface SentMessage {
  readonly to: string;
  readonly scene: string;
  readonly code: string;
  readonly text: string;
  readonly time: string;
}

export type TotpVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly key: 'login.totpRequired' | 'login.totpWrong' };

export type SentVerdict = { readonly seconds: number } | { readonly refused: string; readonly params: Params };
export type UsedVerdict = { readonly ok: true } | { readonly ok: false; readonly key: string; readonly params: Params };

interface OfPerson {
  readonly userId: number;
}
interface OfPeople {
  readonly userIds: readonly number[];
}
interface AddressCode extends OfPerson {
  readonly scene: 'draw_address';
}

/** Services with settings or catalog rows, which may be guarded: what operators change in them is in their trail. */
const SETTING_OWNERS = TOPIC_WRITERS[TOPICS.operatorActions] as readonly ServiceName[];

/** Questions that auth answers. */
export const authAsks = {
  /** The owner of a token's session; the session counts as used. */
  session: defineAsk('auth.session', {
    question: shape<{ readonly token: string }>(),
    answer: shape<Caller | null>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** The active ones among at most 1,000 sessions and API keys, by their `Caller.sessionId`; none counts as used. */
  activeSessions: defineAsk('auth.activeSessions', {
    question: shape<{ readonly sessionIds: readonly string[] }>(),
    answer: shape<readonly string[]>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** A person's record as it is now. */
  caller: defineAsk('auth.caller', {
    question: shape<OfPerson>(),
    answer: shape<Caller | null>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** Checks a fund password. */
  fund: defineAsk('auth.fund', {
    question: shape<OfPerson & { readonly password: string }>(),
    answer: shape<FundVerdict>(),
    askedBy: ['wallet-ledger', 'micro-settlement', 'c2c-escrow', 'points', 'savings'],
  }),
  /** Profiles of at most 1,000 people. */
  profile: defineAsk('auth.profile', {
    question: shape<OfPeople>(),
    answer: shape<readonly ProfileFacts[]>(),
    askedBy: ['wallet-ledger'],
  }),
  /** Facts of at most 100 people for the other side of a deal, phone and payment settings in full. */
  parties: defineAsk('auth.parties', {
    question: shape<OfPeople>(),
    answer: shape<readonly PartyFacts[]>(),
    askedBy: ['c2c-escrow'],
  }),
  /** Languages of at most 1,000 people, and since when they are registered. */
  readers: defineAsk('auth.readers', {
    question: shape<OfPeople>(),
    answer: shape<readonly ReaderFacts[]>(),
    askedBy: ['notices'],
  }),
  /** Masked names of at most 1,000 people. */
  names: defineAsk('auth.names', {
    question: shape<OfPeople>(),
    answer: shape<readonly { readonly userId: number; readonly name: string }[]>(),
    askedBy: ['points'],
  }),
  /** Those of at most 1,000 people who are acceptors. */
  acceptors: defineAsk('auth.acceptors', {
    question: shape<OfPeople>(),
    answer: shape<readonly number[]>(),
    askedBy: ['c2c-escrow'],
  }),
  /** Makes a person a seller or an acceptor, or ends that; recorded in the audit log in the name of c2c-escrow. */
  role: defineAsk('auth.role', {
    question: shape<
      OfPerson & { readonly isSeller?: boolean; readonly isAcceptor?: boolean; readonly reason: string }
    >(),
    answer: shape<null>(),
    askedBy: ['c2c-escrow'],
  }),
  /** Makes a person a member of the points programme. */
  joinPoints: defineAsk('auth.joinPoints', {
    question: shape<OfPerson & { readonly reason: string }>(),
    answer: shape<null>(),
    askedBy: ['points'],
  }),
  /** Checks a code of the authenticator and uses its step up; ok for a person without one. */
  totp: defineAsk('auth.totp', {
    question: shape<OfPerson & { readonly code: string | null }>(),
    answer: shape<TotpVerdict>(),
    askedBy: ['wallet-ledger'],
  }),
  /** Until when a person may withdraw nothing, business time, ms. */
  withdrawals: defineAsk('auth.withdrawals', {
    question: shape<OfPerson>(),
    answer: shape<{ readonly blockedUntil: number | null }>(),
    askedBy: ['wallet-ledger'],
  }),
  /** Those of at most 1,000 people who are frozen for withdrawals or for trading, read from the table each time. */
  frozen: defineAsk('auth.frozen', {
    question: shape<OfPeople & { readonly from?: 'withdraw' | 'trade' }>(),
    answer: shape<readonly number[]>(),
    askedBy: ['wallet-ledger', 'lever-risk'],
  }),
  /** Facts by which operators judge the withdrawals of at most 1,000 people. */
  riskFacts: defineAsk('auth.riskFacts', {
    question: shape<OfPeople>(),
    answer: shape<readonly PersonRisk[]>(),
    askedBy: ['wallet-ledger'],
  }),
  /** Sends the code that binds a withdrawal address. */
  sendCode: defineAsk('auth.sendCode', {
    question: shape<AddressCode & { readonly lang: string }>(),
    answer: shape<SentVerdict>(),
    askedBy: ['wallet-ledger'],
  }),
  /** Checks the code that binds a withdrawal address; a right one is used up. */
  useCode: defineAsk('auth.useCode', {
    question: shape<AddressCode & { readonly code: string }>(),
    answer: shape<UsedVerdict>(),
    askedBy: ['wallet-ledger'],
  }),
  /**
   * Whether an operator counts as another person than the others (api §2.12), and which of the others no longer have
   * the role of the decision; to be asked before rows are locked.
   */
  secondPerson: defineAsk('auth.secondPerson', {
    question: shape<SecondPersonQuestion>(),
    answer: shape<{ readonly ok: boolean; readonly gone: readonly number[] }>(),
    askedBy: ['wallet-ledger', 'c2c-escrow'],
  }),
  /** Has a call wait at `admin/approvals`; the answer is the approval's id. */
  approval: defineAsk('auth.approval', {
    question: shape<ApprovalRequest>(),
    answer: shape<{ readonly id: number }>(),
    askedBy: ['c2c-escrow', 'wallet-ledger', 'notices'],
  }),
  /** Has the change of a guarded setting or row wait for a second admin; the answer is the approval's id. */
  guardedChange: defineAsk('auth.guardedChange', {
    question: shape<ApprovalRequest>(),
    answer: shape<{ readonly id: number }>(),
    askedBy: SETTING_OWNERS,
  }),
  /** Changes of guarded rows by some calls that are not in force yet. */
  pendingChanges: defineAsk('auth.pendingChanges', {
    question: shape<{ readonly calls: readonly string[] }>(),
    answer: shape<readonly WaitingChange[]>(),
    askedBy: SETTING_OWNERS,
  }),
  /** An API key with its owner; the key counts as used. */
  apiKey: defineAsk('auth.apiKey', {
    question: shape<{ readonly key: string }>(),
    answer: shape<ApiKeyFacts | null>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** Messages that a demo install has sent, newest first. */
  outbox: defineAsk('auth.outbox', {
    question: shape<{
      readonly to?: string | undefined;
      readonly scene?: string | undefined;
      readonly limit?: number | undefined;
    }>(),
    answer: shape<readonly SentMessage[]>(),
    askedBy: [EDGE_SERVICE],
  }),
};
