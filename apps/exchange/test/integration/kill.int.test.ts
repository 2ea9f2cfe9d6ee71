import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ExchangeProcess } from './exchange-process.js';
import { TradingLog } from './trading-log.js';

jest.setTimeout(300_000);

let exchange: ExchangeProcess;
beforeAll(async () => {
  exchange = await ExchangeProcess.create('kill', { MAKER: 'off', PRICE_FEED: 'simulated', RATE_SCALE: '10000' });
  await exchange.start();
});
afterAll(async () => {
  await exchange.dispose();
});

describe('SIGKILL of the one process in the middle of trading [FAULT-001]', () => {
  test.each([1, 2])(
    'round %i: every answer stands, every open question gets one answer, money adds up',
    async (round) => {
      const traders = await TradingLog.signIn(exchange.url, `k${round}`);
      traders.start();
      for (const until = Date.now() + 20_000; traders.accepted < 100 && Date.now() < until;)
        await new Promise((resolve) => setTimeout(resolve, 50));
      const stopped = traders.stop();
      await exchange.kill();
      await stopped;
      if (traders.accepted < 50) throw new Error(traders.summary());

      expect(await exchange.start()).toBeLessThan(15_000);
      expect(await traders.disagreements()).toEqual([]);
      await traders.tradesOn(5_000);
    },
  );

  test('SIGTERM ends it in order, and the next start is quick [FAULT-002]', async () => {
    expect(await exchange.stop()).toBe(0);
    expect(await exchange.start()).toBeLessThan(15_000);
  });
});
