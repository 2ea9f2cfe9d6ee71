import { describe, expect, test } from '@jest/globals';
import type { Asks, Views } from '@bourse/messaging';
import type { Caller, Clock } from '@bourse/platform';
import type { ApiKeys } from '../../sign-in/application/api-keys.js';
import { expiryOf, Sessions } from '../../sign-in/application/sessions.js';
import type { TokenStrategy } from '../../sign-in/http/token.strategy.js';
import type { ClientSocket } from './client-socket.js';
import { SocketSessions } from './socket-sessions.js';

const clock = { real: () => 1_000, sessions: () => 1_000 } as Clock;

/** Sockets, and an auth that knows which sessions and keys are active; null: it cannot be reached. */
class Doubles {
  active: ReadonlySet<string> | null = new Set();
  readonly asked: number[] = [];
  readonly closed: string[] = [];
  readonly warnings: string[] = [];
  readonly open: ClientSocket[] = [];
  private underWay = 0;
  underWayMax = 0;
  private gap: () => void = () => undefined;
  private readonly views = {
    onGap: (listener: () => void) => (this.gap = listener),
    subscribe: () => () => undefined,
  } as unknown as Views;
  private readonly asks = {
    ask: async (_ask: object, { sessionIds }: { sessionIds: readonly string[] }) => {
      this.asked.push(sessionIds.length);
      this.underWay += 1;
      this.underWayMax = Math.max(this.underWayMax, this.underWay);
      await Promise.resolve();
      this.underWay -= 1;
      if (!this.active) throw new Error('auth cannot be reached');
      return sessionIds.filter((id) => this.active?.has(id));
    },
  } as unknown as Asks;
  readonly sessions = new Sessions(this.asks, this.views, clock);
  readonly tested = new SocketSessions(() => this.open, this.sessions, {} as TokenStrategy, {} as ApiKeys, clock, {
    warn: (text: string) => this.warnings.push(text),
  });

  add(userId: number, sessionId: string, apiKey: string | null = null): void {
    const socket = {
      data: { caller: { userId, sessionId } as Caller, apiKey, expiresAt: Infinity },
      leave: () => undefined,
      emit: (event: string, { reason }: { reason: string }) => this.closed.push(`${sessionId} ${event} ${reason}`),
      disconnect: () => undefined,
    };
    this.open.push(socket as unknown as ClientSocket);
  }
  loseEvents(): void {
    this.sessions.onApplicationBootstrap();
    this.sessions.onRecheck(() => void this.tested.recheck());
    this.gap();
  }
}

test('a socket whose token is not cached has the expiry of the token, and without one is expired [SOCKET-019]', () => {
  const tokenOf = (claims: object): string => `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sign`;
  expect(expiryOf(tokenOf({ sub: '1', sid: 's', exp: 1_800 }))).toBe(1_800_000);
  expect(expiryOf(tokenOf({ sub: '1', sid: 's' }))).toBe(0);
});

describe('the check of sockets', () => {
  test('closes, once, those whose session or API key is over, and no others [SOCKET-021]', async () => {
    const doubles = new Doubles();
    doubles.add(1, 'live');
    doubles.add(1, 'over');
    doubles.add(2, 'live-key', 'live-key');
    doubles.add(2, 'deleted-key', 'deleted-key');
    doubles.active = new Set(['live', 'live-key']);
    await Promise.all([doubles.tested.recheck(), doubles.tested.recheck()]);
    expect(doubles.closed).toEqual(['over session_closed expired', 'deleted-key session_closed expired']);
    await doubles.tested.recheck();
    expect(doubles.asked).toEqual([4, 4, 2]);
  });

  test('of thousands of sockets is a few questions, one after the other [SOCKET-021]', async () => {
    const doubles = new Doubles();
    for (let n = 0; n < 1_201; n += 1) doubles.add(n, `s${n}`);
    doubles.active = new Set(Array.from({ length: 1_200 }, (_, n) => `s${n}`));
    await doubles.tested.recheck();
    expect([doubles.asked, doubles.underWayMax]).toEqual([[500, 500, 201], 1]);
    expect(doubles.closed).toEqual(['s1200 session_closed expired']);
  });

  test('keeps the sockets while auth cannot be reached, and closes them the next time [SOCKET-021]', async () => {
    const doubles = new Doubles();
    doubles.add(1, 'over');
    doubles.active = null;
    await doubles.tested.recheck();
    expect([doubles.closed, doubles.warnings.length]).toEqual([[], 1]);
    doubles.active = new Set();
    await doubles.tested.recheck();
    expect(doubles.closed).toEqual(['over session_closed expired']);
  });

  test('runs after events of auth may have been lost [SOCKET-021]', async () => {
    const doubles = new Doubles();
    doubles.add(1, 'over');
    doubles.loseEvents();
    await new Promise(setImmediate);
    expect(doubles.closed).toEqual(['over session_closed expired']);
  });

  test('an event that ends no session closes the sockets of deleted keys of its person only [SOCKET-021]', async () => {
    const doubles = new Doubles();
    doubles.add(1, 'session');
    doubles.add(1, 'deleted-key', 'deleted-key');
    doubles.add(1, 'live-key', 'live-key');
    doubles.add(2, 'key-of-another', 'key-of-another');
    doubles.active = new Set(['live-key']);
    await doubles.tested.onSession({ userId: 1, ended: [] });
    expect([doubles.asked, doubles.closed]).toEqual([[2], ['deleted-key session_closed ended']]);
  });
});
