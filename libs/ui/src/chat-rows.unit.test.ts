import { expect, test } from '@jest/globals';
import { chatRows, type ChatMessage } from './chat-rows.js';

const MINUTE_MS = 60_000;
const NOON = new Date(2026, 10, 22, 12).getTime();
const message = (id: string, from: ChatMessage['from'], minutes: number): ChatMessage => ({
  id,
  from,
  text: `text ${id}`,
  at: NOON + minutes * MINUTE_MS,
});
test('a line where a day begins and above unread messages; messages of a moment are grouped [UI-035]', () => {
  const rows = chatRows(
    [
      message('a', 'other', -1_440),
      message('b', 'other', 0),
      message('c', 'other', 4),
      message('d', 'own', 5),
      message('e', 'own', 11),
      message('f', 'own', 12),
    ],
    'f',
  );
  expect(rows.map((row) => (row.kind === 'message' ? `${row.id}${row.joined ? ' joined' : ''}` : row.kind))).toEqual([
    'day',
    'a',
    'day',
    'b',
    'c joined',
    'd',
    'e',
    'unread',
    'f',
  ]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test('nothing is unread where the message is not among them, and no messages make no rows [UI-035]', () => {
  expect(chatRows([message('a', 'own', 0)], 'z').some(({ kind }) => kind === 'unread')).toBe(false);
  expect(chatRows([], 'z')).toEqual([]);
});
