import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { Asks, authAsks } from '@bourse/messaging';
import { io, type Socket } from 'socket.io-client';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { signatureOf } from '../../src/sign-in/application/api-signature.js';
import { PrivateEvents } from '../../src/sockets/application/private-events.js';
import { person, startGateway, type GatewayProcess } from './gateway-process.js';

jest.setTimeout(testTimeoutMs(24_000));

const MINUTE_MS = 60_000;
const SECRET = 'a-secret-of-a-program';
let gateway: GatewayProcess;
/** What the process does every minute. */
let everyMinute: (() => void)[] = [];
beforeAll(async () => {
  const intervals = jest.spyOn(globalThis, 'setInterval');
  gateway = await startGateway();
  everyMinute = intervals.mock.calls.flatMap(([run, ms]) => (ms === MINUTE_MS ? [run as () => void] : []));
  intervals.mockRestore();
});
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await gateway.end();
});

/** A connected socket, and the reasons of the `session_closed` messages that it has received. */
function open(auth: object): { readonly socket: Socket; readonly reasons: string[] } {
  const socket = io(gateway.url, { transports: ['websocket'], forceNew: true, reconnection: false, auth });
  const reasons: string[] = [];
  socket.on('session_closed', ({ reason }: { reason: string }) => reasons.push(reason));
  sockets.push(socket);
  return { socket, reasons };
}
const connected = (socket: Socket): Promise<unknown> => eventually(() => socket.connected);
const cut = (socket: Socket): Promise<unknown> => eventually(() => socket.disconnected);
/** Publishes that sessions have ended; resolves when all have heard it. */
async function publish(userId: number, ended: readonly string[] | 'all'): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = gateway.views.subscribe(`session/${userId}`, () => {
      stop();
      resolve();
    });
    gateway.views.publish(`session/${userId}`, { userId, ended });
  });
}
function keyOf(userId: number): { readonly name: string; readonly auth: object } {
  const name = `key-of-person-${userId}`;
  const caller = person(userId, { kind: 'apikey', sessionId: name });
  gateway.keys.set(name, { caller, secret: SECRET, permissions: ['read'], ips: [] });
  const timestamp = String(Date.now());
  const sent = { method: 'GET', path: '/socket.io', timestamp, bodyDigest: undefined };
  return { name, auth: { key: name, timestamp, signature: signatureOf(SECRET, sent) } };
}

test('a socket whose session was asked for during an event is closed when its token expires [SOCKET-019]', async () => {
  gateway.people.set(60, person(60));
  const asks = gateway.app.get(Asks);
  const ask = asks.ask.bind(asks);
  const asking = jest.spyOn(asks, 'ask').mockImplementation(async (declared, question) => {
    const answer = await ask(declared, question);
    if (declared.name === authAsks.session.name) await publish(61, []);
    return answer;
  });
  const exp = Math.floor(Date.now() / 1_000) + 2;
  const { socket, reasons } = open({ token: gateway.token(60, { exp }) });
  await connected(socket);
  asking.mockRestore();
  await cut(socket);
  expect(reasons).toEqual(['expired']);
  expect(Date.now()).toBeGreaterThanOrEqual(exp * 1_000);
});

test.each(['a session', 'an API key'])(
  '%s that ends during the handshake closes the socket [SOCKET-020]',
  async (what) => {
    const userId = what === 'a session' ? 62 : 63;
    gateway.people.set(userId, person(userId));
    const key = keyOf(userId);
    const events = gateway.app.get(PrivateEvents) as { loaded: Promise<void> };
    const { loaded } = events;
    let finish: () => void = () => undefined;
    events.loaded = new Promise<void>((resolve) => (finish = resolve));
    const { sessions, keys } = gateway.asked;
    const { socket, reasons } = open(what === 'a session' ? { token: gateway.token(userId) } : key.auth);
    await eventually(() => gateway.asked.sessions > sessions || gateway.asked.keys > keys);
    gateway.people.delete(userId);
    gateway.keys.delete(key.name);
    await publish(userId, 'all');
    events.loaded = loaded;
    finish();
    await connected(socket);
    await cut(socket);
    expect(reasons).toEqual(['ended']);
  },
);

test('a session or an API key whose end was not heard loses its socket within a minute [SOCKET-021]', async () => {
  gateway.people.set(64, person(64));
  gateway.people.set(65, person(65));
  const key = keyOf(66);
  const [over, program, kept] = [
    open({ token: gateway.token(64) }),
    open(key.auth),
    open({ token: gateway.token(65) }),
  ];
  await Promise.all([over, program, kept].map(({ socket }) => connected(socket)));
  gateway.people.delete(64);
  gateway.keys.delete(key.name);
  for (const run of everyMinute) run();
  await Promise.all([cut(over.socket), cut(program.socket)]);
  expect([over.reasons, program.reasons, kept.reasons]).toEqual([['expired'], ['expired'], []]);
  expect(kept.socket.connected).toBe(true);
});
