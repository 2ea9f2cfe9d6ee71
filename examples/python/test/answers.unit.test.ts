import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';

jest.setTimeout(60_000);

/* The client in Python with an exchange that loses answers: every order exists once. */

type Way = 'html' | 'foreign' | 'cut' | 'hang-up' | 'garbage';
/** How answers go astray, one after another; then they arrive. The order is placed all the same. */
let astray: Way[] = [];
/** How far the clock of the exchange is ahead. Ms. */
let aheadMs = 0;
/** A gate that refuses every command that is not lost. */
let gate: string | undefined;
/** Status and key by which every command that is not lost is turned away. */
let busy: readonly [number, string] | undefined;
const orders = new Map<string, string>();
const seen: { readonly method: string; readonly key: string; readonly status: number }[] = [];

const LOSE: Record<Way, (response: ServerResponse) => void> = {
  html: (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>'),
  foreign: (response) => response.writeHead(504, { 'content-type': 'application/json' }).end('{"error":"timeout"}'),
  cut: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"type":"ok","order":', () => response.destroy());
  },
  'hang-up': (response) => void response.destroy(),
  garbage: (response) => void response.socket?.end('no HTTP at all\r\n\r\n'),
};
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { method = '', url = '', headers } = request;
  const now = Date.now() + aheadMs;
  response.setHeader('date', new Date(now).toUTCString());
  const tell = (status: number, told: object): void => {
    seen.push({ method, key: String(headers['idempotency-key'] ?? ''), status });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(told));
  };
  if (url === '/api/time') return tell(200, { type: 'ok', message: String(now) });
  const timestamp = String(headers['x-api-timestamp']);
  const digest = createHash('sha256').update(body).digest('hex');
  const signature = createHmac('sha256', 'secret').update([method, url, timestamp, digest].join('\n')).digest('hex');
  if (Math.abs(Number(timestamp) - now) > 5_000 || headers['x-api-signature'] !== signature)
    return tell(401, { type: 'error', key: 'apikey.signature', message: 'wrong' });
  const key = String(headers['idempotency-key'] ?? '');
  const way = astray.shift();
  if (method === 'POST' && !orders.has(key)) orders.set(key, String(orders.size + 1));
  if (way === undefined && busy !== undefined)
    return tell(busy[0], { type: 'error', key: busy[1], message: 'refused' });
  if (way === undefined && gate !== undefined) return tell(200, { type: 'error', key: gate, message: 'refused' });
  if (way === undefined) return tell(200, { type: 'ok', message: '', order: { id: orders.get(key) ?? '' } });
  seen.push({ method, key, status: 0 });
  LOSE[way](response);
}
const server = createServer((request, response) => void answer(request, response));
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [astray, aheadMs, gate, busy] = [[], 0, undefined, undefined];
  orders.clear();
  seen.length = 0;
});

async function run(body: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const source = `import bourse
from bourse import Bourse, Refused, Unknown
exchange = Bourse("http://127.0.0.1:${String(port)}", "key", "secret")
market = {"legal_id": 3, "currency_id": 1}
${body}`;
  const { stdout, stderr } = await promisify(execFile)('python3', ['-B', '-W', 'error', '-c', source], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    timeout: 40_000,
  });
  expect(stderr).toBe('');
  return stdout;
}
const PLACE = 'print(exchange.place(market, "buy", 1, 2, "key-of-mine")["id"])\n';

test('an order whose answer is lost is resent under its key, and exists once [API-051]', async () => {
  astray = ['html', 'cut', 'hang-up', 'foreign', 'garbage'];
  expect(await run(PLACE)).toBe('1\n');
  expect([...orders]).toEqual([['key-of-mine', '1']]);
  expect(seen.map(({ key, status }) => [key, status])).toEqual([
    ...Array.from({ length: 5 }, () => ['key-of-mine', 0]),
    ['key-of-mine', 200],
  ]);
});

test('an outcome that stays unknown is an error with the key for a query [API-051]', async () => {
  astray = Array.from({ length: 20 }, () => 'html');
  const output = await run(`bourse.OUTCOME_S = 0.4
try:
    exchange.place(market, "buy", 1, 2, "key-of-mine")
except Unknown as unknown:
    print(unknown.idempotency_key)
`);
  expect(output).toBe('key-of-mine\n');
  expect(orders.size).toBe(1);
});

test.each(['auth.frozen', 'kyc.required', 'fund.mustReset', 'noopen'])(
  'after a lost answer a refusal of %s leaves the outcome unknown, else it is a refusal [CLIENT-052]',
  async (key) => {
    [gate, astray] = [key, ['html']];
    const output = await run(`for _ in range(2):
    try:
        exchange.place(market, "buy", 1, 2, "key-of-mine")
    except (Refused, Unknown) as error:
        print(type(error).__name__)
`);
    expect(output).toBe('Unknown\nRefused\n');
  },
);

test.each([
  [429, 'common.tooMany', true],
  [503, 'common.unavailable', true],
  [503, 'market.paused', false],
] as const)(
  'an order that %s %s turns away is refused in the end, after a lost answer unknown [CLIENT-066]',
  async (status, key, isRepeated) => {
    [busy, astray] = [[status, key], ['html']];
    const output = await run(`bourse.OUTCOME_S = 0.4
for _ in range(2):
    try:
        exchange.place(market, "buy", 1, 2)
    except (Refused, Unknown) as error:
        print(type(error).__name__, getattr(error, "key", None))
`);
    expect(output).toBe(`Unknown None\nRefused ${key}\n`);
    const keys = seen.map((one) => one.key);
    expect(keys.filter((one) => one === keys.at(-1)).length > 1).toBe(isRepeated);
  },
);

test('a command of a thread overtakes no earlier one of the same order in another [CLIENT-076]', async () => {
  const output = await run(`import threading
from stream import Stream
begun, ends = [], {}
class Held(Bourse):
    def _send(self, method, path, body=None, headers=None):
        name = " ".join([method, path.replace("/api/coin/", ""), body])
        begun.append(name)
        if name == "POST trade client_order_id=mine&legal_id=3&currency_id=1" and begun.count(name) == 1:
            # As the handler of a signal does.
            self.cancel("9")
            raise OSError("lost")
        if name != "PUT trade id=9":
            ends.setdefault(name, threading.Event()).wait(10)
        return {"type": "ok", "order": {}, "ids": []}
class Line(Stream):
    def _try_command(self, method, path, fields, key):
        return self._exchange._try_command(method, path, fields, key)
exchange = Held("http://127.0.0.1:9", "key", "secret")
line = Line(exchange)
threads = []
def start(work, *args, **fields):
    threads.append(threading.Thread(target=work, args=args, kwargs=fields))
    threads[-1].start()
def news(count):
    until = bourse.time.monotonic() + 5
    while len(begun) < count and bourse.time.monotonic() < until: bourse.time.sleep(0.01)
    bourse.time.sleep(0.1)
    told = sorted(begun)
    begun.clear()
    for name in told: ends.setdefault(name, threading.Event()).set()
    return told
pair = {"legal_id": 3, "currency_id": 1}
start(exchange.command, "POST", "/api/coin/trade", client_order_id="mine", **pair)
while not begun: bourse.time.sleep(0.01)
start(line.command, "PUT", "/api/coin/trade", client_order_id="mine")
bourse.time.sleep(0.05)
start(exchange.cancel_all, market)
bourse.time.sleep(0.05)
start(exchange.place, market, "buy", 1, 2)
start(exchange.command, "POST", "/api/coin/trade", legal_id=3, currency_id=2)
for count in (4, 1, 1, 1): print(news(count))
for thread in threads: thread.join()
`);
  const order = 'POST trade client_order_id=mine&legal_id=3&currency_id=1';
  const lists = output.trim().split('\n');
  expect(lists).toEqual([
    `['${order}', '${order}', 'POST trade legal_id=3&currency_id=2', 'PUT trade id=9']`,
    "['PUT trade client_order_id=mine']",
    "['POST cancel_all legal_id=3&currency_id=1']",
    "['POST trade legal_id=3&currency_id=1&type=1&amount=1&order_type=limit&target_price=2']",
  ]);
});

test('a read without an answer is an OSError [API-051]', async () => {
  astray = ['html', 'cut', 'garbage'];
  const output = await run(`for _ in range(3):
    try:
        exchange.read("/api/coin/list")
    except OSError as error:
        print(type(error).__name__)
`);
  expect(output).toBe('NoAnswer\nNoAnswer\nNoAnswer\n');
});

test.each([3_600_000, -20_000])('a clock that is %s ms behind is corrected once [API-052]', async (ms) => {
  aheadMs = ms;
  expect(await run(PLACE + PLACE.replace('mine', 'two'))).toBe('1\n2\n');
  // Refused, the time, then all goes well.
  expect(seen.map(({ status }) => status)).toEqual([401, 200, 200, 200]);
});

test('a wrong secret is refused, whatever the time [API-052]', async () => {
  const output = await run(`exchange.secret = "another"
try:
    exchange.place(market, "buy", 1, 2)
except Refused as refused:
    print(refused.key, refused.status)
`);
  expect(output).toBe('apikey.signature 401\n');
  expect(orders.size).toBe(0);
});

test('an order of a side that is none is not sent [CLIENT-032]', async () => {
  const output = await run(`for side in ("SELL", "hold", None):
    try:
        exchange.place(market, side, 1)
    except ValueError as error:
        print(error)
`);
  expect(output).toBe("an order has no side 'SELL'\nan order has no side 'hold'\nan order has no side None\n");
  expect(seen).toEqual([]);
});

test('a defect of the exchange leaves the outcome of an order open [CLIENT-150]', async () => {
  busy = [500, 'common.defect'];
  const output = await run(`bourse.OUTCOME_S = 0.4
try:
    exchange.place(market, "buy", 1, 2, "key-of-mine")
except Unknown as unknown:
    print(unknown.idempotency_key)
`);
  expect(output).toBe('key-of-mine\n');
  expect(seen.length).toBeGreaterThan(1);
  expect(orders.size).toBe(1);
});
