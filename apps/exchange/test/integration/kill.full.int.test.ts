import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { ExchangeProcess } from './exchange-process.js';
import { TradingLog } from './trading-log.js';

jest.setTimeout(testTimeoutMs(120_000));

const ROUNDS = 2;

let exchange: ExchangeProcess;
beforeAll(async () => {
  exchange = await ExchangeProcess.create('kills', { MAKER: 'off', PRICE_FEED: 'simulated', RATE_SCALE: '10000' });
  await exchange.start();
});
afterAll(async () => {
  await exchange.dispose();
});

test(`after each of ${ROUNDS} SIGKILLs every answer is kept, and money adds up [FAULT-001]`, async () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const traders = await TradingLog.signIn(exchange.url, `k${round}`);
    traders.start();
    await eventually(() => traders.accepted >= 100, 24_000);
    const stopped = traders.stop();
    await exchange.kill();
    await stopped;

    await exchange.start();
    expect(await traders.disagreements()).toEqual([]);
    await traders.tradesOn(testTimeoutMs(12_000));
  }
});

test('SIGTERM ends it in order, and it starts again [FAULT-002]', async () => {
  expect(await exchange.stop()).toBe(0);
  await exchange.start();
});
