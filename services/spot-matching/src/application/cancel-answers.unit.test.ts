import { expect, test } from '@jest/globals';
import type { SpotAmend } from '@bourse/events';
import type { Database, Tx } from '@bourse/persistence';
import { CancelAnswers } from './cancel-answers.js';
import { EngineBatch, type EngineAnswer } from './engine-batch.js';
import type { EngineStore } from './ports.js';

/** The answer of an amend under a key: `refusal`, or accepted. */
const answered = (commandId: string, refusal?: string): EngineAnswer => ({
  command: {
    amendId: '1',
    orderId: '2',
    userId: 100_001,
    symbol: 'BTC/USDT',
    price: '1.00',
    quantity: null,
    currency: 3,
    commandId,
    bodyHash: 'hash',
    requestedAt: 0,
  } satisfies SpotAmend,
  reply: {
    commandId,
    ok: refusal === undefined,
    repeated: false,
    answer: refusal === undefined ? { type: 'ok', key: 'trade.amended' } : { type: 'error', key: refusal },
  },
});

/** The ids and days of all answers that a batch stores before it has seen the result of the first statement. */
function storedAtOnce(answers: readonly EngineAnswer[]): (readonly [ids: readonly string[], days: number])[] {
  const stored: (readonly [readonly string[], number])[] = [];
  const recordAll = (_tx: Tx, rows: readonly { commandId: string }[], days: number): Promise<never> => {
    stored.push([rows.map((row) => row.commandId), days]);
    return new Promise(() => undefined);
  };
  const database = { tables: { answers: { recordAll } } } as unknown as Database;
  const batch = new EngineBatch({ ledgerPartitions: 1, userPartitions: 1, partition: 0, newId: () => '9' });
  batch.answers.push(...answers);
  void new CancelAnswers({} as EngineStore, database, () => 0).answer({} as Tx, batch);
  return stored;
}

test('accepted and refused calls with keys are stored in one batch, all before the first result [SPOT-237]', () => {
  const answers = [answered('done'), answered('crossed', 'trade.postOnly'), answered('paused', 'market.paused')];
  expect(storedAtOnce(answers)).toEqual([
    [['done'], 7],
    [['crossed'], 1 / 24],
  ]);
  expect(storedAtOnce(answers.slice(1))).toEqual([[['crossed'], 1 / 24]]);
  expect(storedAtOnce(answers.slice(2))).toEqual([]);
});
