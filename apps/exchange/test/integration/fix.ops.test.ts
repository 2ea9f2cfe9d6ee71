import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { freePort } from '@bourse/testing';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { ExchangeProcess } from './exchange-process.js';
import { FixProgram, type Fields, type ProgramOptions } from './fix-program.js';

jest.setTimeout(testTimeoutMs(60_000));

/* The FIX gateway, driven by QuickFIX of PyPI: an engine that shares no code with it. */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { partFile } = (await import(new URL('../../../../tools/lib/parts/places.mjs', import.meta.url).href)) as {
  partFile(name: string): string;
};
const folder = mkdtempSync(join(tmpdir(), 'bourse-fix-'));
const PAIR = { legal_id: 3, currency_id: 1 };
const SYMBOL = 'BTC/USDT';

let exchange: ExchangeProcess;
let embedded: number;
let port: number;
let gateway: ChildProcess | undefined;
/** What the gateway has written for operators. */
let log = '';
let options: ProgramOptions;
let trader: { readonly id: number; readonly token: string };
let other: { readonly token: string };
let post: (path: string, fields: object, options: object) => Promise<{ body: Record<string, unknown> }>;

const dataDir = join(folder, 'data');
async function startGateway(): Promise<void> {
  const child = fork(join(root, 'dist/fix.js'), [], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env: { FIX_PORT: String(port), FIX_EXCHANGE_URL: exchange.url, DATA_DIR: dataDir },
  });
  gateway = child;
  child.stderr!.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await new Promise((resolve) => child.once('message', resolve));
}
async function endGateway(signal: NodeJS.Signals): Promise<void> {
  const child = gateway;
  gateway = undefined;
  if (!child) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}
const programs = new Set<FixProgram>();
function startProgram(more: Partial<ProgramOptions> = {}): FixProgram {
  const program = new FixProgram({ ...options, ...more });
  programs.add(program);
  return program;
}
// What a failed test leaves.
afterEach(async () => {
  await Promise.all([...programs].map((program) => program.kill()));
  programs.clear();
});
const buy = (name: string, price: string, amount: string, more: Fields = {}): Fields => ({
  '35': 'D',
  '11': name,
  '55': SYMBOL,
  '54': '1',
  '38': amount,
  '40': '2',
  '44': price,
  '59': '1',
  ...more,
});
/** Another person sells to the best bid. */
const sell = (price: string, amount: string) =>
  post('/api/coin/trade', { ...PAIR, type: 2, target_price: price, amount }, { token: other.token });

beforeAll(async () => {
  embedded = await freePort();
  port = await freePort();
  exchange = await ExchangeProcess.create('fix', {
    MAKER: 'off',
    PRICE_FEED: 'simulated',
    DEMO_PACE: 'calm',
    FIX_PORT: String(embedded),
  });
  await exchange.start();
  process.env['BOURSE_URL'] = exchange.url;
  const people = await import('../contract/people.js');
  ({ post } = (await import('../contract/client.js')) as never as { post: typeof post });
  const funds = { change: { 1: '5', 3: '100000' } };
  [trader, other] = await people.createTraders(2, funds);
  const made = await people.done(
    post(
      '/api/apikey',
      { label: 'fix', permissions: 'read,trade', password: people.FUND },
      { token: trader.token },
    ) as never,
  );
  const { key, secret } = made.message as { key: string; secret: string };
  options = { python: partFile('quickfix'), port, folder: join(folder, 'trader'), sender: 'TRADER', key, secret };
  await startGateway();
}, testTimeoutMs(180_000));
afterAll(async () => {
  await endGateway('SIGTERM');
  await exchange.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test('FIX_PORT starts the gateway with an exchange in one process [FIX-010]', async () => {
  const opens = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(embedded, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  await eventuallySatisfied(opens, (is) => is);
});

test('a wrong signature is refused, and no session comes of it [FIX-001]', async () => {
  const program = startProgram({ secret: 'another', folder: join(folder, 'forged'), sender: 'FORGED' });
  await program.until('a Logout', ({ admin }) => admin.some((one) => one['35'] === '5'));
  expect(program.admin[0]).toMatchObject({ '35': '5', '58': 'apikey.signature reason=signature' });
  expect(program.lines.some(({ logon }) => logon)).toBe(false);
  await program.kill();
});

test('an order is new and filled to the last digit; its name is taken once [FIX-002, FIX-003]', async () => {
  const program = startProgram();
  await program.loggedOn();
  program.send(buy('first', '50000.12', '0.030000'));
  expect(await program.report({ '11': 'first', '150': '0' })).toMatchObject({
    '35': '8',
    '39': '0',
    '38': '0.030000',
    '44': '50000.12',
    '151': '0.030000',
    '14': '0.000000',
    '6': '0',
  });
  await sell('50000.12', '0.01');
  expect(await program.report({ '11': 'first', '150': 'F', '39': '1' })).toMatchObject({
    '32': '0.010000',
    '31': '50000.12',
    '14': '0.010000',
    '151': '0.020000',
    '6': '50000.12',
    '851': '1',
  });
  program.send(buy('first', '50000.12', '0.030000'));
  expect(await program.report({ '11': 'first', '150': '8' })).toMatchObject({ '39': '8', '103': '6' });
  await sell('50000.12', '0.02');
  expect(await program.report({ '11': 'first', '150': 'F', '39': '2' })).toMatchObject({
    '14': '0.030000',
    '151': '0.000000',
  });
  const mine = await fetch(`${exchange.url}/api/coin/list?page=1`, { headers: { authorization: trader.token } });
  const { message } = (await mine.json()) as { message: { total: number } };
  expect(message.total).toBe(1);
  await program.end();
});

test('an order is replaced and cancelled under the names of the requests [FIX-004]', async () => {
  const program = startProgram();
  await program.loggedOn();
  program.send(buy('rests', '40000', '0.02'));
  await program.report({ '11': 'rests', '150': '0' });
  const terms = { '55': SYMBOL, '54': '1' };
  program.send({ ...terms, '35': 'G', '11': 'rests-2', '41': 'rests', '38': '0.03', '40': '2', '44': '40001' });
  expect(await program.report({ '11': 'rests-2', '150': '5' })).toMatchObject({
    '41': 'rests',
    '38': '0.030000',
    '44': '40001.00',
    '151': '0.030000',
  });
  program.send({ ...terms, '35': 'F', '11': 'rests-3', '41': 'rests-2', '38': '0.03' });
  expect(await program.report({ '11': 'rests-3', '150': '4' })).toMatchObject({
    '41': 'rests-2',
    '39': '4',
    '58': 'user',
    '151': '0',
  });
  program.send({ ...terms, '35': 'F', '11': 'rests-4', '41': 'rests-2', '38': '0.03' });
  expect(await program.report({ '11': 'rests-4' })).toMatchObject({ '35': '9', '434': '1', '102': '0', '39': '4' });
  await program.end();
});

test('a fill of the time without connection is sent again after the next Logon [FIX-005]', async () => {
  const before = startProgram();
  await before.loggedOn();
  before.send(buy('alone', '45000', '0.02'));
  await before.report({ '11': 'alone', '150': '0' });
  await before.kill();
  await eventuallySatisfied(
    () => log.split('has lost its connection').length,
    (count) => count > 1,
  );
  await sell('45000', '0.02');
  await eventuallySatisfied(
    () => stored('TRADER').some((line) => line.includes('"45000.00"') && line.includes('[150,"F"]')),
    (is) => is,
  );
  const after = startProgram();
  await after.loggedOn();
  expect(await after.report({ '11': 'alone', '150': 'F' })).toMatchObject({ '43': 'Y', '39': '2' });
  expect(after.sent.some((one) => one['35'] === '2')).toBe(true);
  await after.end();
});

test('a restart of the gateway keeps numbers and ids, and reports missed executions [FIX-006]', async () => {
  const program = startProgram();
  await program.loggedOn();
  program.send(buy('survives', '46000', '0.02'));
  await program.report({ '11': 'survives', '150': '0' });
  const last = Math.max(...program.lines.map(({ app, admin }) => Number((app ?? admin)?.['34'] ?? 0)));
  await endGateway('SIGKILL');
  await sell('46000', '0.01');
  await startGateway();
  expect(await program.report({ '11': 'survives', '150': 'F' })).toMatchObject({ '39': '1', '32': '0.010000' });
  const logons = program.admin.filter((one) => one['35'] === 'A');
  expect(logons).toHaveLength(2);
  expect(Number(logons[1]!['34'])).toBeGreaterThan(last);
  // Neither side has skipped a number or started over.
  expect(program.sent.some((one) => one['141'] === 'Y')).toBe(false);
  program.send(buy('survives', '46000', '0.02'));
  expect(await program.report({ '11': 'survives', '150': '8' })).toMatchObject({ '103': '6' });
  const terms = { '55': SYMBOL, '54': '1', '38': '0.02' };
  program.send({ ...terms, '35': 'F', '11': 'survives-2', '41': 'survives' });
  expect(await program.report({ '11': 'survives-2', '150': '4' })).toMatchObject({ '14': '0.010000' });
  await program.end();
});

test('a session with drop copy gets reports of all orders of the account [FIX-007]', async () => {
  const copy = startProgram({ folder: join(folder, 'copy'), sender: 'COPY', logon: { '9406': 'Y' } });
  await copy.loggedOn();
  const placed = await post(
    '/api/coin/trade',
    { ...PAIR, type: 1, target_price: '30000', amount: '0.01', client_order_id: 'by-hand' },
    { token: trader.token },
  );
  expect(await copy.report({ '11': 'by-hand', '150': '0' })).toMatchObject({ '797': 'Y', '37': placed.body['id'] });
  await copy.end();
});

test('heartbeats keep a quiet session, and a request for a test is answered [FIX-008]', async () => {
  const program = startProgram();
  await program.loggedOn();
  program.send({ '35': '1', '112': 'are you there' });
  await program.until('an answer', ({ admin }) => admin.some((one) => one['112'] === 'are you there'));
  await program.until('a Heartbeat', ({ admin }) => admin.some((one) => one['35'] === '0' && one['112'] === undefined));
  expect(program.lines.some(({ logout }) => logout)).toBe(false);
  await program.end();
});

test('neither log nor store has a secret or a signature [FIX-009]', () => {
  const written = [
    log,
    ...readdirSync(join(dataDir, 'fix')).map((name) => readFileSync(join(dataDir, 'fix', name), 'utf8')),
  ];
  expect(written.length).toBeGreaterThan(2);
  for (const text of written) {
    expect(text).not.toContain(options.secret);
    expect(text).not.toMatch(/[0-9a-f]{64}/);
  }
});

/** The lines of a stored session. */
function stored(sender: string): readonly string[] {
  const name = readdirSync(join(dataDir, 'fix')).find((file) => file.endsWith(`.${sender}.log`));
  return name === undefined ? [] : readFileSync(join(dataDir, 'fix', name), 'utf8').split('\n');
}
