import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

jest.setTimeout(60_000);

/* The stream of the client in Python against an exchange whose connection breaks. */

interface Socket {
  readonly handshake: { readonly auth: Readonly<Record<string, string>> };
  readonly conn: { close(): void };
  on(event: string, told: (...sent: never[]) => void): void;
  emit(event: string, payload: object): void;
}
interface SocketServer {
  use(judge: (socket: Socket, next: (refusal?: Error) => void) => void): void;
  on(event: 'connection', told: (socket: Socket) => void): void;
  close(): Promise<void>;
}
/** The socket library of the gateway; the SDK has it for its tests. */
const { Server } = createRequire(new URL('../../../libs/sdk/package.json', import.meta.url))('socket.io') as {
  Server: new (http: object, options: object) => SocketServer;
};

const event = (user_seq: number): [string, object] => ['order_update', { user_seq, order: { id: String(user_seq) } }];
const asked: string[] = [];
const subscribed: string[] = [];
/** The events behind a number that the exchange still has. */
let since: (after: number) => { events: readonly (readonly [string, object])[]; user_seq: number; complete: 0 | 1 };
/** Number of the last event when a client connects again. */
let atReturn: number;
let connections = 0;
let onLogin: (socket: Socket, connection: number) => void;

const http = createServer((request, response) => {
  asked.push(request.url ?? '');
  const message = since(Number(request.url?.split('=')[1]));
  const events = message.events.map(([name, payload]) => ({ event: name, payload }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ type: 'ok', message: { ...message, events } }));
});
const server = new Server(http, { transports: ['websocket'] });
server.use((socket, next) => {
  const { key, timestamp, signature } = socket.handshake.auth;
  if (key === 'key' && /^\d{13}$/.test(timestamp ?? '') && /^[0-9a-f]{64}$/.test(signature ?? '')) return next();
  next(Object.assign(new Error('apikey.signature'), { data: { params: { reason: 'key' } } }));
});
server.on('connection', (socket) => {
  const connection = (connections += 1);
  socket.on('subscribe', (wanted: { channel: string; symbol: string }) => {
    subscribed.push(`${connection} ${wanted.channel} ${wanted.symbol}`);
  });
  socket.on('login', (user: string, tell: (answer: object) => void) => {
    tell({ type: user === 'key' ? 'ok' : '999', user_seq: connection === 1 ? 6 : atReturn });
    onLogin(socket, connection);
  });
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await server.close();
});

/** Prints the messages of the stream until the order of this id. */
const program = (last: string, key = 'key'): string => `
from bourse import Bourse, Refused
from stream import Stream

stream = Stream(Bourse(${JSON.stringify(url)}, ${JSON.stringify(key)}, "secret"))
stream.subscribe("trades", "BTC/USDT")
try:
    with stream:
        for event, payload in stream:
            print(event, payload["order"]["id"] if event == "order_update" else payload, flush=True)
            if event == "order_update" and payload["order"]["id"] == "${last}":
                break
except Refused as refused:
    print("refused", refused.key)
`;
async function run(code: string): Promise<string[]> {
  const cwd = fileURLToPath(new URL('../', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)('python3', ['-B', '-W', 'error', '-c', code], { cwd });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}

test('events that a broken line or a missing number leaves out are fetched, each once [CLIENT-046]', async () => {
  atReturn = 9;
  since = (after) => ({ events: [event(after + 1), event(after + 2)], user_seq: after + 2, complete: 1 });
  onLogin = (socket, connection) => {
    if (connection === 1) {
      socket.emit('match_trade', { price: '1' });
      socket.emit(...event(7));
      // An Engine.IO close: as when a gateway ends.
      setTimeout(() => socket.conn.close(), 50);
      return;
    }
    // One that was fetched comes again, and one is missing behind it.
    socket.emit(...event(9));
    socket.emit(...event(11));
    socket.emit(...event(12));
  };
  expect(await run(program('12'))).toEqual([
    'live None',
    "match_trade {'price': '1'}",
    'order_update 7',
    'lost None',
    'live None',
    ...['8', '9', '10', '11', '12'].map((id) => `order_update ${id}`),
  ]);
  expect(asked).toEqual(['/api/stream/since?user_seq=7', '/api/stream/since?user_seq=9']);
  expect(subscribed).toEqual(['1 trades BTC/USDT', '2 trades BTC/USDT']);
});

test('events that the exchange no longer has are reported as a hole [CLIENT-046]', async () => {
  connections = 0;
  atReturn = 40;
  since = () => ({ events: [event(40)], user_seq: 40, complete: 0 });
  onLogin = (socket, connection) => void (connection === 1 ? socket.conn.close() : socket.emit(...event(41)));
  expect(await run(program('41'))).toEqual([
    'live None',
    'lost None',
    'live None',
    'order_update 40',
    'hole None',
    'order_update 41',
  ]);
});

test('a refused key ends the stream without another try [CLIENT-046]', async () => {
  connections = 0;
  expect(await run(program('1', 'other'))).toEqual(['refused apikey.signature']);
  expect(connections).toBe(0);
});
