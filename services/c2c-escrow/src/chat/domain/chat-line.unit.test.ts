import { expect, test } from '@jest/globals';
import { retentionStart, isWritable, createSpokenLine, createSystemLine } from './chat-line.js';

const DAY_MS = 86_400_000;

test('people write during the deal, for some days after it, and while an appeal is open [CHAT-001]', () => {
  expect(isWritable({ endedAt: null, hasOpenAppeal: false }, 1e12, 7)).toBe(true);
  const ended = { endedAt: 1_000, hasOpenAppeal: false };
  expect(isWritable(ended, 1_000 + 7 * DAY_MS - 1, 7)).toBe(true);
  expect(isWritable(ended, 1_000 + 7 * DAY_MS, 7)).toBe(false);
  expect(isWritable({ ...ended, hasOpenAppeal: true }, 1_000 + 70 * DAY_MS, 7)).toBe(true);
});

test('words are stored as written, steps as key and parameters [CHAT-003]', () => {
  expect(createSpokenLine('buyer', '<b>paid</b>')).toMatchObject({ text: '<b>paid</b>', key: '' });
  expect(createSystemLine('c2c.line.paid', { money: '260.00' })).toMatchObject({
    from: 'system',
    text: '',
    key: 'c2c.line.paid',
    params: { money: '260.00' },
  });
});

test('chats expire when their deal ended before the retention period [CHAT-004]', () => {
  expect(retentionStart(10 * DAY_MS, 3)).toBe(7 * DAY_MS);
});
