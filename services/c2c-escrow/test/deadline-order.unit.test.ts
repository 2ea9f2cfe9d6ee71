import { beforeEach, expect, test } from '@jest/globals';
import type { Command, Commands } from '@bourse/ledger-client';
import { FundGate, type OwnUploads, type SecondPerson } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Refused, type Caller, type Clock, type Ids } from '@bourse/platform';
import type { Settings } from '@bourse/settings';
import { AppealDecisions } from '../src/appeals/application/decisions.js';
import type { AppealRecorder } from '../src/appeals/application/appeal-recorder.js';
import type { AppealStore } from '../src/appeals/application/ports.js';
import type { AppealTrail } from '../src/appeals/application/audit-trail.js';
import type { AppealViews } from '../src/appeals/application/views.js';
import { Appeals } from '../src/appeals/application/appeals.js';
import { DealCommands } from '../src/deals/application/deal-commands.js';
import type { Proposal } from '../src/appeals/domain/appeal.js';
import { SellerResponseTimeout } from '../src/deals/application/hooks.js';
import type { AdStore, DealStore } from '../src/deals/application/ports.js';
import { DealEvents, type DealPushes } from '../src/deals/application/events.js';
import type { DealViews } from '../src/deals/application/views.js';
import type { Escrow } from '../src/deals/application/escrow.js';
import type { LateAppeals } from '../src/appeals/application/late-appeals.js';
import type { C2cDatabase } from '../src/shared/application/database.js';
import { createContext, toKey } from './shop-world.js';

/** Rows in the order in which a call locks them. */
const rows: string[] = [];
class Noted extends SellerResponseTimeout {
  start(): Promise<void> {
    return Promise.resolve();
  }
  stop(): Promise<void> {
    rows.push('deadline');
    return Promise.resolve();
  }
}
const deals = {
  lock: () => {
    rows.push('deal');
    return Promise.resolve(null);
  },
} as unknown as DealStore;
/** Runs commands without a claim. */
const plain = {
  run: async (_context: object, { prepare, decide }: Command<unknown>) => decide({} as Tx, await prepare?.()),
} as unknown as Commands;
const escrow = {} as Escrow;

beforeEach(() => {
  rows.length = 0;
});

test('a confirmation locks the seller’s deadline before the deal, like the deadline itself [C2C-019]', async () => {
  const dealEvents = new DealEvents({} as DealPushes, undefined, new Noted());
  const fund = new FundGate(() => Promise.resolve({ ok: true }));
  const commands = new DealCommands(
    ...([{} as AdStore, deals, escrow, plain, fund, {} as OwnUploads, dealEvents] as const),
    ...([{} as DealViews, {} as Clock] as const),
  );
  const command = { userId: 1, dealId: '7', password: 'fund66' };
  expect(await toKey(commands.confirm(command, 'sell', createContext()))).toBe('common.notFound');
  expect(rows).toEqual(['deadline', 'deal']);
});

/** An appeal of the buyer on a paid deal between 1, who sells, and 2. */
const APPEAL = { id: '9', dealId: '7', openedBy: 'buyer', state: 'open', withEscrow: true, proposal: null };
const DEAL = { id: '7', adId: 1, type: 'sell', ownerId: 1, takerId: 2, state: 'paid', appeal: 'open', scale: 8 };
const recorder = {
  stopDueTimer: (_tx: Tx, id: string) => {
    rows.push(`time of appeal ${id}`);
    return Promise.resolve();
  },
} as unknown as AppealRecorder;
/** Records the lock of the deal and then stops the call. */
const lockedDeals = {
  find: () => Promise.resolve({ ...DEAL, currencyName: 'USDT', number: 1n }),
  lock: () => {
    rows.push('deal');
    throw new Refused('common.unavailable');
  },
} as unknown as DealStore;
const clock = { now: () => 0, real: () => 0 } as unknown as Clock;

test('a withdrawn appeal stops its timer before the deal is locked, like the timer itself [C2C-019]', async () => {
  const store = { listOfDeal: () => Promise.resolve([APPEAL]) } as unknown as AppealStore;
  const database = { transaction: (work: (tx: Tx) => Promise<void>) => work({} as Tx) } as unknown as C2cDatabase;
  const appeals = new Appeals(
    ...([database, store, lockedDeals, recorder, {} as LateAppeals, {} as AppealViews, plain] as const),
    ...([{} as Settings, {} as Ids, clock] as const),
  );
  expect(await toKey(appeals.withdraw(2, '7', 'en') as Promise<never>)).toBe('common.unavailable');
  expect(rows).toEqual(['time of appeal 9', 'deal']);
});

const PROPOSAL: Proposal = { outcome: 'buyer', operatorId: 102, at: 1 };
test.each([
  { what: 'a decision stops the time of its appeal', twoAbove: 10n ** 20n, ends: true },
  { what: 'a proposal, which ends nothing, leaves the time alone', twoAbove: 0n, ends: false },
  { what: 'a second ruling ends the appeal', twoAbove: 0n, proposal: PROPOSAL, ends: true },
  {
    what: 'a ruling like that of an operator who has lost the role since is a proposal [HARD-520]',
    twoAbove: 0n,
    proposal: PROPOSAL,
    gone: [102],
    ends: false,
  },
])('$what before the deal is locked [C2C-019]', async ({ twoAbove, proposal = null, gone = [], ends }) => {
  const trail = { find: () => Promise.resolve({ ...APPEAL, proposal }) } as unknown as AppealTrail;
  const second = { check: () => Promise.resolve({ isSecond: true, gone }) } as unknown as SecondPerson;
  const decisions = new AppealDecisions(
    ...([plain, {} as AppealStore, lockedDeals, {} as AdStore, {} as DealCommands, escrow, recorder, trail] as const),
    ...([{} as AppealViews, second, { get: () => twoAbove } as unknown as Settings, clock] as const),
  );
  const fields = { id: '9', outcome: 'buyer', reason: 'seen' } as const;
  expect(await toKey(decisions.decide({ userId: 101 } as Caller, fields, createContext()))).toBe('common.unavailable');
  expect(rows).toEqual(ends ? ['time of appeal 9', 'deal'] : ['deal']);
});
