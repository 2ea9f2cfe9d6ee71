import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { available, LedgerCommandV1, resultsTopic, TOPICS, type LedgerResult, type Message } from '@bourse/events';
import { eventually, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { ledgerDatabases, LedgerProcess, sender, USDT } from './writer-harness.js';

// A real database on a machine that may be busy with other suites.
jest.setTimeout(testTimeoutMs(24_000));

const USER = 100_001;
const topic = resultsTopic('wallet-ledger');
let test_: TestDatabases;
let process: LedgerProcess;
let emit: (partition: number, messages: readonly Message[]) => Promise<void>;

beforeEach(async () => {
  test_ = await ledgerDatabases();
  process = await LedgerProcess.start(test_);
  await process.seed(USER, '100');
  ({ emit } = await sender(test_, process));
});
afterEach(async () => {
  await process.stop();
  await test_.end();
});

const move = (object: string, amount: string, more: object = {}): Message =>
  LedgerCommandV1.encode({
    issuer: 'wallet-ledger',
    userId: USER,
    onBehalfOf: USER,
    resultTo: { topic, partition: 0, saga: 'stake.open', object },
    journals: [
      {
        id: `stake:${object}`,
        causeType: 'transfer',
        causeId: object,
        legs: [{ from: available(USER, 'change'), to: available(USER, 'legal'), currency: USDT, amount }],
      },
    ],
    ...more,
  });
/** Results in the ledger's outbox, in the order of their commits. */
async function results(): Promise<readonly LedgerResult[]> {
  const rows = await test_.query<{ payload: string }>(
    'select payload from ledger.outbox where topic = $1 order by number',
    [topic],
  );
  return rows.flatMap(({ payload }) => (JSON.parse(payload) as Message<LedgerResult>[]).map(({ body }) => body));
}
const told = async (count: number): Promise<readonly LedgerResult[]> => {
  await eventually(async () => (await results()).length >= count);
  return results();
};

describe('results of the ledger', () => {
  test('an applied journal is reported with the time of its acceptance [SAGA-005]', async () => {
    await emit(0, [move('1', '10')]);
    const [result] = await told(1);
    expect(result).toMatchObject({ saga: 'stake.open', object: '1', userId: USER, posted: true });
    expect(Math.abs((result?.acceptedAt ?? 0) - Date.now())).toBeLessThan(30_000);
    expect(await process.balance(USER, 'legal')).toBe('10.00000000');
  });

  test('a refused row that names where its result goes stops no stream [SAGA-005]', async () => {
    await emit(0, [move('1', '10'), move('2', '1000')]);
    await emit(0, [move('3', '5')]);
    expect((await told(3)).map(({ object, posted, refusal }) => [object, posted, refusal?.key])).toEqual([
      ['1', true, undefined],
      ['2', false, 'balance.insufficient'],
      ['3', true, undefined],
    ]);
    expect(process.alarms.list()).toEqual([]);
    expect(await process.balance(USER, 'legal')).toBe('15.00000000');
  });

  const OTHER = 100_002;
  const leg = { from: available(USER, 'change'), to: available(USER, 'legal'), currency: USDT, amount: '1' };
  test.each([
    ['account_not_owned', { ...leg, from: available(OTHER, 'change'), to: available(OTHER, 'legal') }],
    ['debit_not_allowed', { ...leg, from: available(USER, 'micro'), to: 'h.fees' }],
    ['leg_invalid', { ...leg, amount: 'rest' }],
    ['leg_invalid', { ...leg, to: leg.from }],
    ['amount_invalid', { ...leg, amount: '0' }],
    ['currency_misplaced', { ...leg, to: available(USER, 'points') }],
    ['an unknown account', { ...leg, to: `${USER}.nothing` }],
    ['a currency that is not in the catalog', { ...leg, currency: 99_999 }],
    ['too many decimals', { ...leg, amount: '0.000000000000000000001' }],
    ['an account that cannot be parsed', { ...leg, to: 'x.change' }],
  ])('a malformed command is refused by a result and stops no stream: %s [SAGA-007]', async (_what, wrong) => {
    const journals = [{ id: 'stake:1', causeType: 'transfer', causeId: '1', legs: [wrong] }];
    await emit(0, [move('1', '1', { journals }), move('2', '5')]);
    await emit(0, [move('3', '5')]);
    expect((await told(3)).map(({ object, posted, refusal }) => [object, posted, refusal?.key])).toEqual([
      ['1', false, 'common.defect'],
      ['2', true, undefined],
      ['3', true, undefined],
    ]);
    expect(process.alarms.list()).toEqual([]);
    expect(await process.balance(USER, 'legal')).toBe('10.00000000');
  });

  test('a row that comes too late is refused by a result [SAGA-005]', async () => {
    await emit(0, [move('1', '10', { validUntil: Date.now() - 60_000 })]);
    const [result] = await told(1);
    expect(result).toMatchObject({ posted: false, refusal: { key: 'common.expired' } });
    expect(await process.balance(USER, 'legal')).toBe('0');
  });

  test('a command that was answered before is reported again and moves nothing [SAGA-005]', async () => {
    await emit(0, [move('1', '10', { commandId: 'part:1', answer: { type: 'ok' } })]);
    await emit(0, [move('1', '10', { commandId: 'part:1', answer: { type: 'ok' } })]);
    await emit(0, [move('2', '1000', { commandId: 'part:2', answer: { type: 'ok' } })]);
    await emit(0, [move('2', '1', { commandId: 'part:2', answer: { type: 'ok' } })]);
    expect((await told(4)).map(({ object, posted }) => [object, posted])).toEqual([
      ['1', true],
      ['1', true],
      ['2', false],
      ['2', false],
    ]);
    expect(await process.balance(USER, 'legal')).toBe('10.00000000');
  });

  test('a command without a topic of results is reported to no service', async () => {
    await process.transfer(USER, 'plain', '1');
    expect(await results()).toEqual([]);
  });

  test('a topic without a consumer is a defect of its sender: nothing moves', async () => {
    const astray = move('1', '10', {
      resultTo: { topic: 'ledger.results.nobody', partition: 0, saga: 's', object: '1' },
    });
    await process.log.send(TOPICS.ledgerCommands, 0, astray);
    await process.transfer(USER, 'behind', '1');
    expect(await process.balance(USER, 'legal')).toBe('1.00000000');
  });
});
