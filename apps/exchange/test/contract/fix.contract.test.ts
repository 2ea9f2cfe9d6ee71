import { fork, type ChildProcess } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, call, get, post } from './client.js';
import { createTrader, done, FUND, type Person } from './people.js';

jest.setTimeout(testTimeoutMs(30_000));

/* The FIX gateway before an exchange, by a client of its own; QuickFIX drives it in fix.ops.test.ts. */

type Fields = Readonly<Record<number, string>>;
const SOH = '\x01';
const END = new RegExp(`${SOH}10=\\d{3}${SOH}`);
const folder = mkdtempSync(join(tmpdir(), 'bourse-fix-'));
const root = fileURLToPath(new URL('../../../../', import.meta.url));
let gateway: ChildProcess;
let port: number;
let person: Person;
let key: { readonly key: string; readonly secret: string };

beforeAll(async () => {
  person = await createTrader({ change: { 2: '5', 3: '10000' } });
  const made = await done(
    post('/api/apikey', { label: 'fix', permissions: 'read,trade', password: FUND }, { token: person.token }),
  );
  key = made.message;
  gateway = fork(join(root, 'dist/fix.js'), [], {
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    env: { FIX_PORT: '0', FIX_EXCHANGE_URL: BASE, DATA_DIR: folder },
  });
  port = await new Promise((resolve) => {
    gateway.once('message', (message) => resolve((message as { port: number }).port));
  });
});
afterAll(async () => {
  const ended = new Promise((resolve) => gateway.once('exit', resolve));
  gateway.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
  await call('DELETE', '/api/apikey', { key: key.key, password: FUND }, { token: person.token });
});

/** A connection of a program. */
class Program {
  readonly received: Fields[] = [];
  isClosed = false;
  private readonly socket: Socket;
  private seq = 0;

  constructor(private readonly sender: string) {
    let pending = '';
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
    this.socket.on('data', (bytes: Buffer) => {
      pending += bytes.toString('latin1');
      for (let end; (end = END.exec(pending));) {
        const text = pending.slice(0, end.index + end[0].length);
        pending = pending.slice(text.length);
        const fields = text.split(SOH).slice(0, -1);
        this.received.push(Object.fromEntries(fields.map((field) => field.split(/=(.*)/s, 2))) as Fields);
      }
    });
  }

  send(fields: Fields, sendingTime = timeText(Date.now())): void {
    this.seq += 1;
    const { 35: type, ...body } = fields as Record<number, string>;
    const all = { 35: type, 49: this.sender, 56: 'BOURSE', 34: String(this.seq), 52: sendingTime };
    const pairs = [...Object.entries(all), ...Object.entries(body)];
    // Numbers as names of fields are put in order by the language; the type must come first.
    const text = [['35', type], ...pairs.filter(([tag]) => tag !== '35')].map((pair) => pair.join('=') + SOH).join('');
    const start = `8=FIX.4.4${SOH}9=${text.length}${SOH}${text}`;
    const sum = [...start].reduce((before, letter) => before + letter.charCodeAt(0), 0) % 256;
    this.socket.write(`${start}10=${String(sum).padStart(3, '0')}${SOH}`, 'latin1');
  }

  /** Sends a Logon as docs/fix.md says. */
  logOn({ secret = key.secret, at = Date.now(), sentAt = at, ...more }: LogonOptions = {}): void {
    const signature = signatureOf(secret, at);
    this.send({ 35: 'A', 98: '0', 108: '30', 553: key.key, 554: signature, ...(more.fields ?? {}) }, timeText(sentAt));
  }

  /** The first message that has these fields. */
  async report(fields: Fields): Promise<Fields> {
    const has = (one: Fields): boolean =>
      Object.entries(fields).every(([tag, value]) => (one as Record<string, string>)[tag] === value);
    return eventuallySatisfied(
      () => this.received.find(has),
      (found) => found !== undefined,
    ).catch((error: unknown) => {
      const last = this.received
        .slice(-4)
        .map(({ 35: type, 11: name, 150: exec, 58: text }) => ({ type, name, exec, text }));
      throw new Error(`no ${JSON.stringify(fields)}; the last were ${JSON.stringify(last)}`, { cause: error });
    }) as Promise<Fields>;
  }

  end(): void {
    this.socket.destroy();
  }
}
interface LogonOptions {
  readonly secret?: string;
  readonly at?: number;
  readonly sentAt?: number;
  readonly fields?: Fields;
}
/** As docs/fix.md says. */
function signatureOf(secret: string, at: number): string {
  const digest = createHash('sha256').update('').digest('hex');
  return createHmac('sha256', secret)
    .update(['GET', '/socket.io', String(at), digest].join('\n'))
    .digest('hex');
}
const timeText = (ms: number): string =>
  new Date(ms).toISOString().replaceAll('-', '').replace('T', '-').replace('Z', '');

let names = 0;
async function begin(more: LogonOptions = {}): Promise<Program> {
  const program = new Program(`PROGRAM-${(names += 1)}`);
  program.logOn(more);
  await program.report({ 35: 'A' });
  return program;
}
const limit = (name: string, more: Fields = {}): Fields => ({
  35: 'D',
  11: name,
  55: 'ETH/USDT',
  54: '1',
  38: '0.01',
  40: '2',
  44: '900.5',
  ...more,
});

test('a Logon that is not signed as the documents say is refused with the reason, and ends [FIX-001]', async () => {
  const now = Date.now();
  const cases: [LogonOptions, string][] = [
    [{ secret: 'x' }, 'apikey.signature reason=signature'],
    [{ at: now - 60_000 }, 'apikey.signature reason=time'],
    [{ at: now, sentAt: now + 1 }, 'apikey.signature reason=signature'],
    [{ fields: { 553: 'nobody' } }, 'apikey.signature reason=key'],
    [{ fields: { 554: '' } }, 'apikey.signature reason=signature'],
    [{ fields: { 108: '0' } }, 'HeartBtInt must be 5 to 300'],
    [{ fields: { 98: '1' } }, 'EncryptMethod must be 0'],
  ];
  for (const [options, text] of cases) {
    const program = new Program('FORGED');
    program.logOn(options);
    expect((await program.report({ 35: '5' }))[58]).toBe(text);
    await eventuallySatisfied(
      () => program.isClosed,
      (is) => is,
    );
    expect(program.received).toHaveLength(1);
  }
});

test('the check value of the documents is right [FIX-001]', () => {
  const page = readFileSync(join(root, 'docs/fix.md'), 'utf8');
  expect(page).toContain(`(1767225600000) gives \`${signatureOf('demo-secret', 1_767_225_600_000)}\``);
});

test('a replayed Logon is refused [FIX-001]', async () => {
  const at = Date.now();
  const [first, second] = [new Program('SEEN'), new Program('SEEN')];
  first.logOn({ at });
  await first.report({ 35: 'A' });
  second.logOn({ at });
  expect((await second.report({ 35: '5' }))[58]).toBe('apikey.signature reason=replay');
  first.send({ 35: '1', 112: 'here' });
  await first.report({ 35: '0', 112: 'here' });
  first.end();
});

test('a low number is refused each time, a reset starts over, the newest connection counts [FIX-014]', async () => {
  const first = new Program('NUMBERS');
  first.logOn();
  await first.report({ 35: 'A' });
  first.send({ 35: '1', 112: 'a' });
  await first.report({ 112: 'a' });
  first.end();
  for (let time = 0; time < 2; time += 1) {
    const low = new Program('NUMBERS');
    low.logOn();
    expect((await low.report({ 35: '5' }))[58]).toBe('MsgSeqNum too low, expecting 3 but received 1');
    await eventuallySatisfied(
      () => low.isClosed,
      (is) => is,
    );
  }
  const [second, third] = [new Program('NUMBERS'), new Program('NUMBERS')];
  second.logOn({ fields: { 141: 'Y' } });
  expect(await second.report({ 35: 'A' })).toMatchObject({ 34: '1', 141: 'Y' });
  third.logOn({ fields: { 141: 'Y' } });
  await third.report({ 35: 'A' });
  expect((await second.report({ 35: '5' }))[58]).toBe('another connection has logged on');
  third.end();
});

test('orders are placed, queried and cancelled by the rules of the calls [FIX-002]', async () => {
  const program = await begin();
  program.send(limit('c-1'));
  const placed = await program.report({ 11: 'c-1', 150: '0' });
  expect(placed).toMatchObject({ 39: '0', 44: '900.50', 38: '0.0100', 151: '0.0100', 59: '1' });
  const { body } = await get('/api/coin/order', { client_order_id: 'c-1' }, { token: person.token });
  expect(body.message).toMatchObject({ id: placed[37], status: 1 });
  program.send({ 35: 'H', 11: 'c-1', 55: 'ETH/USDT', 54: '1', 790: 'q' });
  expect(await program.report({ 150: 'I' })).toMatchObject({ 790: 'q', 39: '0', 37: placed[37] });
  program.send({ 35: 'H', 11: 'nothing', 55: 'ETH/USDT', 54: '1' });
  expect((await program.report({ 150: 'I', 11: 'nothing' }))[58]).toBe('common.notFound');
  // A cancel directly behind its order finds it.
  program.send(limit('c-2'));
  program.send({ 35: 'F', 11: 'c-3', 41: 'c-2', 55: 'ETH/USDT', 54: '1' });
  expect(await program.report({ 11: 'c-3', 150: '4' })).toMatchObject({ 41: 'c-2', 39: '4' });
  program.send({ 35: 'F', 11: 'c-4', 41: 'nothing', 55: 'ETH/USDT', 54: '1' });
  expect(await program.report({ 35: '9' })).toMatchObject({ 11: 'c-4', 102: '1', 434: '1', 58: 'common.notFound' });
  program.send({ 35: 'q', 11: 'c-5', 530: '1', 55: 'ETH/USDT' });
  expect(await program.report({ 35: 'r' })).toMatchObject({ 531: '1', 533: '1' });
  await program.report({ 11: 'c-1', 150: '4' });
  program.end();
});

test('kinds of orders end by their own terms [FIX-002]', async () => {
  const program = await begin();
  program.send(limit('k-1', { 59: '3' }));
  expect(await program.report({ 11: 'k-1', 150: 'C' })).toMatchObject({ 39: 'C', 58: 'ioc' });
  program.send(limit('k-2', { 59: '4' }));
  expect(await program.report({ 11: 'k-2', 150: 'C' })).toMatchObject({ 58: 'fok' });
  program.send(limit('k-3', { 44: '90000', 18: '6' }));
  await program.report({ 11: 'k-3', 150: '4', 58: 'post_only' });
  program.send(limit('k-4', { 40: '4', 44: '90001', 99: '90000' }));
  expect(await program.report({ 11: 'k-4', 150: '0' })).toMatchObject({ 40: '4', 99: '90000.00' });
  const { 44: _, ...market } = limit('k-5', { 40: '1' }) as Record<number, string>;
  program.send(market);
  const traded = await program.report({ 11: 'k-5', 150: 'F', 39: '2' });
  expect(traded).toMatchObject({ 14: '0.0100', 151: '0.0000', 851: '2', 479: 'ETH' });
  program.send({ 35: 'q', 11: 'k-6', 530: '7' });
  await program.report({ 35: 'r', 531: '7' });
  program.end();
});

test('refusals have the keys of the exchange; unsupported fields are rejected [FIX-016]', async () => {
  const program = await begin();
  program.send(limit('r-1', { 38: '100000' }));
  expect(await program.report({ 11: 'r-1' })).toMatchObject({
    150: '8',
    39: '8',
    103: '3',
    58: 'balance.insufficient',
  });
  program.send(limit('r-2', { 44: '900.123' }));
  expect((await program.report({ 11: 'r-2' }))[58]).toMatch(/^trade\.priceScale .*scale=2/);
  program.send(limit('r-3', { 55: 'NO/PAIR' }));
  expect(await program.report({ 11: 'r-3' })).toMatchObject({ 103: '1', 58: 'pair.delisted' });
  program.send(limit('r-4', { 111: '0.001' }));
  expect(await program.report({ 35: '3', 371: '111' })).toMatchObject({ 372: 'D', 373: '2' });
  program.send(limit('r-5', { 59: '0' }));
  expect(await program.report({ 35: '3', 371: '59' })).toMatchObject({ 373: '5' });
  program.send({ 35: 'V', 262: 'x', 263: '1' });
  expect(await program.report({ 35: 'j' })).toMatchObject({ 372: 'V', 380: '3' });
  // The session goes on, and nothing of it became an order.
  program.send(limit('r-6'));
  await program.report({ 11: 'r-6', 150: '0' });
  for (const name of ['r-1', 'r-2', 'r-3', 'r-4', 'r-5'])
    expect((await get('/api/coin/order', { client_order_id: name }, { token: person.token })).body.key).toBe(
      'common.notFound',
    );
  program.end();
});

test('a key that may only read gets drop copies and places nothing, until it is deleted [FIX-007]', async () => {
  const made = await done(
    post('/api/apikey', { label: 'copy', permissions: 'read', password: FUND }, { token: person.token }),
  );
  const copy = made.message as typeof key;
  const program = await begin({ secret: copy.secret, fields: { 553: copy.key, 9406: 'Y' } });
  program.send(limit('d-1'));
  expect(await program.report({ 11: 'd-1', 150: '8' })).toMatchObject({ 58: 'common.forbidden' });
  const trader = await begin();
  trader.send(limit('d-2'));
  await trader.report({ 11: 'd-2', 150: '0' });
  expect(await program.report({ 11: 'd-2', 150: '0' })).toMatchObject({ 797: 'Y' });
  trader.send({ 35: 'F', 11: 'd-3', 41: 'd-2', 55: 'ETH/USDT', 54: '1' });
  // The copy has the name of the order: the cancel is a request of the other session.
  await program.report({ 11: 'd-2', 150: '4' });
  await call('DELETE', '/api/apikey', { key: copy.key, password: FUND }, { token: person.token });
  await program.report({ 35: '5' });
  trader.end();
});
