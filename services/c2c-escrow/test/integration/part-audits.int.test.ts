import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { INTERNAL_CURRENCIES } from '@bourse/events';
import { PartsAudit } from '@bourse/messaging';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { AcceptorAudit } from '../../src/acceptors/persistence/audit.js';
import { AppealAudit } from '../../src/appeals/persistence/audit.js';
import { ChatAudit } from '../../src/chat/persistence/audit.js';
import { MIGRATIONS } from '../../src/migrations.js';
import type { C2cDatabase } from '../../src/shared/application/database.js';

jest.setTimeout(testTimeoutMs(24_000));

const [OWNER, TAKER, ACCEPTOR, USER] = [1, 2, 30, 31];
const CSH = INTERNAL_CURRENCIES.CSH.id;
const DUE = '2026-01-01 00:30:00+00';
const ALL = Array.from({ length: 256 }, (_, at) => at);

let world: TestDatabases;
let database: C2cDatabase;
let audit: PartsAudit;
beforeAll(async () => {
  world = await testDatabases({ shape: { schema: 'escrow', migrations: MIGRATIONS } });
  database = (await world.databases.open({ schema: 'escrow', migrations: MIGRATIONS, poolMax: 6 })) as C2cDatabase;
  audit = new PartsAudit(database, [new AcceptorAudit(), new ChatAudit(), new AppealAudit()]);
  await database.execute(
    `insert into acceptor (user_id, name, recharge_rate, cash_rate) values (${ACCEPTOR}, 'Pier One', 2, 2)`,
  );
  await database.execute(
    `insert into ad (id, kind, type, owner_id, owner_account, owner_name, shop_id, level, currency_id, currency_name,
       scale, coin_code, fiat_scale, price, way, total, min_number, max_number, fee_rate, limit_minutes, created_at,
       state, surplus, surplus_fee, finished, returned, open_deals)
     values (1001, 'c2c', 'sell', ${OWNER}, 'legal', 's***', null, '', 3, 'USDT', 8, 'CNY', 2, 6.5, 'bank', 100, 0,
       100, 0.1, 1440, now(), 'shelf', 100, 0.1, 0, 0, 0)`,
  );
});
afterAll(() => world?.end());
beforeEach(async () => {
  for (const table of ['timer', 'appeal', 'chat', 'deal', 'acceptor_deal'])
    await database.execute(`delete from ${table}`);
});

/** Findings as the checks name them. */
const wrong = async (): Promise<string[]> =>
  (await audit.checks()).filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);

interface StoredAcceptorDeal {
  readonly type: 'buy' | 'sell';
  readonly state: string;
  readonly stage?: string;
  readonly coins?: string;
  readonly cash?: string;
  /** The stated deadline and the timer's. */
  readonly due?: string | null;
  readonly timer?: string | null;
}
async function acceptorDeal(id: number, deal: StoredAcceptorDeal): Promise<void> {
  const { type, state, stage = 'waiting', due = state === 'open' && stage !== 'objected' ? DUE : null } = deal;
  const [coins, cash] = type === 'buy' ? ['98', '100'] : ['100', '98'];
  await database.execute(
    `insert into acceptor_deal (id, type, user_id, acceptor_id, acceptor_name, acceptor_account, currency_id, scale,
       coins, cash, way, mobile, account, silent_ms, auto_ms, state, stage, due_at, created_at, updated_at)
     values ($1, $2, ${USER}, ${ACCEPTOR}, 'Pier One', '', 3, 8, $3, $4, 'bank', '', '', 1, 1, $5, $6, $7, now(),
       now())`,
    [id, type, deal.coins ?? coins, deal.cash ?? cash, state, stage, due],
  );
  const timer = deal.timer === undefined ? due : deal.timer;
  if (timer !== null)
    await database.execute(`insert into timer (kind, id, due_at, payload) values ('acceptor.deal', $1, $2, '')`, [
      String(id),
      timer,
    ]);
}

test('open deals with acceptors need their coins, withdrawals also the cash [ACC-033]', async () => {
  await acceptorDeal(1, { type: 'buy', state: 'asking' });
  await acceptorDeal(2, { type: 'buy', state: 'open' });
  await acceptorDeal(3, { type: 'sell', state: 'holding' });
  await acceptorDeal(4, { type: 'sell', state: 'open', stage: 'transferred' });
  await acceptorDeal(5, { type: 'sell', state: 'open', stage: 'objected' });
  await acceptorDeal(6, { type: 'sell', state: 'confirmed', stage: 'transferred' });
  await acceptorDeal(7, { type: 'buy', state: 'rejected', stage: 'objected' });
  const { lines } = await audit.holdLines('acceptor', ALL);
  const needed = lines.map(({ hold, currency, amount }) => `${hold} ${currency} ${amount}`).sort();
  expect(needed).toEqual(
    [
      'acceptor:2 3 98',
      'acceptor:3 3 100',
      `acceptor:4 3 100`,
      `acceptor:4 ${CSH} 98`,
      `acceptor:5 3 100`,
      `acceptor:5 ${CSH} 98`,
    ].sort(),
  );
  expect(await wrong()).toEqual([]);
});

test.each<{ what: string; deal: StoredAcceptorDeal; check: string }>([
  { what: 'an open deal without its timer', deal: { type: 'buy', state: 'open', timer: null }, check: 'deadlines' },
  {
    what: 'a timer of another minute',
    deal: { type: 'sell', state: 'open', timer: '2026-01-01 00:31:00+00' },
    check: 'deadlines',
  },
  { what: 'a timer of an ended deal', deal: { type: 'sell', state: 'rejected', timer: DUE }, check: 'deadlines' },
  {
    what: 'a timer of a deal that finance decides',
    deal: { type: 'buy', state: 'open', stage: 'objected', timer: DUE },
    check: 'deadlines',
  },
  { what: 'more coins than cash paid in', deal: { type: 'buy', state: 'open', coins: '100.01' }, check: 'received' },
  { what: 'more cash than coins paid in', deal: { type: 'sell', state: 'open', cash: '100.01' }, check: 'received' },
])('in deals with acceptors $what is reported [ACC-033]', async ({ deal, check }) => {
  await acceptorDeal(1, { type: 'buy', state: 'open' });
  await acceptorDeal(9, deal);
  expect(await wrong()).toEqual([`acceptors: ${check}: not so: deal 9`]);
});

interface StoredDeal {
  readonly state: string;
  readonly appeal: string;
  readonly cancelledBy?: string;
}
const deal = (id: number, { state, appeal, cancelledBy }: StoredDeal): Promise<unknown> =>
  database.execute(
    `insert into deal (id, ad_id, kind, type, owner_id, taker_id, owner_name, taker_name, owner_lang, taker_lang,
       seller_account, currency_id, currency_name, scale, coin_code, fiat_scale, price, way, number, money, fee, in_ad,
       state, appeal, cancelled_by, created_at, deadline, facts)
     values ($1, 1001, 'c2c', 'sell', ${OWNER}, ${TAKER}, 's', 't', 'en', 'en', 'legal', 3, 'USDT', 8, 'CNY', 2, 6.5,
       'bank', 40, 260, 0.04, true, $2, $3, $4, now(), now(), '')`,
    [id, state, appeal, cancelledBy ?? null],
  );
const appeal = (id: number, dealId: number, state: string, withEscrow = true): Promise<unknown> =>
  database.execute(
    `insert into appeal (id, deal_id, opened_by, state, with_escrow, reason, opened_at, due, ended_at, decision,
       decided_by)
     values ($1, $2, 'buyer', $3, $4, '', now(), now(), case when $3 not in ('waiting', 'open') then now() end, '',
       case when $3 in ('buyer', 'seller') then 7 end)`,
    [id, dealId, state, withEscrow],
  );
const OPEN: StoredDeal = { state: 'paid', appeal: 'open' };
const EXPIRED = { state: 'cancelled', cancelledBy: 'deadline' } as const;
const chat = async (dealId: number, lines: number, ids: readonly number[], [buyer, seller] = [TAKER, OWNER]) => {
  await database.execute(
    `insert into chat (deal_id, buyer_id, seller_id, buyer_lang, seller_lang, lines)
     values ($1, $2, $3, 'en', 'en', $4)`,
    [dealId, buyer, seller, lines],
  );
  for (const id of ids)
    await database.execute(
      `insert into chat_line (deal_id, id, sender, text, image, key, params, at)
       values ($1, $2, 'buyer', 'hello', '', '', '{}', now())`,
      [dealId, id],
    );
};

test('matching deals, appeals in every state, and chats pass [APPEAL-008]', async () => {
  const right: readonly [StoredDeal, string | null, boolean?][] = [
    [{ state: 'paid', appeal: 'none' }, null],
    [OPEN, 'open'],
    [{ state: 'finished', appeal: 'buyer' }, 'buyer'],
    [{ state: 'cancelled', appeal: 'seller', cancelledBy: 'decision' }, 'seller'],
    [{ state: 'paid', appeal: 'none' }, 'withdrawn'],
    [{ ...EXPIRED, appeal: 'none' }, 'waiting'],
    [{ ...EXPIRED, appeal: 'open' }, 'open', false],
    [{ ...EXPIRED, appeal: 'seller' }, 'seller', false],
  ];
  for (const [at, [stored, state, withEscrow]] of right.entries()) {
    await deal(at + 1, stored);
    if (state !== null) await appeal(at + 1, at + 1, state, withEscrow);
  }
  // Withdrawn and opened again.
  await appeal(101, 2, 'withdrawn');
  await chat(1, 3, [1, 2, 3]);
  await chat(2, 0, []);
  expect(await wrong()).toEqual([]);
});

test.each<{ what: string; stored: StoredDeal; state: string | null; withEscrow?: boolean; found: string[] }>([
  { what: 'a deal with a missing appeal', stored: OPEN, state: null, found: ['state: not so: deal 9'] },
  {
    what: 'an open appeal missing in its deal',
    stored: { state: 'paid', appeal: 'none' },
    state: 'open',
    found: ['state: not so: appeal 9'],
  },
  {
    what: 'a decision missing in its deal',
    stored: OPEN,
    state: 'buyer',
    found: ['state: not so: deal 9, appeal 9', 'escrow: not so: appeal 9'],
  },
  {
    what: 'an appeal without its coins in escrow',
    stored: { state: 'finished', appeal: 'open' },
    state: 'open',
    found: ['escrow: not so: appeal 9'],
  },
  {
    what: 'a decision for the buyer without the coins',
    stored: { state: 'paid', appeal: 'buyer' },
    state: 'buyer',
    found: ['escrow: not so: appeal 9'],
  },
  {
    what: 'a decision for the seller that paid the buyer',
    stored: { state: 'finished', appeal: 'seller' },
    state: 'seller',
    found: ['escrow: not so: appeal 9'],
  },
  {
    what: 'a decision for the seller on a deal cancelled by time',
    stored: { ...EXPIRED, appeal: 'seller' },
    state: 'seller',
    found: ['escrow: not so: appeal 9'],
  },
  {
    what: 'a record that paid coins',
    stored: { state: 'finished', appeal: 'buyer' },
    state: 'buyer',
    withEscrow: false,
    found: ['escrow: not so: appeal 9'],
  },
])('$what is reported [APPEAL-008]', async ({ stored, state, withEscrow, found }) => {
  await deal(1, OPEN);
  await appeal(1, 1, 'open');
  await deal(9, stored);
  if (state !== null) await appeal(9, 9, state, withEscrow);
  expect(await wrong()).toEqual(found.map((each) => `appeals.${each}`));
});

test.each<{ what: string; lines: number; ids: number[]; sides?: [number, number] }>([
  { what: 'a missing line', lines: 3, ids: [1, 3] },
  { what: 'a missing last line', lines: 3, ids: [1, 2] },
  { what: 'an uncounted line', lines: 1, ids: [1, 2] },
  { what: 'a chat with swapped sides', lines: 1, ids: [1], sides: [OWNER, TAKER] },
  { what: 'a chat of another person', lines: 1, ids: [1], sides: [TAKER, 99] },
])('in chats $what is reported [APPEAL-008]', async ({ lines, ids, sides }) => {
  await deal(1, OPEN);
  await appeal(1, 1, 'open');
  await chat(1, 2, [1, 2]);
  await deal(9, { state: 'paid', appeal: 'none' });
  await chat(9, lines, ids, sides);
  expect(await wrong()).toEqual(['appeals.chats: not so: deal 9']);
});
