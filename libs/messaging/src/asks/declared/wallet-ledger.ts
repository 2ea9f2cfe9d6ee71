import type { HoldLine } from '@bourse/contract';
import { LEDGER_SENDERS, type LedgerReply } from '@bourse/events';
import type { ServiceName } from '@bourse/platform';
import { defineAsk, shape } from '../define.js';

/** A balance of a person in one product; amounts are decimal text. */
export interface Balance {
  readonly currency: number;
  readonly product: string;
  readonly available: string;
  readonly held: string;
}

/** The amounts that the journals of an object moved in one account; `owner` null: an account of the house. */
export interface CauseNet {
  readonly causeId: string;
  readonly owner: number | null;
  readonly account: string;
  readonly currency: number;
  readonly amount: string;
}

/** Services that send commands to the ledger while the exchange runs. */
const COMMAND_SENDERS = Object.entries(LEDGER_SENDERS).flatMap(([service, { demoOnly }]) =>
  demoOnly ? [] : [service as ServiceName],
);

/** Questions that wallet-ledger answers. */
export const walletLedgerAsks = {
  /** The stored answer of a command; null: there is none. */
  answer: defineAsk('wallet-ledger.answer', {
    question: shape<{ readonly commandId: string; readonly bodyHash?: string | null }>(),
    answer: shape<LedgerReply | null>(),
    askedBy: COMMAND_SENDERS,
  }),
  /** All balances of a person. */
  balances: defineAsk('wallet-ledger.balances', {
    question: shape<{ readonly userId: number }>(),
    answer: shape<readonly Balance[]>(),
    askedBy: ['auth', 'market-data', 'micro-settlement', 'c2c-escrow', 'savings'],
  }),
  /** The ids under which a person finds the journals of an object in their statement. */
  journals: defineAsk('wallet-ledger.journals', {
    question: shape<{ readonly userId: number; readonly causeType: string; readonly causeId: string }>(),
    answer: shape<string[]>(),
    askedBy: ['micro-settlement'],
  }),
  /** Available lever balances of people in a currency, by id, and that of the house in `h.lever`. */
  lever: defineAsk('wallet-ledger.lever', {
    question: shape<{ readonly currency: number; readonly userIds: readonly number[] }>(),
    answer: shape<{ readonly balances: Readonly<Record<string, string>>; readonly house: string }>(),
    askedBy: ['lever-risk'],
  }),
  /** The interest of the house in `h.savings` of a currency, free and reserved. */
  savings: defineAsk('wallet-ledger.savings', {
    question: shape<{ readonly currency: number }>(),
    answer: shape<{ readonly house: string }>(),
    askedBy: ['savings'],
  }),
  /** All holds of a person, with texts in a language. */
  holds: defineAsk('wallet-ledger.holds', {
    question: shape<{ readonly userId: number; readonly lang?: string }>(),
    answer: shape<readonly HoldLine[]>(),
    askedBy: ['auth'],
  }),
  /** The amounts that the journals of objects moved in each account. */
  auditNets: defineAsk('wallet-ledger.audit.nets', {
    question: shape<{ readonly causeType: string; readonly causeIds: readonly string[] }>(),
    answer: shape<readonly CauseNet[]>(),
    askedBy: ['c2c-escrow'],
  }),
};
