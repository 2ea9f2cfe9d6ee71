import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eventually, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import {
  available,
  decode,
  held,
  LedgerCommandV1,
  ledgerPartition,
  TOPICS,
  UserEventV1,
  type Leg,
  type Message,
} from '@bourse/events';
import { ledgerDatabases, LedgerProcess, sender, BTC, USDT } from './writer-harness.js';

// A real database on a machine that may be busy with other suites.
jest.setTimeout(testTimeoutMs(24_000));

let test_: TestDatabases;
let process: LedgerProcess;
const started: LedgerProcess[] = [];
const start = async (options: Parameters<typeof LedgerProcess.start>[1] = {}): Promise<LedgerProcess> => {
  const one = await LedgerProcess.start(test_, options);
  started.push(one);
  return one;
};
beforeEach(async () => {
  test_ = await ledgerDatabases();
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
  await test_.end();
});

const order = (user: number, id: string, amount: string | { max: string; min: string }, more: object = {}) => ({
  commandId: `cmd-${id}`,
  issuer: 'spot-matching' as const,
  userId: user,
  bodyHash: 'body',
  journals: [
    {
      id: `order:${id}:hold`,
      causeType: 'order',
      causeId: id,
      legs: [{ from: available(user, 'change'), to: held(user, 'change', `order:${id}`), currency: USDT, amount }],
    },
  ],
  forward: {
    topic: TOPICS.spotCommands,
    partition: 0,
    message: { type: 'spot.place.v1', key: 'BTC/USDT', body: { orderId: id } },
  },
  answer: { type: 'ok' as const, key: 'trade.success', extra: { id } },
  ...more,
});
const settlement = (user: number, id: string, legs: Leg[]): Message => ({
  type: LedgerCommandV1.name,
  key: String(user),
  body: { issuer: 'spot-matching', userId: user, journals: [{ id, causeType: 'trade', causeId: id, legs }] },
});
const forwarded = (): Promise<{ payload: string }[]> =>
  test_.query(`select payload from ledger.outbox where topic = 'spot.commands' order by number`);
const numbers = async (sql: string): Promise<number> =>
  Number((await test_.query<{ n: string }>(`select count(*) as n from ${sql}`))[0]?.n);

describe.each([1, 3])('the writer, with %i partitions', (partitions) => {
  beforeEach(async () => {
    process = await start({ partitions });
  });

  test('64 parallel transfers of a tenth of the balance: exactly ten pass [LEDGER-020]', async () => {
    await process.seed(100_001, '1000');
    const replies = await Promise.all(Array.from({ length: 64 }, (_, n) => process.transfer(100_001, `t${n}`, '100')));
    expect(replies.filter((reply) => reply?.ok)).toHaveLength(10);
    expect(replies.filter((reply) => reply?.answer.key === 'balance.insufficient')).toHaveLength(54);
    expect([await process.balance(100_001), await process.balance(100_001, 'legal')]).toEqual([
      '0.00000000',
      '1000.00000000',
    ]);
    expect(await numbers(`ledger.journal where cause_type = 'transfer'`)).toBe(10);
  });

  test('a repeated id gets the first answer, no second effect; another body is refused [LEDGER-021]', async () => {
    await process.seed(100_001, '1000');
    const body = { bodyHash: 'a' };
    expect(await process.transfer(100_001, 't1', '100', body)).toMatchObject({
      ok: true,
      repeated: false,
      answer: { key: 'transfer.success', extra: { id: 't1' } },
    });
    expect(await process.transfer(100_001, 't1', '100', body)).toMatchObject({
      ok: true,
      repeated: true,
      answer: { key: 'transfer.success', extra: { id: 't1' } },
    });
    expect(await process.transfer(100_001, 't1', '200', { bodyHash: 'b' })).toMatchObject({
      ok: false,
      repeated: false,
      answer: { type: 'error', key: 'common.keyReused' },
    });
    // A request for the stored answer with another body does not get this one, even if the reply was lost.
    expect(await process.reader.answer('t1', 'b')).toMatchObject({ ok: false, answer: { key: 'common.keyReused' } });
    expect(await process.reader.answer('t1', 'a')).toMatchObject({ ok: true });
    const together = await Promise.all([1, 2, 3].map(() => process.transfer(100_001, 't2', '50', body)));
    expect(together.every((reply) => reply?.ok)).toBe(true);
    expect(await process.balance(100_001, 'legal')).toBe('150.00000000');
    // A refusal is an answer too: it stays one when the money has come.
    expect(await process.transfer(100_001, 't3', '5000', body)).toMatchObject({ ok: false });
    await process.seed(100_001, '9000', USDT, 'legal');
    expect(await process.transfer(100_001, 't3', '5000', body)).toMatchObject({
      ok: false,
      repeated: true,
      answer: { key: 'balance.insufficient' },
    });
  });

  test('an order is held, forwarded with its hold, and a second key answers the first order [LEDGER-022]', async () => {
    await process.seed(100_001, '1000');
    expect(
      await process.command(order(100_001, '1', { max: '2000', min: '900' }, { secondKey: 'coid:100001:mine' })),
    ).toMatchObject({ ok: true, held: '1000.00000000' });
    expect(await process.command(order(100_001, '2', '10', { secondKey: 'coid:100001:mine' }))).toMatchObject({
      ok: true,
      repeated: true,
      secondKeyHit: true,
      answer: { extra: { id: '1', repeated: 1 } },
    });
    expect(await process.command(order(100_001, '3', '10'))).toMatchObject({
      ok: false,
      answer: { key: 'balance.insufficient' },
    });
    const sent = (await forwarded()).flatMap(({ payload }) => JSON.parse(payload) as Message[]);
    expect(sent).toMatchObject([{ type: 'spot.place.v1', body: { orderId: '1' }, context: { held: '1000.00000000' } }]);
    expect(await process.reader.holds(100_001)).toEqual([
      {
        account: 'change',
        currency: USDT,
        remaining: '1000.00000000',
        name: 'order:1',
        causeType: 'order',
        causeId: '1',
      },
    ]);
    expect(await process.reader.answer('cmd-1')).toMatchObject({ ok: true, held: '1000.00000000' });
  });

  test('each person is sent the balances a command touched, as they are after it [LEDGER-036]', async () => {
    await process.seed(100_001, '1000');
    await process.command(order(100_001, '1', '400'));
    await process.transfer(100_001, 'too-much', '601');
    await process.transfer(100_001, 't1', '100');
    const sent = (
      await test_.query<{ payload: string }>(
        `select payload from ledger.outbox where topic = 'user.events' order by number`,
      )
    ).flatMap(({ payload }) => JSON.parse(payload) as Message[]);
    const account = (name: string, balance: string, lock: string) => ({
      currency: USDT,
      currency_name: 'USDT',
      account: name,
      balance: `${balance}.00000000`,
      lock_balance: `${lock}.00000000`,
    });
    expect(sent.map(({ type, key, body }) => [type, key, body])).toEqual(
      [
        [{ balances: [account('change', '1000', '0')], cause_type: 'seed', cause_id: '100001' }],
        [{ balances: [account('change', '600', '400')], cause_type: 'order', cause_id: '1' }],
        [
          {
            balances: [account('change', '500', '400'), account('legal', '100', '0')],
            cause_type: 'transfer',
            cause_id: 't1',
          },
        ],
      ].map(([payload]) => ['user.event.v1', '100001', { userId: 100_001, event: 'balance_update', payload }]),
    );
    for (const message of sent) expect(decode(UserEventV1, message).ok).toBe(true);
  });

  test("a cancel has no legs: it follows its order, and its answer is not the ledger's [LEDGER-023]", async () => {
    await process.seed(100_001, '1000');
    await process.command(order(100_001, '1', '10'));
    const { answer: _, ...cancel } = order(100_001, '1', '10', { commandId: 'cancel-1', journals: [] });
    await process.log.send(TOPICS.ledgerCommands, ledgerPartition(100_001, partitions), LedgerCommandV1.encode(cancel));
    expect(
      (
        await eventually(async () => {
          const rows = await forwarded();
          return rows.length === 2 ? rows : null;
        })
      ).map(({ payload }) => (JSON.parse(payload) as Message[]).length),
    ).toEqual([1, 1]);
    expect(await process.reader.answer('cancel-1')).toBeNull();
  });

  test('an expired command is refused, and the refusal is kept [LEDGER-024]', async () => {
    await process.seed(100_001, '1000');
    expect(await process.transfer(100_001, 'late', '1', { validUntil: Date.now() - 1_000 })).toMatchObject({
      ok: false,
      answer: { type: 'error', key: 'common.expired' },
    });
    expect(await process.transfer(100_001, 'late', '1', { validUntil: Date.now() + 4_000 })).toMatchObject({
      ok: false,
      repeated: true,
      answer: { key: 'common.expired' },
    });
    expect(await process.balance(100_001, 'legal')).toBe('0');
  });

  test('a refusal that is over after its hour is none, before its row is deleted [LEDGER-058]', async () => {
    const take = (body: string) => process.transfer(100_001, 'over', '10', { bodyHash: body });
    expect((await take('a'))?.answer.key).toBe('balance.insufficient');
    await test_.query(`update ledger.command set created_at = created_at - interval '61 minutes'`);
    expect(await process.reader.answer('over')).toBeNull();
    await process.seed(100_001, '10');
    expect(await take('b')).toMatchObject({ ok: true, repeated: false });
    expect(await process.reader.answer('over', 'b')).toMatchObject({ ok: true });
  });

  test('a settlement from a stream takes from the hold of its order and releases the rest [LEDGER-025]', async () => {
    const [buyer, seller] = [
      100_001,
      [100_002, 100_003, 100_004, 100_005, 100_006].find(
        (user) => ledgerPartition(user, partitions) === ledgerPartition(100_001, partitions),
      ) ?? 0,
    ];
    await process.seed(buyer, '1000');
    await process.seed(seller, '5', BTC);
    await process.command(order(buyer, '1', '600'));
    const { emit } = await sender(test_, process);
    await emit(ledgerPartition(buyer, partitions), [
      settlement(buyer, 'trade:BTC/USDT:1', [
        { from: held(buyer, 'change', 'order:1'), to: available(seller, 'change'), currency: USDT, amount: '499.5' },
        { from: held(buyer, 'change', 'order:1'), to: 'h.fees', currency: USDT, amount: '0.5', fee: true },
      ]),
      settlement(buyer, 'order:1:release', [
        { from: held(buyer, 'change', 'order:1'), to: available(buyer, 'change'), currency: USDT, amount: 'rest' },
      ]),
    ]);
    await eventually(async () => (await process.balance(seller)) === '499.50000000');
    expect([await process.balance(buyer), await process.reader.holds(buyer)]).toEqual(['500.00000000', []]);
    expect((await process.reader.check(buyer)).every((row) => row.equal)).toBe(true);
  });

  test('a settlement that cannot apply stops its stream with an alarm, all else works [LEDGER-026]', async () => {
    await process.seed(100_001, '1000');
    await process.command(order(100_001, '1', '100'));
    const { emit } = await sender(test_, process);
    const partition = ledgerPartition(100_001, partitions);
    const take = (amount: string): Leg[] => [
      { from: held(100_001, 'change', 'order:1'), to: 'h.fees', currency: USDT, amount },
    ];
    // The first message of the row would apply: a row applies whole or not at all.
    await emit(partition, [settlement(100_001, 'trade:1', take('10')), settlement(100_001, 'trade:2', take('91'))]);
    await emit(partition, [settlement(100_001, 'trade:3', take('1'))]);
    const alarm = await eventually(() =>
      process.alarms.list().find(({ name }) => name.startsWith('stream:ledger.writer')),
    );
    expect(alarm.detail).toContain('hold_exceeded');
    expect(await process.transfer(100_001, 'after', '900')).toMatchObject({ ok: true });
    expect((await process.reader.holds(100_001))[0]?.remaining).toBe('100.00000000');
    expect(await numbers(`ledger.journal where cause_type = 'trade'`)).toBe(0);
  });

  test('commands that make no sense are refused and stop nothing [LEDGER-027]', async () => {
    await process.seed(100_001, '1000');
    const foreign = [
      {
        id: 'x',
        causeType: 'transfer',
        causeId: 'x',
        legs: [{ from: available(100_001, 'change'), to: available(100_001, 'legal'), currency: 99, amount: '1' }],
      },
    ];
    expect(await process.transfer(100_001, 'unknown-coin', '1', { journals: foreign })).toMatchObject({
      ok: false,
      answer: { key: 'common.defect' },
    });
    expect(await process.transfer(100_001, 'too-fine', '0.000000001')).toMatchObject({
      ok: false,
      answer: { key: 'common.defect' },
    });
    expect(await process.transfer(100_001, 'not-mine', '1', { userId: 100_002 })).toMatchObject({ ok: false });
    await process.log.send(TOPICS.ledgerCommands, 0, { type: 'nonsense', key: '', body: null });
    expect(await process.transfer(100_001, 'fine', '1')).toMatchObject({ ok: true });
  });

  test('gathered commands commit together; journals are numbered and chained without gaps [LEDGER-028]', async () => {
    await process.seed(100_001, '1000');
    await Promise.all(Array.from({ length: 200 }, (_, n) => process.transfer(100_001, `g${n}`, '1')));
    const partition = ledgerPartition(100_001, partitions);
    const rows = await test_.query<{
      number: string;
      part: number;
      previous_hash: string;
      hash: string;
      created_at: Date;
    }>(
      `select number, part, previous_hash, hash, created_at
        from ledger.journal
        where partition = ${partition}
        order by number, part`,
    );
    for (const [index, row] of rows.entries()) expect(row.previous_hash).toBe(index === 0 ? '' : rows[index - 1]?.hash);
    expect(new Set(rows.map((row) => Number(row.number)))).toEqual(
      new Set(Array.from({ length: 201 }, (_, n) => n + 1)),
    );
    // One commit has one time.
    expect(new Set(rows.map((row) => row.created_at.getTime())).size).toBeLessThan(60);
  });

  test('a restart continues after the last commit [LEDGER-029]', async () => {
    await process.seed(100_001, '1000');
    await process.command(order(100_001, '1', '400'));
    await process.stop();
    started.length = 0;
    process = await start({ partitions });
    expect(await process.transfer(100_001, 't1', '601')).toMatchObject({ ok: false });
    expect(await process.transfer(100_001, 't2', '600')).toMatchObject({ ok: true });
    const { emit } = await sender(test_, process);
    await emit(ledgerPartition(100_001, partitions), [
      settlement(100_001, 'order:1:release', [
        { from: held(100_001, 'change', 'order:1'), to: available(100_001, 'change'), currency: USDT, amount: 'rest' },
      ]),
    ]);
    await eventually(async () => (await process.balance(100_001)) === '400.00000000');
    expect((await process.reader.check(100_001)).every((row) => row.equal)).toBe(true);
  });
});

describe('failures of the writer', () => {
  test('a batch whose transaction fails changes nothing and is repeated from the database [LEDGER-030]', async () => {
    let failures = 0;
    process = await start({
      fail: (changes) => {
        if (!changes.journals.some((row) => row.causeType === 'transfer') || failures === 2) return;
        failures += 1;
        throw new Error('the connection broke');
      },
    });
    await process.seed(100_001, '1000');
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => process.transfer(100_001, `f${n}`, '100')));
    expect(failures).toBe(2);
    expect(replies.filter((reply) => reply?.ok)).toHaveLength(10);
    expect(await process.balance(100_001, 'legal')).toBe('1000.00000000');
    expect((await process.reader.check(100_001)).every((row) => row.equal)).toBe(true);
  });

  test('a batch that stalled for more than five seconds is processed again and expires [LEDGER-034]', async () => {
    let late = 0;
    process = await start({
      late: () => {
        const by = late;
        late = 0;
        return by;
      },
    });
    await process.seed(100_001, '1000');
    late = 6_000;
    // Checked by the time it was read it was in time; by the time it would commit it was not.
    expect(await process.transfer(100_001, 'slow', '1', { validUntil: Date.now() - 3_000 })).toMatchObject({
      ok: false,
      answer: { key: 'common.expired' },
    });
    expect(await process.balance(100_001)).toBe('1000.00000000');
  });

  test('killed between commit and reply: the answer is stored, once, for a repeat [LEDGER-031]', async () => {
    process = await start();
    await process.seed(100_001, '1000');
    process.replies.publish = () => {
      throw new Error('killed before the reply');
    };
    const answer = await process.transfer(100_001, 'k1', '100', { bodyHash: 'a' });
    expect(answer).toMatchObject({ ok: true, repeated: true, answer: { extra: { id: 'k1' } } });
    await process.stop();
    started.length = 0;
    process = await start();
    expect(await process.transfer(100_001, 'k1', '100', { bodyHash: 'a' })).toMatchObject({ ok: true, repeated: true });
    expect(await process.balance(100_001, 'legal')).toBe('100.00000000');
  });

  test('only the writer changes balances, and nothing changes a journal [LEDGER-032]', async () => {
    process = await start();
    await process.seed(100_001, '1000');
    await expect(process.database.execute(`update balance set available = 1`)).rejects.toThrow('only the writer');
    await expect(process.database.execute(`delete from hold`)).rejects.toThrow('only the writer');
    await expect(
      process.database.transaction(async (tx) => {
        await tx.query(`select set_config('bourse.ledger_writer', 'on', true)`);
        await tx.execute(`update journal set owner = 1`);
      }),
    ).rejects.toThrow('never changed');
  });

  test.each(['-1', '1e20', 'NaN', 'Infinity'])('the columns refuse %s as a balance [LEDGER-033]', async (amount) => {
    process = await start();
    await process.seed(100_001, '1000');
    for (const column of ['available', 'held']) {
      await expect(
        process.database.transaction(async (tx) => {
          await tx.query(`select set_config('bourse.ledger_writer', 'on', true)`);
          await tx.execute(`update balance set ${column} = '${amount}' where owner = 100001`);
        }),
      ).rejects.toThrow('check constraint');
    }
  });
});
