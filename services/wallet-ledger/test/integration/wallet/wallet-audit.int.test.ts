import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SEED_CURRENCIES, SEED_NETWORKS } from '@bourse/contract';
import { available, held, LedgerCommandV1, ledgerPartition, TOPICS, WithdrawalPlaceV1, type Leg } from '@bourse/events';
import { formatUnits, toUnits } from '@bourse/money';
import { eventually, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { PostgresWalletAuditReads } from '../../../src/wallet/audit/persistence/wallet-audit-reads.js';
import type { Currencies } from '../../../src/ledger/application/currencies.js';
import { emitDeposit } from '../../../src/wallet/deposits/application/confirm-deposit.js';
import { emitDone, emitRelease } from '../../../src/wallet/withdrawals/application/open-withdrawals.js';
import { WalletAudit } from '../../../src/wallet/audit/application/wallet-audit.js';
import { ledgerDatabases, LedgerProcess, USDT } from '../ledger/writer-harness.js';

jest.setTimeout(testTimeoutMs(24_000));

const PARTITIONS = 3;
const [ANN, BEN, CID] = [100_001, 100_002, 100_003];
const TRC20 = SEED_NETWORKS.find(({ type }) => type === 'TRC20')?.id ?? 0;
const CHAIN_SCALE = 6;
const SCALE = 8;

let db: TestDatabases;
let process: LedgerProcess;
let audit: WalletAudit;

/** A withdrawal of 150 USDT at 1 %, as the ledger and the wallet store it on the way to `state`. */
async function withdraw(
  id: string,
  user: number,
  state: 'review' | 'sending' | 'done' | 'failed' | 'cancelled',
  received = '148.50000001',
  fee = '1.50000001',
): Promise<void> {
  const number = '150.00000002';
  await hold(id, user, number);
  await process.database.transaction(async (tx) => {
    await tx.execute(
      `insert into withdrawal (id, user_id, currency_id, network_id, number, fee, received, address, memo, state, value,
        day, approvals_needed, command_id, created_at, updated_at)
      values ($1::text::bigint, $2, ${USDT}, ${TRC20}, $3, $4, $5, 'T', '', $6, 150, '2026-01-01', 0, 'w' || $1::text,
        now(), now())`,
      [id, user, number, fee, received, state],
    );
    const payout = { sending: 'signed', done: 'done', failed: 'failed', review: null, cancelled: null }[state];
    if (payout) {
      await tx.execute(
        `insert into payout (reference, chain, address, memo, contract, amount, confirmations_needed, state, tx_id)
          values ($1, 'tron', 'T', '', 'c', 148500000, 6, $2, $3)`,
        [`withdrawal:${id}`, payout, `tx${id}`],
      );
      await tx.execute(
        `insert into payout_signature (reference, attempt, chain, tx_id, bytes, spends, network_fee, signed_at)
          values ($1, 0, 'tron', $2, '', array[$3], 1, now())`,
        [`withdrawal:${id}`, `tx${id}`, `nonce:hot:${id}`],
      );
      if (payout !== 'failed')
        await tx.execute(`insert into payout_spend values ('tron', $1, $2)`, [`nonce:hot:${id}`, `withdrawal:${id}`]);
    }
    const partition = ledgerPartition(user, PARTITIONS);
    if (state === 'done')
      emitDone(
        tx,
        { id, userId: user, currencyId: USDT, fee, received },
        { scale: SCALE, chainScale: CHAIN_SCALE },
        partition,
      );
    if (state === 'failed' || state === 'cancelled') emitRelease(tx, id, { userId: user, currencyId: USDT }, partition);
  });
}
const hold = async (id: string, user: number, number: string): Promise<void> => {
  const reply = await process.command({
    commandId: `hold:${id}`,
    userId: user,
    answer: { type: 'ok' },
    journals: [
      {
        id: `withdrawal:${id}:hold`,
        causeType: 'withdrawal',
        causeId: id,
        legs: [
          {
            from: available(user, 'change'),
            to: held(user, 'change', `withdrawal:${id}`),
            currency: USDT,
            amount: number,
          },
        ],
      },
    ],
  });
  expect(reply?.ok).toBe(true);
};
/** A deposit, with the journals of the transitions it went through. */
async function deposit(
  id: string,
  user: number | null,
  state: string,
  amount: string,
  transitions: readonly ('held' | 'credit' | 'return')[],
): Promise<void> {
  await process.database.transaction(async (tx) => {
    await tx.execute(
      `insert into deposit (id, network_id, chain, contract, tx_id, output, address, memo, user_id, currency_id, amount,
        chain_amount, height, state, confirmations_needed, return_fee, seen_at, updated_at)
      values ($1::text::bigint, ${TRC20}, 'tron', 'c', 'd' || $1::text, 0, 'T', '', $2, ${USDT}, $3, 1, 1, $4, 6, $5,
        now(), now())`,
      [id, user, amount, state, state === 'returned' || state === 'returning' ? '0.5' : '0'],
    );
    if (state === 'returned' || state === 'returning') {
      await tx.execute(
        `insert into payout (reference, chain, address, memo, contract, amount, confirmations_needed, state)
          values ('deposit:' || $1::text, 'tron', 'T', '', 'c', 1, 6, $2)`,
        [id, state === 'returned' ? 'done' : 'waiting'],
      );
      if (state === 'returned') {
        await tx.execute(`update payout set tx_id = 'r' || $1::text where reference = 'deposit:' || $1::text`, [id]);
        await tx.execute(
          `insert into payout_signature
            values ('deposit:' || $1::text, 0, 'tron', 'r' || $1::text, '', array['nonce:hot:r' || $1::text], 1,
              now())`,
          [id],
        );
        await tx.execute(
          `insert into payout_spend values ('tron', 'nonce:hot:r' || $1::text, 'deposit:' || $1::text)`,
          [id],
        );
      }
    }
    for (const transition of transitions) {
      const legs: Leg[] = {
        held: [{ from: 'h.outside', to: 'h.suspense', currency: USDT, amount }],
        credit: [
          {
            from: transitions.includes('held') ? 'h.suspense' : 'h.outside',
            to: available(user ?? 1, 'change'),
            currency: USDT,
            amount,
          },
        ],
        return: [
          {
            from: 'h.suspense',
            to: 'h.outside',
            currency: USDT,
            amount: formatUnits(toUnits(amount, 8) - toUnits('0.5', 8), 8),
          },
          { from: 'h.suspense', to: 'h.fees', currency: USDT, amount: '0.5' },
        ],
      }[transition];
      emitDeposit(tx, PARTITIONS, { id, userId: user }, { transition, legs });
    }
  });
}
const settled = (): Promise<true> =>
  eventually(
    async () =>
      (
        await db.query(
          `select 1 from ledger.stream s
            left join ledger.position p on p.stream = s.name and p.consumer = 'ledger.writer'
            where s.name like '%>ledger.commands/%' and s.next - 1 > coalesce(p.number, 0)`,
        )
      ).length === 0 || null,
  );
const wrong = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await audit.run()).filter(({ ok }) => !ok).map(({ name, detail }) => [name, detail]));

beforeAll(async () => {
  db = await ledgerDatabases();
  process = await LedgerProcess.start(db, { partitions: PARTITIONS });
  audit = new WalletAudit(new PostgresWalletAuditReads(process.database), {
    scaleOf: (id: number) => SEED_CURRENCIES.find((row) => row.id === id)?.scale,
  } as Currencies);
  for (const { id, currencyId, chain, type, contractAddress, chainScale, confirmations } of SEED_NETWORKS) {
    await db.query(
      `insert into ledger.network values ($1, $2, $3, $4::text, $4::text, $5, $6, false, 1, 1, 0, $7, 1)`,
      [id, currencyId, chain, type, contractAddress, chainScale, confirmations],
    );
  }
  for (const user of [ANN, BEN, CID]) await process.seed(user, '10000');
  await withdraw('11', ANN, 'review');
  await withdraw('12', ANN, 'sending');
  await withdraw('13', BEN, 'done');
  await withdraw('14', BEN, 'failed');
  await withdraw('15', CID, 'cancelled');
  await deposit('21', ANN, 'credited', '120', ['credit']);
  await deposit('22', ANN, 'credited', '60', ['held', 'credit']);
  await deposit('23', BEN, 'held', '20', ['held']);
  await deposit('24', BEN, 'returning', '30', ['held']);
  await deposit('25', CID, 'returned', '40', ['held', 'return']);
  await deposit('26', null, 'held', '50', ['held']);
  await deposit('27', CID, 'seen', '70', []);
  // Held, and refused by the wallet before it was opened.
  await hold('19', CID, '5');
  await process.database.transaction(async (tx) => {
    emitRelease(tx, '19', { userId: CID, currencyId: USDT }, ledgerPartition(CID, PARTITIONS));
  });
  await settled();
});
afterAll(async () => {
  await process.stop();
  await db.end();
});

test('deposits and withdrawals in every state agree with their journals, holds and payments [AUDIT-023]', async () => {
  expect((await audit.run()).map(({ name, ok }) => [name, ok])).toEqual(
    ['suspense', 'deposits', 'withdrawals', 'payouts', 'adjustments'].map((name) => [name, true]),
  );
  expect((await process.audit.run()).filter(({ ok }) => !ok)).toEqual([]);
});

test.each<[string, string, string, string, string]>([
  [
    "a wrong unit in a withdrawal's amount",
    `update ledger.withdrawal set number = number + 0.00000001, received = received + 0.00000001 where id = 11`,
    `update ledger.withdrawal set number = number - 0.00000001, received = received - 0.00000001 where id = 11`,
    'withdrawals',
    'withdrawal 11 needs 150.00000003',
  ],
  [
    'a wrong unit in a finished one',
    `update ledger.withdrawal set number = number + 0.00000001, fee = fee + 0.00000001 where id = 13`,
    `update ledger.withdrawal set number = number - 0.00000001, fee = fee - 0.00000001 where id = 13`,
    'withdrawals',
    'withdrawal 13 should have moved',
  ],
  [
    'a withdrawal that is done and no money has left',
    `update ledger.withdrawal set state = 'done' where id = 12`,
    `update ledger.withdrawal set state = 'sending' where id = 12`,
    'withdrawals',
    'withdrawal 12',
  ],
  [
    'a withdrawal called off while it is paid',
    `update ledger.withdrawal set state = 'cancelled' where id = 13`,
    `update ledger.withdrawal set state = 'done' where id = 13`,
    'withdrawals',
    'withdrawal 13 is cancelled and its payment is done',
  ],
  [
    'a withdrawal that is gone',
    `update ledger.withdrawal set id = 911 where id = 11`,
    `update ledger.withdrawal set id = 11 where id = 911`,
    'withdrawals',
    'withdrawal 11 needs nothing',
  ],
  [
    'a payment of one unit of the chain more',
    `update ledger.payout set amount = amount + 1 where reference = 'withdrawal:12'`,
    `update ledger.payout set amount = amount - 1 where reference = 'withdrawal:12'`,
    'withdrawals',
    'withdrawal 12 pays out 148500001',
  ],
  [
    'two payments that spend the same',
    `update ledger.payout_signature set spends = array['nonce:hot:13'] where reference = 'withdrawal:12'`,
    `update ledger.payout_signature set spends = array['nonce:hot:12'] where reference = 'withdrawal:12'`,
    'payouts',
    'withdrawal:12 spends nonce:hot:13',
  ],
  [
    'a payment by a transaction that was not signed',
    `update ledger.payout set tx_id = 'other' where reference = 'withdrawal:13'`,
    `update ledger.payout set tx_id = 'tx13' where reference = 'withdrawal:13'`,
    'payouts',
    'withdrawal:13 is done by',
  ],
  [
    'a credited deposit without a journal',
    `update ledger.deposit set state = 'credited' where id = 27`,
    `update ledger.deposit set state = 'seen' where id = 27`,
    'deposits',
    'deposit 27 is credited',
  ],
  [
    'a wrong unit in a credited deposit',
    `update ledger.deposit set amount = amount + 0.00000001 where id = 22`,
    `update ledger.deposit set amount = amount - 0.00000001 where id = 22`,
    'deposits',
    'deposit 22',
  ],
  [
    'a deposit whose owner was changed',
    `update ledger.deposit set user_id = ${CID} where id = 21`,
    `update ledger.deposit set user_id = ${ANN} where id = 21`,
    'deposits',
    'deposit 21',
  ],
  [
    'a deposit that is gone',
    `update ledger.deposit set id = 921 where id = 21`,
    `update ledger.deposit set id = 21 where id = 921`,
    'deposits',
    'deposit 921',
  ],
  [
    'a held deposit of another amount',
    `update ledger.deposit set amount = amount + 1 where id = 26`,
    `update ledger.deposit set amount = amount - 1 where id = 26`,
    'suspense',
    'h.suspense of currency 3',
  ],
  [
    'money in suspense that nobody sent',
    `update ledger.balance set available = available + 0.00000001 where product = 'h.suspense' and available > 0`,
    `update ledger.balance set available = available - 0.00000001 where product = 'h.suspense' and available > 0`,
    'suspense',
    'h.suspense of currency 3',
  ],
  [
    'a return that never left',
    `update ledger.payout set state = 'signed' where reference = 'deposit:25'`,
    `update ledger.payout set state = 'done' where reference = 'deposit:25'`,
    'deposits',
    'deposit 25 is returned and its payment back is signed',
  ],
  [
    'a hold without its withdrawal',
    `insert into ledger.hold values (${ANN}, 'change', ${USDT}, 'withdrawal:99', 0, 1, 'withdrawal', '99')`,
    `delete from ledger.hold where name = 'withdrawal:99'`,
    'withdrawals',
    'withdrawal 99 needs nothing',
  ],
  [
    'a journal of something that is not there',
    `update ledger.journal set cause_id = '77' where cause_type = 'deposit' and cause_id = '23'`,
    `update ledger.journal set cause_id = '23' where cause_type = 'deposit' and cause_id = '77'`,
    'deposits',
    'deposit',
  ],
  [
    'a correction that nobody approved',
    `insert into ledger.adjustment (user_id, account, currency_id, amount, reason_code, note, state, created_by,
        created_by_name, created_at, decided_by)
      values (${ANN}, 'change', 3, 5, 'x', 'x', 'approved', 1, 'a', now(), 2)`,
    `delete from ledger.adjustment`,
    'adjustments',
    'is approved and has 0 journals',
  ],
])('%s is found and named [AUDIT-024]', async (_, plant, mend, check, named) => {
  const changed = async (sql: string): Promise<void> => {
    // Changes rows with all rights on the database.
    await db.query('set session_replication_role = replica');
    await db.query(sql);
    await db.query('set session_replication_role = default');
  };
  await changed(plant);
  const found = await wrong();
  expect(found[check]).toContain(named);
  await changed(mend);
  expect(await wrong()).toEqual({});
});

test('messages in flight between wallet and writers are no difference; stopped ones are [AUDIT-025]', async () => {
  const { partition } = await process.database.transaction(async (tx) => {
    // A row that the writer has not seen: its stream is not read further than it is there.
    await tx.execute(`insert into deposit (id, network_id, chain, contract, tx_id, output, address, memo, user_id,
      currency_id, amount, chain_amount, height, state, confirmations_needed, seen_at, updated_at)
      values (31, ${TRC20}, 'tron', 'c', 'd31', 0, 'T', '', ${BEN}, ${USDT}, 9, 1, 1, 'held', 6, now(), now())`);
    const message = LedgerCommandV1.encode({
      issuer: 'chain',
      userId: BEN,
      journals: [
        {
          id: 'deposit:31:held',
          causeType: 'deposit',
          causeId: '31',
          legs: [{ from: 'h.outside', to: 'h.suspense', currency: USDT, amount: '9' }],
        },
      ],
    });
    await tx.execute(
      `insert into outbox (stream, number, topic, partition, previous_hash, hash, payload)
        values ('slow>${TOPICS.ledgerCommands}/0', 1, '${TOPICS.ledgerCommands}', 0, '', 'x', $1)`,
      [JSON.stringify([message])],
    );
    await tx.execute(`insert into stream values ('slow>${TOPICS.ledgerCommands}/0', 2, '', 'x')`);
    return { partition: ledgerPartition(BEN, PARTITIONS) };
  });
  expect(partition).toBeGreaterThanOrEqual(0);
  expect(await wrong()).toEqual({});
  // The writer's position says that it has come by: now it counts.
  await db.query(`insert into ledger.position values ('ledger.writer', 'slow>${TOPICS.ledgerCommands}/0', 1, 'x')`);
  expect(await wrong()).toMatchObject({
    suspense: expect.stringContaining('h.suspense'),
    deposits: expect.stringContaining('deposit 31'),
  });
  await db.query('delete from ledger.deposit where id = 31');
  expect(await wrong()).toEqual({});
});

test('a hold whose withdrawal the wallet has not opened yet is no difference [AUDIT-025]', async () => {
  const place = WithdrawalPlaceV1.encode({
    withdrawalId: '41',
    userId: CID,
    currencyId: USDT,
    networkId: TRC20,
    number: '7',
    fee: '1',
    received: '6',
    address: 'T',
    memo: '',
    at: 0,
    commandId: 'p41',
    bodyHash: null,
    hasKey: false,
    replyTo: '',
    validUntil: 0,
  });
  const reply = await process.command({
    commandId: 'p41',
    userId: CID,
    answer: { type: 'ok' },
    forward: { topic: TOPICS.walletCommands, partition: 0, message: place },
    journals: [
      {
        id: 'withdrawal:41:hold',
        causeType: 'withdrawal',
        causeId: '41',
        legs: [
          { from: available(CID, 'change'), to: held(CID, 'change', 'withdrawal:41'), currency: USDT, amount: '7' },
        ],
      },
    ],
  });
  expect(reply?.ok).toBe(true);
  expect(await wrong()).toEqual({});
  const [stream] = await db.query<{ name: string; last: string }>(
    `select name, next - 1 as last from ledger.stream where name like '%>${TOPICS.walletCommands}/0'`,
  );
  await db.query(`insert into ledger.position values ('wallet.withdrawals', $1, $2, 'x')`, [
    stream?.name,
    stream?.last,
  ]);
  expect(await wrong()).toMatchObject({ withdrawals: expect.stringContaining('withdrawal 41 needs nothing') });
});
