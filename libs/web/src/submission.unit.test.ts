import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@bourse/api-client';
import { Submission } from './submission.js';

const refusal = new ApiError(200, { type: 'error', key: 'form.key', message: 'refused', request_id: 'r' });
const pending = new ApiError(202, { type: 'pending', key: 'common.processing', message: 'wait', request_id: 'r' });
const defect = new ApiError(500, { type: 'error', key: 'common.defect', message: 'defect', request_id: 'r' });
const down = new ApiError(503, { type: 'error', key: 'common.unavailable', message: 'down', request_id: 'r' });
const silence = new Error('no answer');

/** Runs the sends one after another and returns the intents they used, numbered by first use. */
async function intentsOf(sends: readonly (readonly [outcome: unknown, of?: object])[]): Promise<number[]> {
  const submission = new Submission();
  const seen: string[] = [];
  for (const [outcome, of = {}] of sends)
    await submission.run((intent) => {
      seen.push(intent);
      return outcome === undefined ? Promise.resolve() : Promise.reject(outcome as Error);
    }, of);
  const distinct = [...new Set(seen)];
  return seen.map((intent) => distinct.indexOf(intent) + 1);
}

describe('one press, one act [SUBMIT-001]', () => {
  test('a second press while the first is on its way sends nothing', async () => {
    const submission = new Submission();
    let sent = 0;
    let answer = (): void => undefined;
    const send = (): Promise<void> => {
      sent += 1;
      return new Promise((resolve) => {
        answer = () => resolve();
      });
    };
    const first = submission.run(send);
    expect(await submission.run(send)).toBe(false);
    expect(submission.state().busy).toBe(true);
    answer();
    expect(await first).toBe(true);
    expect(sent).toBe(1);
    expect(submission.state().busy).toBe(false);
  });

  test('an answer ends the intent, good or bad', async () => {
    expect(await intentsOf([[undefined], [refusal], [undefined]])).toEqual([1, 2, 3]);
  });

  test('silence keeps the intent, so that the next press cannot act twice', async () => {
    expect(await intentsOf([[silence], [silence], [undefined], [undefined]])).toEqual([1, 1, 1, 2]);
  });

  test('a pending outcome keeps the intent too: the command may have had its effect', async () => {
    expect(await intentsOf([[pending], [pending], [refusal], [undefined]])).toEqual([1, 1, 1, 2]);
  });

  test('a defect keeps the intent: the command may have had its effect; an outage ends it [CLIENT-153]', async () => {
    expect(await intentsOf([[defect], [defect], [undefined], [undefined]])).toEqual([1, 1, 1, 2]);
    expect(await intentsOf([[down], [undefined]])).toEqual([1, 2]);
  });

  test('after silence other contents are another act', async () => {
    expect(
      await intentsOf([
        [silence, { amount: '10' }],
        [silence, { amount: '5' }],
        [undefined, { amount: '5' }],
      ]),
    ).toEqual([1, 2, 2]);
  });

  test('contents that move by themselves are sent again as they were, until the outcome is final', async () => {
    const submission = new Submission();
    const sent: string[] = [];
    const press = (price: string, outcome?: unknown): Promise<boolean> =>
      submission.run(
        (intent, moving) => {
          sent.push(`${moving} ${intent}`);
          return outcome === undefined ? Promise.resolve() : Promise.reject(outcome as Error);
        },
        { amount: '10' },
        price,
      );
    await press('100', silence);
    await press('101', pending);
    await press('102', refusal);
    await press('103');
    await press('104');
    expect(sent.map((one) => one.split(' ')[0])).toEqual(['100', '100', '100', '103', '104']);
    expect(new Set(sent).size).toBe(3);
  });

  test('a failure is kept until the next press or until it is cleared, and subscribers are notified', async () => {
    const submission = new Submission();
    const told: unknown[] = [];
    submission.subscribe(() => told.push(submission.state().failure));
    await submission.run(() => Promise.reject(refusal));
    submission.clear();
    submission.clear();
    expect(told).toEqual([undefined, refusal, undefined]);
  });

  test('a success that leaves the page keeps the button locked', async () => {
    const submission = new Submission();
    await submission.run(() => Promise.resolve('leave' as const));
    expect(submission.state().busy).toBe(true);
    expect(await submission.run(() => Promise.resolve())).toBe(false);
  });
});
