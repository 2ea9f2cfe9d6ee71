import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test } from '@jest/globals';

const SOURCE = readFileSync(join(import.meta.dirname, '../../public/sw.js'), 'utf8');
const ORIGIN = 'https://exchange.example';

interface Page {
  readonly url: string;
  readonly focused: boolean;
  focus(): void;
}
type Listener = (event: object) => void;

let pages: Page[];
let shown: [title: string, options: object][];
let opened: string[];
let listeners: Map<string, Listener>;

beforeEach(() => {
  [pages, shown, opened, listeners] = [[], [], [], new Map()];
  const self = {
    location: { origin: ORIGIN },
    clients: {
      matchAll: () => Promise.resolve(pages),
      openWindow: (link: string) => Promise.resolve(void opened.push(link)),
      claim: () => Promise.resolve(),
    },
    registration: {
      showNotification: (...given: [string, object]) => Promise.resolve(void shown.push(given)),
    },
    skipWaiting: () => Promise.resolve(),
    addEventListener: (name: string, listener: Listener) => void listeners.set(name, listener),
  };
  runInNewContext(SOURCE, { self, URL });
});

/** Gives the worker an event and waits for what it does. */
async function give(name: string, event: object): Promise<void> {
  const waits: Promise<unknown>[] = [];
  listeners.get(name)?.({ ...event, waitUntil: (one: Promise<unknown>) => void waits.push(one) });
  await Promise.all(waits);
}
const push = (text: string): Promise<void> => give('push', { data: { json: (): unknown => JSON.parse(text) } });
const message = (link: unknown): string =>
  JSON.stringify({ title: 'Order filled', body: 'BTC/USDT', link, tag: 'notice:1' });

test.each([
  ['/dealCenter?legalId=3', '/dealCenter?legalId=3'],
  ['//elsewhere.example', '/'],
  ['/\\elsewhere.example', '/'],
  ['https://elsewhere.example/', '/'],
  [7, '/'],
])('a message with the link %s is shown and leads to %s [PUSH-012]', async (link, expected) => {
  await push(message(link));
  expect(shown).toEqual([
    ['Order filled', expect.objectContaining({ body: 'BTC/USDT', tag: 'notice:1', data: { link: expected } })],
  ]);
});

test('no message is shown while a page is in front, nor one that is no message [PUSH-012]', async () => {
  await push('not JSON');
  await give('push', { data: null });
  pages = [{ url: `${ORIGIN}/spot`, focused: true, focus: () => undefined }];
  await push(message('/'));
  expect(shown).toEqual([]);
});

test('a chosen message focuses the page with its address and opens another one otherwise [PUSH-012]', async () => {
  let focused = 0;
  const chosen = (link: string): object => ({ notification: { close: () => undefined, data: { link } } });
  pages = [{ url: `${ORIGIN}/spot`, focused: false, focus: () => void (focused += 1) }];
  await give('notificationclick', chosen('/spot'));
  expect([focused, opened]).toEqual([1, []]);
  await give('notificationclick', chosen('/account'));
  await give('notificationclick', chosen('//elsewhere.example'));
  expect([focused, opened]).toEqual([1, ['/account', '/']]);
});
