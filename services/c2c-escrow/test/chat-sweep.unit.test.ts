import { beforeEach, expect, test } from '@jest/globals';
import type { OwnUploads } from '@bourse/messaging';
import type { Timers, TimerHandler, Tx } from '@bourse/persistence';
import type { Clock } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import type { ChatStore, ExpiredChats } from '../src/chat/application/ports.js';
import type { ChatWriter } from '../src/chat/application/chat-writer.js';
import { DealChatLog } from '../src/chat/application/deal-chat-log.js';
import type { C2cDatabase } from '../src/shared/application/database.js';

const DAY_MS = 86_400_000;
const NOW = 20_000 * DAY_MS;

/** Actions in their order. */
let done: string[];
let old: ExpiredChats;
let isAway: boolean;
let sweep: () => Promise<void>;
beforeEach(() => {
  [done, old, isAway] = [[], { dealIds: ['7', '8'], pictures: ['a.jpg', 'b.jpg'] }, false];
  const chats = {
    listExpired: () => Promise.resolve(old),
    remove: (_tx: Tx, ids: readonly string[]) => Promise.resolve(void done.push(`chats ${ids.join(' ')}`)),
  } as unknown as ChatStore;
  const uploads = {
    forget: (names: readonly string[]) =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve(void done.push(`pictures ${names.join(' ')}`)),
  } as unknown as OwnUploads;
  let handler: TimerHandler | undefined;
  const timers = {
    handle: (_kind: string, given: TimerHandler) => (handler = given),
    set: (_tx: Tx, _kind: string, _id: string, at: number) => Promise.resolve(void done.push(`next ${at - NOW}`)),
  } as unknown as Timers;
  const chat = new DealChatLog(
    ...([{} as C2cDatabase, chats, {} as ChatWriter, uploads, timers, new FixedSettings(), {} as Clock] as const),
  );
  expect(chat).toBeDefined();
  sweep = () => handler!({ kind: 'chat.sweep', id: 'all', dueAt: NOW, payload: null }, {} as Tx);
});

test('a sweep removes the pictures of expired chats before their lines [CHAT-005]', async () => {
  await sweep();
  expect(done).toEqual(['pictures a.jpg b.jpg', 'chats 7 8', `next ${DAY_MS}`]);
});

test('a sweep removes nothing while pictures cannot be removed, and is retried [CHAT-005]', async () => {
  isAway = true;
  await expect(sweep()).rejects.toThrow('away');
  expect(done).toEqual([]);
});

test('a full sweep is followed by the next one at once [CHAT-005]', async () => {
  old = { dealIds: Array.from({ length: 500 }, (_, at) => String(at)), pictures: [] };
  await sweep();
  expect(done.at(-1)).toBe('next 0');
});
