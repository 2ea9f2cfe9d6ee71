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
  postMessage?(data: unknown, ports: readonly MessagePort[]): void;
}
type Listener = (event: object) => void;

let pages: Page[];
let shown: [title: string, options: object][];
let opened: string[];
let listeners: Map<string, Listener>;
let imported: string[];
let preloads: number;
let online: boolean;
let kept: Map<string, unknown>;
let told: unknown[];

beforeEach(() => {
  [pages, shown, opened, listeners] = [[], [], [], new Map()];
  [imported, preloads, online] = [[], 0, false];
  [kept, told] = [new Map(), []];
  const self = {
    location: { origin: ORIGIN },
    clients: {
      matchAll: () => Promise.resolve(pages),
      openWindow: (link: string) => Promise.resolve(void opened.push(link)),
      claim: () => Promise.resolve(),
    },
    offlinePage: { html: '<h1>offline</h1>', policy: "default-src 'none'" },
    registration: {
      navigationPreload: { enable: () => Promise.resolve(void (preloads += 1)) },
      showNotification: (...given: [string, object]) => Promise.resolve(void shown.push(given)),
    },
    skipWaiting: () => Promise.resolve(),
    addEventListener: (name: string, listener: Listener) => void listeners.set(name, listener),
  };
  const importScripts = (path: string): void => void imported.push(path);
  const fetch = (): Promise<Response> => (online ? Promise.resolve(new Response('page')) : Promise.reject(new Error()));
  class BroadcastChannel {
    constructor(private readonly name: string) {}
    postMessage(data: unknown): void {
      told.push([this.name, data]);
    }
    close(): void {}
  }
  const given = { self, URL, Response, importScripts, fetch, MessageChannel, BroadcastChannel, indexedDB: database() };
  // A page that does not answer is waited for no longer than the test's turn.
  const soon = (run: () => void): unknown => setTimeout(run, 20);
  runInNewContext(SOURCE, { ...given, setTimeout: soon, clearTimeout, console });
});

/** As much of IndexedDB as the worker uses, over `kept`. */
function database(): object {
  const later = <R extends object>(request: R, name: keyof R): R => {
    setTimeout(() => (request[name] as () => void)());
    return request;
  };
  const store = {
    get: (key: string) => later({ result: kept.get(key), onsuccess: () => undefined }, 'onsuccess'),
    put: (value: unknown, key: string) => void kept.set(key, value),
  };
  const transaction = (): object => {
    const made = { objectStore: () => store, oncomplete: () => undefined };
    setTimeout(() => made.oncomplete(), 5);
    return made;
  };
  return {
    open: () => later({ result: { transaction, close: () => undefined }, onsuccess: () => undefined }, 'onsuccess'),
  };
}

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

const ALERT = JSON.stringify({ title: 'Price alert', body: 'BTC/USDT reached 7', link: '/', tag: 'alert:a' });

test('a page in front without a chart: a price alert is shown, and lost by the kept list [PUSH-016]', async () => {
  kept.set('price.alerts', [{ id: 'a' }, { id: 'b' }]);
  pages = [{ url: `${ORIGIN}/finance`, focused: true, focus: () => undefined, postMessage: () => undefined }];
  await push(ALERT);
  expect(shown).toEqual([['Price alert', expect.objectContaining({ tag: 'alert:a' })]]);
  expect(kept.get('price.alerts')).toEqual([{ id: 'b' }]);
  expect(told).toEqual([['kept', ['price.alerts', [{ id: 'b' }]]]]);
});

test('a page in front that answers for a price alert shows it alone, one behind is not asked [PUSH-016]', async () => {
  const asked: unknown[] = [];
  const postMessage = (data: unknown, ports: readonly MessagePort[]): void => {
    asked.push(data);
    ports[0]?.postMessage('shown');
  };
  const chart = { url: `${ORIGIN}/dealCenter`, focus: () => undefined, postMessage };
  pages = [{ ...chart, focused: true }];
  await push(ALERT);
  expect([asked, shown]).toEqual([[{ alert: 'a' }], []]);
  pages = [{ ...chart, focused: false }];
  await push(ALERT);
  expect([asked.length, shown.length, told]).toEqual([1, 1, []]);
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

/** The answer to a request; undefined where the worker leaves it to the browser. */
async function ask(mode: string, preloadResponse: Promise<Response | undefined>): Promise<Response | undefined> {
  let answer: Promise<Response> | undefined;
  await give('fetch', {
    request: { mode },
    preloadResponse,
    respondWith: (one: Promise<Response>) => (answer = one),
  });
  return answer;
}

test('without a network a navigation is answered with the offline page and its policy [OFFLINE-004]', async () => {
  expect(imported).toEqual(['/offline-page.js']);
  const refused = Promise.reject<Response>(new Error('offline'));
  for (const preload of [refused, Promise.resolve(undefined)]) {
    const answer = await ask('navigate', preload);
    expect([answer?.status, await answer?.text()]).toEqual([503, '<h1>offline</h1>']);
    expect(answer?.headers.get('content-security-policy')).toBe("default-src 'none'");
  }
});

test('a navigation with a network has the exchange’s answer, other requests pass untouched [OFFLINE-004]', async () => {
  online = true;
  await give('activate', {});
  expect(preloads).toBe(1);
  expect(await (await ask('navigate', Promise.resolve(new Response('preloaded'))))?.text()).toBe('preloaded');
  expect(await (await ask('navigate', Promise.resolve(undefined)))?.text()).toBe('page');
  expect(await ask('cors', Promise.resolve(undefined))).toBeUndefined();
});
