import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AnswerStore } from '@bourse/persistence';
import { MemoryServer } from '@bourse/persistence/memory';
import { Notice, Refused, type CallContext } from '@bourse/platform';
import { LedgerState } from '@bourse/testing';
import { StakeProcess, USDT, USER, type Stake } from './saga-world.js';

let server: MemoryServer;
let ledger: LedgerState;
let one: StakeProcess;

const context = (commandId: string, { hasKey = true, validMs = 4_000 } = {}): CallContext =>
  ({ commandId, hasKey, bodyHash: 'body', validUntil: Date.now() + validMs }) as CallContext;
const stateOf = (id: string): string | undefined => server.row<Stake>('stakes.stake', id)?.state;
const answerTo = (commandId: string): Promise<unknown> => new AnswerStore(one.database).find(commandId);
const CLOSED = new Notice('wallet.outCancelled', { id: '7' });

beforeEach(() => {
  server = new MemoryServer();
  ledger = new LedgerState();
  ledger.give(USER, USDT, '100');
  one = new StakeProcess(server, ledger);
});
afterEach(async () => {
  await one.stop();
});

describe('a command', () => {
  test('that leaves nothing to the ledger is answered at once, and stores its answer [SAGA-023]', async () => {
    await one.database.transaction((tx) => one.begin(tx, '7'));
    expect(await one.close('7', context('a'))).toEqual(CLOSED);
    expect(await answerTo('a')).toEqual({ state: 'done', answer: CLOSED });
    expect(server.rows('stakes.saga')).toEqual([]);
  });

  test('chooses its end under the lock: the same call asks the ledger once the object is open [SAGA-023]', async () => {
    await one.ledger.start();
    one.sagas.start();
    await one.open('7', context('a'));
    expect(await one.close('7', context('b'))).toEqual(CLOSED);
    expect(ledger.available(USER, USDT)).toBe('100.00000000');
  });

  test('is answered when every part of its move is booked [SAGA-024]', async () => {
    await one.ledger.start();
    one.sagas.start();
    await one.open('7', context('a'));
    expect(await one.close('7', context('b'), 2)).toEqual(CLOSED);
    expect(ledger.available(USER, USDT)).toBe('100.00000000');
    expect(server.rows('stakes.saga')).toEqual([]);
  });

  test.each([true, false])('decides once when it is delivered twice, with a key: %s [SAGA-025]', async (hasKey) => {
    await one.database.transaction((tx) => one.begin(tx, '7'));
    const call = context('a', { hasKey });
    const decided = await Promise.allSettled([one.close('7', call), one.close('7', call)]);
    const pending = decided.filter(({ status }) => status === 'rejected');
    expect(pending).toMatchObject([{ reason: { options: { type: 'pending' } } }]);
    expect(await one.close('7', call)).toEqual(CLOSED);
    expect(server.row('stakes.counter', 'places')).toEqual({ taken: 0 });
  });

  test('that is no longer valid when its transaction begins has no effect [SAGA-026]', async () => {
    await one.database.transaction((tx) => one.begin(tx, '7'));
    await expect(one.close('7', context('a', { validMs: -1 }))).rejects.toMatchObject({ options: { type: 'pending' } });
    expect(stateOf('7')).toBe('asked');
    expect(await answerTo('a')).toEqual({ state: 'pending' });
  });

  test('releases its resources when its decision refuses, and only then [SAGA-027]', async () => {
    const given: string[] = [];
    const run = (id: string, decide: () => Promise<Notice>): Promise<Notice> =>
      one.sagas.commands.run(context(id), {
        prepare: async () => id,
        decide,
        abandon: async (taken) => void given.push(taken),
      });
    await expect(run('a', () => Promise.reject(new Refused('wallet.state')))).rejects.toMatchObject({
      key: 'wallet.state',
    });
    expect(await run('b', async () => CLOSED)).toEqual(CLOSED);
    expect(given).toEqual(['a']);
  });

  test('whose claim another process has taken over returns that answer and decides nothing [SAGA-025]', async () => {
    const answers = new AnswerStore(one.database);
    let decided = 0;
    const answer = one.sagas.commands.run(context('a'), {
      prepare: () =>
        one.database.transaction(async (tx) => {
          await answers.open(tx, 'a', 'body');
          await answers.conclude(tx, 'a', CLOSED);
        }),
      decide: async () => {
        decided += 1;
        return new Notice('common.success');
      },
    });
    expect(await answer).toEqual(CLOSED);
    expect(decided).toBe(0);
    expect(await answerTo('a')).toMatchObject({ answer: CLOSED });
  });
});
