import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { matchLines } from '../match-lines.js';
import { ExchangeProcess } from './exchange-process.js';

jest.setTimeout(testTimeoutMs(60_000));

/* The programs of examples/python/ccxt, with ccxt from PyPI. */

const examples = fileURLToPath(new URL('../../../../examples/python/ccxt/', import.meta.url));
const { partFile } = (await import(new URL('../../../../tools/lib/parts/places.mjs', import.meta.url).href)) as {
  partFile(name: string): string;
};

let exchange: ExchangeProcess;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  exchange = await ExchangeProcess.create('ccxt-python', { PRICE_FEED: 'simulated', DEMO_PACE: 'calm' });
  await exchange.start();
  process.env['BOURSE_URL'] = exchange.url;
  const [people, { post }] = await Promise.all([import('../contract/people.js'), import('../contract/client.js')]);
  const { token } = await people.createTrader({ change: { 1: '1', 3: '10000' } });
  const made = await people.done(
    post('/api/apikey', { label: 'python', permissions: 'read,trade', password: people.FUND }, { token }),
  );
  const { key, secret } = made.message as { key: string; secret: string };
  env = {
    ...process.env,
    PYTHONPATH: examples,
    BOURSE_HOST: new URL(exchange.url).host,
    BOURSE_API_KEY: key,
    BOURSE_API_SECRET: secret,
  };
}, testTimeoutMs(180_000));
afterAll(async () => {
  await exchange.dispose();
});

async function run(program: string): Promise<string> {
  const args = ['-B', '-W', 'error::RuntimeWarning', `${examples}${program}`, 'BTC/USDT', '0.001'];
  const { stdout, stderr } = await promisify(execFile)(partFile('ccxt'), args, { env });
  expect(stderr).toBe('');
  return stdout;
}

test('the class for Python trades, plain and with asyncio, and refuses unknown parameters [CLIENT-047]', async () => {
  expect(await run('demo.py')).toMatch(
    matchLines(
      /BTC\/USDT: [\d.]+ bid, [\d.]+ asked/,
      /Candles of a minute: True/,
      /Order for [\d.]+ rests at its price: True/,
      /The same command again answers the same order: True/,
      /It is open once: True/,
      /It is canceled/,
      /Refused: takeProfitPrice/,
      /Refused: reduceOnly/,
      /Too much is refused/,
      /buy 0.001: closed, its fills add up: True/,
      /sell 0.001: closed, its fills add up: True/,
      /BTC is what it was but for the fee: True/,
      /With asyncio: True, True/,
      /It is canceled/,
    ),
  );
});

test('the streams for Python show the market and own orders, send orders, and outlive a cut [CLIENT-048]', async () => {
  expect(await run('live.py')).toMatch(
    matchLines(
      /BTC\/USDT: [\d.]+ bid, [\d.]+ asked, 5 levels/,
      /Last price: [\d.]+/,
      /Trades: True, candle: True/,
      /Own fill of the order: True/,
      /Balances changed: True/,
      /The stream shows its end: canceled/,
      /Changed over the socket: True/,
      /Cancelled over the socket: canceled/,
      /Too much is refused/,
      /An order whose answer is lost is placed once: True/,
      /All are cancelled: True/,
      /A waiting call fails: the connection was cut/,
      /The next call connects again: True/,
    ),
  );
});
