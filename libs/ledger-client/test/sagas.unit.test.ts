import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LedgerResultV1 } from '@bourse/events';
import { AnswerStore, type Tx } from '@bourse/persistence';
import { MemoryServer } from '@bourse/persistence/memory';
import { Notice, type CallContext, type Refused } from '@bourse/platform';
import { eventually, LedgerState } from '@bourse/testing';
import { PLACES, StakeProcess, USDT, USER, type Stake } from './saga-world.js';

let server: MemoryServer;
let ledger: LedgerState;
let one: StakeProcess;

const context = (commandId: string | null, validMs = 4_000): CallContext =>
  ({ commandId, hasKey: commandId !== null, bodyHash: 'body', validUntil: Date.now() + validMs }) as CallContext;
const taken = (): number => server.row<{ taken: number }>('stakes.counter', 'places')?.taken ?? 0;
const stateOf = (id: string): string | undefined => server.row<Stake>('stakes.stake', id)?.state;
const underWay = (): number => server.rows('stakes.saga').length;
const answerTo = async (commandId: string): Promise<unknown> =>
  (await new AnswerStore(one.database).find(commandId)) ?? null;
const refusalOf = (call: Promise<unknown>): Promise<Refused> =>
  call.then(
    () => Promise.reject(new Error('it was accepted')),
    (error: unknown) => error as Refused,
  );

beforeEach(() => {
  server = new MemoryServer();
  ledger = new LedgerState();
  ledger.give(USER, USDT, '100');
  one = new StakeProcess(server, ledger);
});
afterEach(async () => {
  await one.stop();
});
/** Starts the process again after a death: its memory is lost. */
async function restart(): Promise<void> {
  await one.stop();
  one = new StakeProcess(server, ledger);
}

describe('a saga', () => {
  test('opens its object and answers the call when the journal is posted [SAGA-010]', async () => {
    await one.ledger.start();
    one.sagas.start();
    expect(await one.open('7', context('a'))).toEqual(new Notice('trade.success', { id: '7' }));
    expect(stateOf('7')).toBe('open');
    expect(ledger.holds()).toEqual(new Map([['stake:7', '10.00000000']]));
    expect(taken()).toBe(1);
    expect(underWay()).toBe(0);
  });

  test('receives the time of acceptance by the business clock [SAGA-017]', async () => {
    await one.ledger.start();
    one.sagas.start();
    const DAY_MS = 86_400_000;
    one.clockAhead = DAY_MS;
    const before = Date.now();
    await one.open('7', context('a'));
    expect(one.acceptedAt).toBeGreaterThanOrEqual(before + DAY_MS);
    expect(one.acceptedAt).toBeLessThanOrEqual(Date.now() + DAY_MS);
  });

  test('refuses its object and releases the counters when the ledger refuses [SAGA-011]', async () => {
    await one.ledger.start();
    one.sagas.start();
    expect((await refusalOf(one.open('7', context('a'), '1000'))).key).toBe('balance.insufficient');
    expect(stateOf('7')).toBeUndefined();
    expect(taken()).toBe(0);
    expect(underWay()).toBe(0);
  });

  test('a repeat of the call gets the stored answer and begins nothing [SAGA-012]', async () => {
    await one.ledger.start();
    one.sagas.start();
    await one.open('7', context('a'));
    expect(await one.open('8', context('a'))).toEqual(new Notice('trade.success', { id: '7' }));
    expect(stateOf('8')).toBeUndefined();
    expect(taken()).toBe(1);
  });

  test('two calls with one id at the same time begin one object [SAGA-012]', async () => {
    await one.ledger.start();
    one.sagas.start();
    await Promise.allSettled([one.open('7', context('a')), one.open('8', context('a'))]);
    await eventually(() => underWay() === 0);
    expect(taken()).toBe(1);
    expect(ledger.holds().size).toBe(1);
  });

  test('a saga that is refused before it begins leaves nothing behind [SAGA-013]', async () => {
    await one.ledger.start();
    one.sagas.start();
    for (let place = 0; place < PLACES; place += 1) await one.open(String(place), context(`p${place}`));
    expect((await refusalOf(one.open('9', context('z')))).options.field).toBe('places');
    expect(taken()).toBe(PLACES);
    expect(underWay()).toBe(0);
    expect(await answerTo('z')).toMatchObject({ state: 'done' });
  });

  test('a result reaches an issuer that was dead meanwhile, and the stored answer holds it [SAGA-014]', async () => {
    await one.ledger.start();
    const call = one.open('7', context('a', 200));
    await eventually(() => ledger.holds().size === 1);
    await expect(call).rejects.toMatchObject({ options: { status: 202 } });
    expect(stateOf('7')).toBe('asked');
    expect(await answerTo('a')).toEqual({ state: 'pending' });
    await restart();
    await one.ledger.start();
    one.sagas.start();
    await eventually(() => underWay() === 0);
    expect(stateOf('7')).toBe('open');
    expect(await answerTo('a')).toMatchObject({ answer: new Notice('trade.success', { id: '7' }) });
  });

  test('a command that comes too late is refused by the ledger, and its counters go back [SAGA-015]', async () => {
    await refusalOf(one.open('7', context('a', 50)));
    expect(taken()).toBe(1);
    await one.ledger.start();
    one.sagas.start();
    await eventually(() => underWay() === 0);
    expect(taken()).toBe(0);
    expect(ledger.holds().size).toBe(0);
    expect(await answerTo('a')).toMatchObject({ answer: { key: 'common.expired' } });
  });

  test('a repeated result is applied once [SAGA-016]', async () => {
    await one.ledger.start();
    one.sagas.start();
    await refusalOf(one.open('7', context('a'), '1000'));
    await one.open('8', context('b'));
    const again = LedgerResultV1.encode({
      saga: 'stake.open',
      object: '7',
      userId: USER,
      posted: false,
      refusal: { type: 'error', key: 'balance.insufficient' },
      acceptedAt: Date.now(),
    });
    await one.databases.at('ledger').transaction(async (tx) => tx.emit(one.topic, 0, again));
    await one.open('9', context('c'));
    expect(one.refused).toBe(1);
    expect(taken()).toBe(2);
  });
});

describe('results that come together', () => {
  test('are handled together, and each call gets its own answer [SAGA-018]', async () => {
    const together: string[][] = [];
    const many = one.sagas.define<{ user: number }>({
      name: 'stake.many',
      onAllPosted: async (_tx, outcomes) => {
        together.push(outcomes.map(({ object }) => object));
        return outcomes.map(({ object }) => new Notice('trade.success', { id: object }));
      },
      onRefused: async (_tx, _outcome, refusal) => refusal,
    });
    const begun = [];
    for (const [id, amount] of [
      ['1', '10'],
      ['2', '1000'],
      ['3', '11'],
    ] as const) {
      const decide = async (tx: Tx) => many.ask(await one.begin(tx, id, amount));
      begun.push(one.sagas.commands.run(context(`c${id}`), { decide }));
      await eventually(() => underWay() === Number(id));
    }
    await one.ledger.start();
    await eventually(() => ledger.holds().size === 2);
    one.sagas.start();
    const [first, second, third] = await Promise.allSettled(begun);
    expect(first).toMatchObject({ value: { extra: { id: '1' } } });
    expect(second).toMatchObject({ reason: { key: 'balance.insufficient' } });
    expect(third).toMatchObject({ value: { extra: { id: '3' } } });
    expect(together).toEqual([['1', '3']]);
    expect(underWay()).toBe(0);
    for (const id of ['c1', 'c2', 'c3']) expect(await answerTo(id)).toMatchObject({ state: 'done' });
  });
});

describe('a move out of a hold', () => {
  test('is answered when it is booked [SAGA-020]', async () => {
    await one.ledger.start();
    one.sagas.start();
    await one.open('7', context('a'));
    expect(await one.close('7', context('b'))).toEqual(new Notice('wallet.outCancelled', { id: '7' }));
    expect(ledger.holds().size).toBe(0);
    expect(ledger.available(USER, USDT)).toBe('100.00000000');
    expect(underWay()).toBe(0);
  });

  test('is answered with settling after 2 s when the ledger is away, and is booked later [SAGA-021]', async () => {
    await one.ledger.start();
    one.sagas.start();
    await one.open('7', context('a'));
    await restart();
    one.sagas.start();
    const startedAt = performance.now();
    expect((await one.close('7', context('b'))).extra).toEqual({ id: '7', settling: 1 });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(await answerTo('b')).toMatchObject({ answer: { extra: { id: '7' } } });
    await one.ledger.start();
    await eventually(() => underWay() === 0);
    expect(ledger.available(USER, USDT)).toBe('100.00000000');
  });

  test('that is refused stays under way with an alarm, and is tried until it is booked [SAGA-022]', async () => {
    await one.ledger.start();
    one.sagas.start();
    await one.open('7', context('a'));
    one.ledger.refusing = 'balance.insufficient';
    const closing = one.close('7', context('b'));
    await eventually(() => one.alarms.list().some(({ name }) => name === 'saga:wallet-ledger'), 5_000);
    expect((await closing).extra).toEqual({ id: '7', settling: 1 });
    one.ledger.refusing = null;
    await eventually(() => underWay() === 0, 8_000);
    await eventually(() => one.alarms.list().length === 0, 5_000);
    expect(ledger.holds().size).toBe(0);
  }, 20_000);
});
