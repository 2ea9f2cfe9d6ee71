import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { available, held } from '@bourse/events';
import { AnswerStore } from '@bourse/persistence';
import { MemoryServer } from '@bourse/persistence/memory';
import { Notice, type CallContext, type Refused } from '@bourse/platform';
import { eventually, LedgerState } from '@bourse/testing';
import type { Begun, Moves, Saga } from '../src/index.js';
import { StakeProcess, USDT, USER } from './saga-world.js';

interface Pair {
  readonly second: string;
}
/** Two holds of one call: the second is taken when the first is posted, and releases it when it is refused. */
class TwoSteps {
  readonly first: Saga<Pair>;
  readonly second: Saga<null>;
  readonly back: Moves;
  /** Whether the process dies when the first step is posted. */
  stuck = false;
  /** The handler for a refusal of the second step. */
  refused: () => unknown = () => null;

  constructor(readonly process: StakeProcess) {
    const { sagas } = process;
    this.back = sagas.defineMove({ name: 'pair.back' });
    this.second = sagas.define<null>({
      name: 'pair.second',
      onPosted: async (_tx, { object }) => new Notice('trade.success', { id: object }),
      onRefused: (tx, outcome, answer) => {
        this.refused();
        return this.back.next(tx, outcome, { object: outcome.object, command: give(outcome.object), answer });
      },
    });
    this.first = sagas.define<Pair>({
      name: 'pair.first',
      onPosted: (tx, outcome) => {
        if (this.stuck) throw new Error('the process dies');
        return this.second.next(tx, outcome, take('second', outcome.object, outcome.note.second, null));
      },
      onRefused: async (_tx, _outcome, refusal) => refusal,
    });
  }

  open(id: string, context: CallContext, [one, two] = ['10', '20']): Promise<unknown> {
    const decide = async () => this.first.ask(take('first', id, one, { second: two }));
    return this.process.sagas.commands.run(context, { decide });
  }
}
const journal = (id: string, legs: object[]) => ({
  issuer: 'wallet-ledger' as const,
  userId: USER,
  onBehalfOf: USER,
  journals: [{ id, causeType: 'pair', causeId: id, legs }] as never,
});
const take = <Note>(step: string, id: string, amount = '0', note: Note): Begun<Note> => ({
  object: id,
  note,
  command: journal(`pair:${id}:${step}`, [
    { from: available(USER, 'change'), to: held(USER, 'change', `${step}:${id}`), currency: USDT, amount },
  ]),
});
const give = (id: string) =>
  journal(`pair:${id}:back`, [
    { from: held(USER, 'change', `first:${id}`), to: available(USER, 'change'), currency: USDT, amount: 'rest' },
  ]);

let server: MemoryServer;
let ledger: LedgerState;
let one: TwoSteps;
const context = (commandId: string | null, validMs = 4_000): CallContext =>
  ({ commandId, hasKey: commandId !== null, bodyHash: 'body', validUntil: Date.now() + validMs }) as CallContext;
const underWay = (): number => server.rows('stakes.saga').length;
const answerTo = async (commandId: string): Promise<unknown> =>
  (await new AnswerStore(one.process.database).find(commandId)) ?? null;
const refusalOf = (call: Promise<unknown>): Promise<Refused> =>
  call.then(
    () => Promise.reject(new Error('it was accepted')),
    (error: unknown) => error as Refused,
  );
const started = async (): Promise<void> => {
  await one.process.ledger.start();
  one.process.sagas.start();
};

beforeEach(() => {
  server = new MemoryServer();
  ledger = new LedgerState();
  ledger.give(USER, USDT, '100');
  one = new TwoSteps(new StakeProcess(server, ledger));
});
afterEach(async () => {
  await one.process.stop();
});
async function restart(): Promise<void> {
  await one.process.stop();
  one = new TwoSteps(new StakeProcess(server, ledger));
}

describe('several steps of one call', () => {
  test.each([['a'], [null]])('gets the outcome of the last step, with the key %s [SAGA-019]', async (key) => {
    await started();
    const answer = new Notice('trade.success', { id: '7' });
    expect(await one.open('7', context(key))).toEqual(answer);
    expect(ledger.holds()).toEqual(
      new Map([
        ['first:7', '10.00000000'],
        ['second:7', '20.00000000'],
      ]),
    );
    expect(underWay()).toBe(0);
    if (key !== null) expect(await one.open('8', context(key))).toEqual(answer);
    expect(ledger.holds().size).toBe(2);
  });

  test('a refusal of the second step releases the first before the call is answered [SAGA-019]', async () => {
    await started();
    expect((await refusalOf(one.open('7', context('a'), ['10', '1000']))).key).toBe('balance.insufficient');
    expect(ledger.available(USER, USDT)).toBe('100.00000000');
    expect(ledger.holds().size).toBe(0);
    expect(underWay()).toBe(0);
    expect((await refusalOf(one.open('8', context('a')))).key).toBe('balance.insufficient');
    expect(await answerTo('a')).toMatchObject({ state: 'done' });
  });

  test('a refusal of the first begins no second [SAGA-019]', async () => {
    await started();
    expect((await refusalOf(one.open('7', context('a'), ['1000', '1']))).key).toBe('balance.insufficient');
    expect([ledger.holds().size, underWay()]).toEqual([0, 0]);
  });

  test.each([
    ['is taken', '20', { answer: new Notice('trade.success', { id: '7' }) }, '70.00000000'],
    ['is refused', '1000', { answer: { key: 'balance.insufficient' } }, '100.00000000'],
  ])(
    'after a death between the steps the second %s, and a repeat gets its outcome [SAGA-019]',
    async (_, two, told, left) => {
      one.stuck = true;
      await started();
      const call = one.open('7', context('a', 200), ['10', two]);
      await expect(call).rejects.toMatchObject({ options: { status: 202 } });
      expect(await answerTo('a')).toEqual({ state: 'pending' });
      await restart();
      await started();
      await eventually(() => underWay() === 0, 5_000);
      expect(await answerTo('a')).toMatchObject(told);
      expect(ledger.available(USER, USDT)).toBe(left);
      await one.open('8', context('a')).catch(() => undefined);
      expect(ledger.available(USER, USDT)).toBe(left);
    },
  );

  test('the call waits until the release of the first is booked, however often it is tried [SAGA-019]', async () => {
    await started();
    one.refused = () => (one.process.ledger.refusing = 'balance.insufficient');
    let told: unknown = null;
    const call = one.open('7', context('a', 15_000), ['10', '1000']).catch((error: Refused) => (told = error.key));
    const alarmed = (): boolean => one.process.alarms.list().some(({ name }) => name === 'saga:wallet-ledger');
    await eventually(alarmed, 5_000);
    expect([told, await answerTo('a')]).toEqual([null, { state: 'pending' }]);
    one.process.ledger.refusing = null;
    await call;
    expect(told).toBe('balance.insufficient');
    expect(ledger.available(USER, USDT)).toBe('100.00000000');
  }, 20_000);

  test('a saga without a call goes through its steps, too [SAGA-019]', async () => {
    await started();
    await one.process.database.transaction((tx) => one.first.begin(tx, take('first', '7', '10', { second: '20' })));
    await one.process.database.transaction((tx) => one.first.begin(tx, take('first', '8', '10', { second: '1000' })));
    await eventually(() => underWay() === 0 && ledger.holds().size === 2);
    expect(ledger.available(USER, USDT)).toBe('70.00000000');
  });
});
