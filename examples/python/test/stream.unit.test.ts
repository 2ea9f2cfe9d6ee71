import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';

jest.setTimeout(60_000);

/* The stream of the client in Python, and its orders, with an exchange whose connection breaks. */

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
/** How far the clock of the exchange is ahead. Ms. */
let aheadMs: number;

interface Wanted {
  readonly channel: string;
  readonly symbol: string;
}
const begunOf = ({ channel, symbol }: Wanted): object => ({ channel, symbol, interval: '', seq: 1, snapshot: null });
const refusedOf = ({ channel, symbol }: Wanted): object => ({ channel, symbol, interval: '', key: 'pair.delisted' });
let onSubscribe: (channels: readonly Wanted[], connection: number) => object;

interface Frame {
  readonly key: string;
  readonly params: Readonly<Record<string, string>>;
}
const ORDERS = ['order.place', 'order.amend', 'order.cancel', 'order.cancelAll'];
/** The orders that came, as texts: message, key and fields. */
const ordered: string[] = [];
let onOrder: (frame: Frame, tell: (ack: object) => void, socket: Socket) => void;
const OK = { status: 200, answer: { type: 'ok', order: { id: '7' }, ids: ['7', '8'] } };

const http = createServer((request, response) => {
  response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
  asked.push(request.url ?? '');
  if (request.url === '/api/time') return void response.end('{"type":"ok"}');
  const message = since(Number(request.url?.split('=')[1]));
  const events = message.events.map(([name, payload]) => ({ event: name, payload }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ type: 'ok', message: { ...message, events } }));
});
const server = new Server(http, { transports: ['websocket'] });
server.use((socket, next) => {
  const { key, timestamp, signature } = socket.handshake.auth;
  const isTimely = Math.abs(Number(timestamp) - Date.now() - aheadMs) < 5_000;
  if (key === 'key' && isTimely && /^[0-9a-f]{64}$/.test(signature ?? '')) return next();
  next(Object.assign(new Error('apikey.signature'), { data: { params: { reason: 'key' } } }));
});
server.on('connection', (socket) => {
  const connection = (connections += 1);
  socket.on('subscribe', ({ channels }: { channels: readonly Wanted[] }, tell: (answer: object) => void) => {
    for (const { channel, symbol } of channels) subscribed.push(`${connection} ${channel} ${symbol}`);
    tell(onSubscribe(channels, connection));
  });
  socket.on('login', (user: string, tell: (answer: object) => void) => {
    tell({ type: user === 'key' ? 'ok' : '999', user_seq: connection === 1 ? 6 : atReturn });
    onLogin(socket, connection);
  });
  for (const message of ORDERS)
    socket.on(message, (frame: Frame, tell: (ack: object) => void) => {
      ordered.push(`${message} ${frame.key} ${JSON.stringify(frame.params)}`);
      onOrder(frame, tell, socket);
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

beforeEach(() => {
  [connections, aheadMs, atReturn] = [0, 0, 6];
  onLogin = () => undefined;
  onSubscribe = (channels) => ({ ok: channels.map(begunOf), refused: [] });
  since = (after) => {
    const events = Array.from({ length: atReturn - after }, (_, at) => event(after + 1 + at));
    return { events, user_seq: atReturn, complete: 1 };
  };
  for (const list of [asked, subscribed, ordered]) list.length = 0;
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
            if event != "snapshot":
                print(event, payload["order"]["id"] if event == "order_update" else payload, flush=True)
            if event == "order_update" and payload["order"]["id"] == "${last}":
                break
except Refused as refused:
    print("refused", refused.key)
`;
async function run(code: string): Promise<string[]> {
  const cwd = fileURLToPath(new URL('../', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)('python3', ['-B', '-W', 'error', '-c', code], {
    cwd,
    timeout: 40_000,
  });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}

test('events that a broken line or a missing number leaves out are fetched, each once [CLIENT-046]', async () => {
  atReturn = 9;
  since = (after) => ({ events: [event(after + 1), event(after + 2)], user_seq: after + 2, complete: 1 });
  onLogin = (socket, connection) => {
    if (connection === 1) {
      socket.emit('match_trade', { price: '1' });
      // A state has the number of the event before it.
      socket.emit('lever_trade', { user_seq: 6 });
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
    "lever_trade {'user_seq': 6}",
    'order_update 7',
    'lost None',
    'live None',
    ...['8', '9', '10', '11', '12'].map((id) => `order_update ${id}`),
  ]);
  expect(asked).toEqual(['/api/stream/since?user_seq=7', '/api/stream/since?user_seq=9']);
  expect(subscribed).toEqual(['1 trades BTC/USDT', '2 trades BTC/USDT']);
});

test('a refused subscription raises, or is an event after a connection, and is forgotten [CLIENT-050]', async () => {
  let tries = 0;
  onSubscribe = (channels, connection) => {
    if ((tries += 1) === 1) return { type: 'error', key: 'common.tooMany', params: { retry_ms: 20 } };
    const isListed = ({ symbol }: Wanted): boolean => symbol === 'BTC/USDT' && connection < 3;
    return {
      ok: channels.filter(isListed).map(begunOf),
      refused: channels.filter((one) => !isListed(one)).map(refusedOf),
    };
  };
  onLogin = (socket, connection) => void (connection === 3 && socket.emit(...event(7)));
  const told = await withOrders(`
stream.subscribe("trades", "BTC/USDT")
stream.open()
tried(stream.subscribe, "kline", "OLD/USDT")
tried(stream.subscribe, "daymarket", "BTC/USDT")
for again in (1, 2):
    stream._lose()
    stream.open()
for event, payload in stream:
    print(event, payload["channel"] if event in ("snapshot", "refused") else "")
    if event == "order_update":
        break`);
  expect(told).toEqual([
    'Refused pair.delisted',
    'None',
    ...['live ', 'snapshot trades', 'snapshot daymarket', 'lost ', 'live ', 'snapshot trades', 'snapshot daymarket'],
    ...['lost ', 'live ', 'refused trades', 'refused daymarket', 'order_update'],
  ]);
  expect(subscribed.filter((one) => one.includes('OLD'))).toEqual(['1 kline OLD/USDT']);
});

test('events that the exchange no longer has are reported as a hole [CLIENT-046]', async () => {
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

test('events of an exchange that was set back are no repeats of those with higher numbers [CLIENT-152]', async () => {
  atReturn = 3;
  since = () => ({ events: [], user_seq: 3, complete: 0 });
  onLogin = (socket, connection) => void (connection === 1 ? socket.conn.close() : socket.emit(...event(4)));
  expect(await run(program('4'))).toEqual(['live None', 'lost None', 'live None', 'hole None', 'order_update 4']);
});

test('a refused key ends the stream without another try [CLIENT-046]', async () => {
  expect(await run(program('1', 'other'))).toEqual(['refused apikey.signature']);
  expect(connections).toBe(0);
});

/** Runs lines of a program that has a stream, a market and a way to print how a call ends. */
const withOrders = (lines: string): Promise<string[]> =>
  run(`
from decimal import Decimal
import bourse
from bourse import Bourse, Refused, Unknown
from stream import Stream

stream = Stream(Bourse(${JSON.stringify(url)}, "key", "secret"))
market = {"legal_id": 3, "currency_id": 1}
def tried(call, *given):
    try:
        print(call(*given))
    except (Refused, Unknown, TypeError, ValueError) as error:
        print(type(error).__name__, getattr(error, "key", error))
${lines}
stream.close()
`);

test('orders are messages of the socket, each with its key and amounts as text [CLIENT-049]', async () => {
  onOrder = (_, tell) => tell(OK);
  const told = await withOrders(`
print(stream.place(market, "buy", Decimal("0.00000001"), Decimal("1E+3"), "key-of-mine")["id"])
print(stream.place(market, "sell", "0.5", idempotency_key="key-of-two")["id"])
print(stream.amend("7", Decimal("1.10"), idempotency_key="key-of-three")["id"])
print(stream.cancel("7", "key-of-four")["id"])
print(stream.cancel_all(market, "sell", "key-of-five"))
print(stream.cancel_all(idempotency_key="key-of-six"))`);
  expect(told).toEqual(['7', '7', '7', '7', "['7', '8']", "['7', '8']"]);
  const pair = '"legal_id":"3","currency_id":"1"';
  expect(ordered).toEqual([
    `order.place key-of-mine {${pair},"type":"1","amount":"0.00000001","order_type":"limit","target_price":"1000"}`,
    `order.place key-of-two {${pair},"type":"2","amount":"0.5","order_type":"market"}`,
    'order.amend key-of-three {"id":"7","target_price":"1.10"}',
    'order.cancel key-of-four {"id":"7"}',
    `order.cancelAll key-of-five {${pair},"type":"2"}`,
    'order.cancelAll key-of-six {}',
  ]);
  expect(connections).toBe(1);
});

test('an order whose answer is lost is sent again under its key, and no event is lost [CLIENT-049]', async () => {
  onOrder = (_, tell, socket) => {
    socket.emit(...event(6 + ordered.length));
    atReturn = 6 + ordered.length;
    if (ordered.length === 1) socket.conn.close();
    // The second one stays without an answer on a connection that is alive.
    if (ordered.length === 3) tell(OK);
  };
  const told = await withOrders(`
import stream as module
module.ATTEMPT_S = 1
print(stream.place(market, "buy", 1, 2, "key-of-mine")["id"])
for event, payload in stream:
    print(event, payload["order"]["id"] if payload else payload)
    if payload and payload["order"]["id"] == "9":
        break`);
  expect(new Set(ordered).size).toBe(1);
  expect(ordered.length).toBe(3);
  const again = ['lost None', 'live None'];
  expect(told).toEqual(['7', 'live None', 'order_update 7', ...again, 'order_update 8', ...again, 'order_update 9']);
});

test('an order without any answer is unknown, with its key for a query [CLIENT-049]', async () => {
  onOrder = (_, __, socket) => void socket.conn.close();
  const told = await withOrders(`
bourse.OUTCOME_S = 0.4
try:
    stream.place(market, "buy", 1, 2, "key-of-mine")
except Unknown as unknown:
    print(unknown.idempotency_key)`);
  expect(told).toEqual(['key-of-mine']);
});

test('a key that is no longer taken does not settle an order whose answer was lost [CLIENT-049]', async () => {
  onOrder = (_, __, socket) => {
    aheadMs = 3_600_000;
    socket.conn.close();
  };
  const told = await withOrders(`
stream._exchange.sync_clock = lambda: 0.0
tried(stream.place, market, "buy", 1, 2, "key-of-mine")`);
  expect(told).toEqual(['Unknown the outcome of key-of-mine is not known']);
});

test('a refusal is an error with its key, and is not repeated [CLIENT-049]', async () => {
  onOrder = (_, tell) =>
    ordered.length === 1
      ? tell({ status: 400, answer: { type: 'error', key: 'balance.insufficient', message: 'too little' } })
      : tell({ id: null, type: 'error', key: 'common.fieldInvalid', field: 'amount' });
  const told = await withOrders(`
tried(stream.place, market, "buy", 1, 2)
tried(stream.cancel, "7")`);
  expect(told).toEqual(['Refused balance.insufficient', 'Refused common.fieldInvalid']);
  expect(ordered.length).toBe(2);
});

test('an order that comes too soon, or is not decided yet, is asked for again [CLIENT-049]', async () => {
  const answers = [
    { id: null, type: 'error', key: 'common.tooMany', params: { retry_ms: 100 } },
    { status: 202, answer: { type: 'pending', key: 'common.processing', message: '' } },
    OK,
  ];
  onOrder = (_, tell) => tell(answers[ordered.length - 1] ?? OK);
  expect(await withOrders('print(stream.place(market, "buy", 1, 2, "key-of-mine")["id"])')).toEqual(['7']);
  expect(ordered.length).toBe(3);
  expect(connections).toBe(1);
});

test('an invalid order is not sent [CLIENT-049]', async () => {
  const told = await withOrders(`
tried(stream.place, market, "hold", 1)
tried(stream.cancel_all, market, "SELL")
tried(stream.place, market, "buy", 0.1)
tried(stream.command, "POST", "/api/coin/batch")
stream.close()
tried(stream.cancel, "7")`);
  expect(told).toEqual([
    "ValueError an order has no side 'hold'",
    "ValueError an order has no side 'SELL'",
    'TypeError amount is a float, which has no exact value: give a Decimal or text',
    'ValueError the socket has no message for POST /api/coin/batch',
    'ValueError the stream is closed',
  ]);
  expect(ordered).toEqual([]);
});

test('a clock that is off is corrected when the stream opens [CLIENT-049]', async () => {
  aheadMs = 3_600_000;
  onOrder = (_, tell) => tell(OK);
  expect(await withOrders('print(stream.cancel("7")["id"])')).toEqual(['7']);
  expect(asked).toEqual(['/api/time']);
});
