import { expect, test } from '@jest/globals';
import { onAskedAlert } from './asked-alert.js';

/** Asks a page that shows the alert `a`, and returns how often it answers. */
function ask(worker: EventTarget, data: unknown): number {
  let answers = 0;
  const question = Object.assign(new Event('message'), { data, ports: [{ postMessage: () => (answers += 1) }] });
  worker.dispatchEvent(question);
  return answers;
}

test('a page with a chart answers for an alert that it shows, and for no other message [PUSH-016]', () => {
  const worker = new EventTarget();
  const end = onAskedAlert(worker, (id) => id === 'a');
  expect([{ alert: 'a' }, { alert: 'b' }, { alert: 7 }, null, 'a'].map((data) => ask(worker, data))).toEqual([
    ...[1, 0, 0, 0, 0],
  ]);
  end();
  expect(ask(worker, { alert: 'a' })).toBe(0);
});

test('a page without service workers asks nothing and ends without an error [PUSH-016]', () => {
  expect(onAskedAlert(undefined, () => true)).not.toThrow();
});
