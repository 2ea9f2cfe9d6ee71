import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Kafka, logLevel, type Producer } from 'kafkajs';
import pg from 'pg';
import { available, LedgerCommandV1, TOPICS, type LedgerCommand } from '@bourse/events';
import { kafkaAddress, RecordSeal } from '@bourse/messaging';
import { chainHash } from '@bourse/persistence';
import { CONTEXT_HEADER, InternalCalls, loadConfig, type Config } from '@bourse/platform';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, get, post, put, trader, type Balances } from './client.js';

/*
 * market-data is compromised: the attacker has what its process has, and nothing else. The attacks are refused, and the
 * exchange continues.
 */
jest.setTimeout(testTimeoutMs(30_000));

const processes = process.env['BOURSE_PROCESSES'] ?? '';
const dataDir = dirname(processes);
const [ALICE, BOB] = [100001, 100002];
const USDT = 3;

/** Returns the environment of a running service, as an attacker inside sees it. */
function environmentOf(service: string): Record<string, string> {
  const { children } = JSON.parse(readFileSync(processes, 'utf8')) as { children: Record<string, { pid: number }> };
  const text = readFileSync(`/proc/${children[service]?.pid}/environ`, 'utf8');
  return Object.fromEntries(
    text.split('\0').flatMap((line) => {
      const equals = line.indexOf('=');
      return equals < 1 ? [] : [[line.slice(0, equals), line.slice(equals + 1)]];
    }),
  );
}

/** Reads the lines of the security log about one event. */
function readSecurityLog(event: string): readonly Record<string, unknown>[] {
  const file = join(dataDir, 'security.log');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"${event}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

interface Check {
  readonly name: string;
  readonly ok: number;
  readonly detail: string;
}

let stolen: Record<string, string>;
let config: Config;
beforeAll(() => {
  stolen = environmentOf('market-data');
  config = loadConfig(stolen);
});

test('its process has its own secrets alone [HARD-209]', () => {
  const held = (service: string): string[] =>
    Object.keys(environmentOf(service)).filter((name) => /SECRET|PEPPER|OWNER/.test(name));
  for (const service of ['market-data', 'spot-matching']) expect(held(service)).toEqual([]);
  expect([config.jwtSecret, config.passwordPepper, config.walletKeySecret, config.answerSecret].join('')).toBe('');
  for (const name of ['DATABASE_URL', 'INTERNAL_KEY', 'KAFKA_SASL_PASSWORD'] as const)
    expect(environmentOf('wallet-ledger')[name]).not.toBe(stolen[name]);
});

describe('with its login of the database [HARD-209]', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: stolen['DATABASE_URL'] });
    await client.connect();
  });
  afterAll(() => client.end());

  test.each([
    'select * from ledger.balance limit 1',
    `update ledger.balance set available = 1000000 where owner = ${ALICE}`,
    'delete from ledger.journal',
    `insert into ledger.outbox (stream, number, topic, partition, previous_hash, hash, payload)
      values ('ledger.0>wallet.commands/0', 1, 'wallet.commands', 0, '', '', '[]')`,
    `insert into spot.outbox (stream, number, topic, partition, previous_hash, hash, payload)
      values ('spot>ledger.commands/0', 1, 'ledger.commands', 0, '', '', '[]')`,
    'update spot.stream set next = 1',
    'select * from auth.person limit 1',
    'select * from auth.operator limit 1',
    'update gateway.migration set hash = null',
    `set role bourse_ledger`,
    `create function ledger.f() returns int language sql as 'select 1'`,
    `create function public.f() returns int language sql as 'select 1'`,
    'create schema mine',
    `alter role bourse_ledger password 'mine'`,
    'grant bourse_ledger to bourse_market',
  ])('%s', async (sql) => {
    for (const first of ['reset role', 'reset session authorization', 'discard all']) {
      await client.query(first);
      await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
    }
    const [who] = (await client.query<{ name: string }>('select current_user as name')).rows;
    expect(who?.name).toBe('bourse_market');
  });
});

describe('with its user of Kafka [HARD-209]', () => {
  let producer: Producer;
  let before: Balances;
  let token: string;
  const mark = randomBytes(6).toString('hex');
  const theft: LedgerCommand = {
    commandId: `forged-${mark}`,
    issuer: 'spot-matching',
    userId: ALICE,
    journals: [
      {
        id: `forged:${mark}`,
        causeType: 'trade',
        causeId: mark,
        legs: [{ from: available(ALICE, 'change'), to: available(BOB, 'change'), currency: USDT, amount: '1' }],
      },
    ],
  };
  const command = JSON.stringify(LedgerCommandV1.encode(theft));
  const row = (stream: string, topic: string, payload: string) => ({
    ...{ stream, topic, partition: 0, number: 1_000_000, previousHash: 'a'.repeat(32), payload },
    hash: chainHash('a'.repeat(32), payload),
  });
  const headersOf = ({ stream, number, previousHash, hash }: ReturnType<typeof row>): Record<string, string> => ({
    ...{ stream, number: String(number), prev: previousHash, hash },
  });

  beforeAll(async () => {
    token = await trader(1);
    before = await balanceOf(token, USDT);
    producer = new Kafka({
      ...kafkaAddress(config.kafkaBrokers, config.kafkaAccess),
      logLevel: logLevel.NOTHING,
    }).producer({
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    });
    await producer.connect();
  });
  afterAll(() => producer.disconnect());

  test('journals in the name of another service are not posted, whatever the record claims', async () => {
    const seal = new RecordSeal(config.keys);
    const asItself = seal.ofCommand(TOPICS.ledgerCommands, 0, command);
    const asSpot = row('spot>ledger.commands/0', TOPICS.ledgerCommands, `[${command}]`);
    const asLedger = row('ledger.0>spot.commands/0', TOPICS.spotCommands, `[${command}]`);
    const trade = row('spot>spot.events/0', TOPICS.spotEvents, '[{"type":"spot.trade.v1","key":"1","body":{}}]');
    const withdrawal = row(
      'ledger.0>wallet.commands/0',
      TOPICS.walletCommands,
      '[{"type":"x.v1","key":"1","body":{}}]',
    );
    const since = readSecurityLog('record.forged').length;
    await producer.sendBatch({
      topicMessages: [
        {
          topic: TOPICS.ledgerCommands,
          messages: [
            { value: command, partition: 0 },
            { value: command, partition: 0, headers: asItself },
            { value: command, partition: 0, headers: { ...asItself, from: 'spot-matching' } },
            { value: asSpot.payload, partition: 0, headers: headersOf(asSpot) },
            { value: asSpot.payload, partition: 0, headers: { ...headersOf(asSpot), ...seal.ofRow(asSpot) } },
            { value: 'no JSON', partition: 0, headers: headersOf(asSpot) },
          ],
        },
        {
          topic: TOPICS.spotCommands,
          messages: [{ value: asLedger.payload, partition: 0, headers: headersOf(asLedger) }],
        },
        { topic: TOPICS.spotEvents, messages: [{ value: trade.payload, partition: 0, headers: headersOf(trade) }] },
        {
          topic: TOPICS.walletCommands,
          messages: [{ value: withdrawal.payload, partition: 0, headers: headersOf(withdrawal) }],
        },
      ],
    });
    const topics = await eventuallySatisfied(
      () =>
        Promise.resolve(
          new Set(
            readSecurityLog('record.forged')
              .slice(since)
              .map(({ topic }) => topic),
          ),
        ),
      (found) => found.size >= 4,
      15_000,
    );
    expect([...topics].sort()).toEqual(
      [TOPICS.ledgerCommands, TOPICS.spotCommands, TOPICS.spotEvents, TOPICS.walletCommands].sort(),
    );
  });

  test('the streams of other services continue, nothing has moved, and an alarm is raised', async () => {
    // Through the same partitions, behind the forged records: there and back.
    const placed = await post(
      '/api/coin/trade',
      { legal_id: USDT, currency_id: 1, type: 1, target_price: '30000', amount: '0.001' },
      { token },
    );
    expect(placed.body).toMatchObject({ type: 'ok' });
    expect((await put('/api/coin/trade', { id: placed.body.id }, { token })).body).toMatchObject({
      type: 'ok',
    });
    await eventuallySatisfied(
      () => balanceOf(token, USDT),
      (now) => JSON.stringify(now) === JSON.stringify(before),
      15_000,
    );
    const wrong = (checks: readonly Check[]): readonly Check[] => checks.filter(({ ok }) => ok !== 1);
    const audit = async (): Promise<readonly Check[]> =>
      ((await get('/dev/audit')).body.message as unknown as { checks: readonly Check[] }).checks;
    // The gateway gets the alarms of other services within seconds.
    const found = wrong(await eventuallySatisfied(audit, (checks) => wrong(checks).length > 0, 15_000));
    expect(found.map(({ name }) => name)).toEqual(['gateway.alarms']);
    expect(found[0]?.detail).toMatch(/forged:/);
    expect(found[0]?.detail).not.toMatch(/stream:/);
    // It ends by itself when nothing forged comes any more.
    await eventuallySatisfied(audit, (checks) => wrong(checks).length === 0, 20_000);
  });

  test('the broker refuses connections without a password', async () => {
    const admin = new Kafka({
      ...kafkaAddress(config.kafkaBrokers),
      logLevel: logLevel.NOTHING,
      retry: { retries: 0 },
    }).admin();
    await expect(admin.connect().then(() => admin.listTopics())).rejects.toThrow();
    await admin.disconnect();
  });
});

describe('with its key for calls [HARD-209]', () => {
  const send = async (
    service: string,
    url: string,
    { body = '{}', headers }: { body?: string; headers: Readonly<Record<string, string>> },
  ): Promise<{ status: number; text: string }> => {
    const response = await fetch(new URL(url, config.services[service]), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    return { status: response.status, text: await response.text() };
  };
  const question = (value: object): string => JSON.stringify({ question: value, timeoutMs: 2_000 });
  const signed = (to: string, url: string, body: string, context: unknown = null): Readonly<Record<string, string>> =>
    new InternalCalls(config.keys).sign(to, { method: 'POST', url, body }, Date.now(), context as null);

  test('a permitted query is answered once; changed, replayed or redirected it is refused', async () => {
    const url = '/internal/ask/wallet-ledger.balances';
    const body = question({ userId: BOB });
    const headers = signed('wallet-ledger', url, body);
    expect(await send('wallet-ledger', url, { body, headers })).toMatchObject({ status: 200 });
    const fresh = (): Readonly<Record<string, string>> => signed('wallet-ledger', url, body);
    for (const refused of [
      await send('wallet-ledger', url, { body, headers }),
      await send('wallet-ledger', url, { body: question({ userId: ALICE }), headers: fresh() }),
      await send('wallet-ledger', `${url}?x=1`, { body, headers: fresh() }),
      await send('wallet-ledger', url.replace('balances', 'holds'), { body, headers: fresh() }),
      await send('auth', url, { body, headers: fresh() }),
      await send('wallet-ledger', url, { body, headers: {} }),
    ])
      expect(refused.status).toBe(403);
  });

  test('a forbidden query is refused by name, also for users it may not act for', async () => {
    for (const [service, what, asked] of [
      ['wallet-ledger', 'wallet-ledger.holds', { userId: ALICE }],
      ['wallet-ledger', 'wallet-ledger.export', { what: 'ledger', from: 0, to: Date.now(), after: null }],
      ['auth', 'auth.session', { token: 'x' }],
      ['auth', 'auth.fund', { userId: ALICE, password: 'x' }],
      ['auth', 'auth.outbox', {}],
      ['auth', 'auth.parties', { userIds: [ALICE] }],
      ['auth', 'auth.acceptors', { userIds: [ALICE] }],
      ['auth', 'auth.role', { userId: ALICE, isSeller: true, reason: 'x' }],
      ['auth', 'auth.approval', { operator: {}, call: 'acceptors/save', payload: {} }],
      ['spot-matching', 'spot-matching.mode', { symbol: 'BTC/USDT', mode: 'halted' }],
      ['spot-matching', 'spot-matching.place', { userId: ALICE, fields: {} }],
      ['spot-matching', 'spot-matching.cancel', { userId: ALICE, orderId: '1' }],
      ['spot-matching', 'spot-matching.open', { userId: ALICE }],
    ] as const) {
      const url = `/internal/ask/${what}`;
      const body = question(asked);
      const { text } = await send(service, url, { body, headers: signed(service, url, body) });
      expect(text).toMatch(/"refused":\{"key":"common\.forbidden"/);
    }
  });

  test('it cannot pose as the gateway, nor state a caller', async () => {
    const url = '/internal/ask/wallet-ledger.holds';
    const body = question({ userId: ALICE });
    const [claims = '', mac = ''] = (signed('wallet-ledger', url, body)[CONTEXT_HEADER] ?? '').split('.');
    const renamed = { ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), from: 'gateway' };
    const forged = `${Buffer.from(JSON.stringify(renamed)).toString('base64url')}.${mac}`;
    expect((await send('wallet-ledger', url, { body, headers: { [CONTEXT_HEADER]: forged } })).status).toBe(403);

    const caller = { userId: ALICE, sessionId: 's', kind: 'user', lang: 'en', roles: [], permissions: [] };
    const context = { requestId: 'r', lang: 'en', ip: '192.0.2.1', agent: '', caller, commandId: null, hasKey: false };
    const call = '/api/wallet/detail';
    const given = JSON.stringify({ currency: USDT });
    const answer = await send('wallet-ledger', call, {
      body: given,
      headers: signed('wallet-ledger', call, given, context),
    });
    expect(answer.status).toBe(403);
    expect(readSecurityLog('internal.refused').length).toBeGreaterThan(0);
  });
});
