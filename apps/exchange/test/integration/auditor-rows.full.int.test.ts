import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing';
import {
  audit,
  auditUnderLoad,
  begin,
  breaker,
  connect,
  database,
  end,
  exchange,
  expectAuditorFinds,
  expectRoundFinds,
  one,
  order,
  plant,
  reopened,
  shown,
  signIn,
  isHalted,
  STILL_MS_MAX,
  type Fault,
} from './audited-exchange.js';

jest.setTimeout(testTimeoutMs(120_000));

// The wrong rows are planted in trades and candles.
beforeAll(async () => {
  await begin('audit-rows');
  await auditUnderLoad();
});
afterAll(end);

describe('the auditor itself finds one wrong unit within 60 s, and stops the exchange [AUDIT-002]', () => {
  test.each<[string, () => Promise<Fault>]>([
    [
      'an open order',
      async () => {
        const { id } = await one(
          `select id from spot.orders
            where status = 1 and symbol = 'BTC/USDT' and filled = 0
            order by sequence limit 1`,
        );
        return {
          plant: `update spot.orders set price = price + 0.01 where id = ${id}`,
          mend: `update spot.orders set price = price - 0.01 where id = ${id}`,
          check: 'spot-matching.book BTC/USDT',
          named: `order ${id}`,
        };
      },
    ],
    [
      'a candle',
      async () => {
        const { at } = await one(
          `select opens_at::text as at
            from market.candle
            where period = '1min' and volume > 0
            order by opens_at limit 1`,
        );
        const change = (sign: string): string =>
          `update market.candle set volume = volume ${sign} 0.00000001 where period = '1min' and opens_at = '${at}'`;
        return { plant: change('+'), mend: change('-'), check: 'market-data.candles', named: '1min' };
      },
    ],
  ])('%s', (_, of) => expectAuditorFinds(of));
});

describe('whatever row it is in, it is named [AUDIT-003]', () => {
  test.each<[string, () => Promise<Fault>]>([
    [
      'a leg of an old journal',
      async () => {
        const { number, partition, part } = await one(
          `select number, partition, part
            from ledger.journal
            where cause_type = 'seed' and owner = 100003
            order by number limit 1`,
        );
        const change = (from: string, to: string): string =>
          `update ledger.journal
            set entries = replace(entries::text, '${from}', '${to}')::json
            where number = ${number} and partition = ${partition} and part = ${part}`;
        return {
          plant: change(',"', ',"1'),
          mend: change(',"1', ',"'),
          check: 'wallet-ledger.chain',
          named: `journal ${number} of partition ${partition}`,
        };
      },
    ],
    [
      'what is left of an open order',
      async () => {
        const { id } = await one(
          `select id from spot.orders
            where status = 1 and symbol = 'BTC/USDT' and filled = 0
            order by sequence limit 1`,
        );
        return {
          plant: `update spot.orders set filled = filled + 0.000001 where id = ${id}`,
          mend: `update spot.orders set filled = filled - 0.000001 where id = ${id}`,
          check: 'spot-matching.book BTC/USDT',
          named: `order ${id}`,
        };
      },
    ],
    [
      'what an open order holds',
      async () => {
        const { id } = await one(
          `select id from spot.orders where status = 1 and filled = 0 and side = 0 order by sequence limit 1`,
        );
        return {
          plant: `update spot.orders set hold_left = hold_left - 0.00000001 where id = ${id}`,
          mend: `update spot.orders set hold_left = hold_left + 0.00000001 where id = ${id}`,
          check: 'gateway.holds',
          named: `order:${id}`,
        };
      },
    ],
    [
      'a trade in the lists',
      async () => ({
        plant: `update market.trade set price = price + 0.01 where sequence = 5`,
        mend: `update market.trade set price = price - 0.01 where sequence = 5`,
        check: 'gateway.trades',
        named: 'BTC/USDT',
      }),
    ],
    [
      'a state that does not exist',
      async () => {
        const { id } = await one('select id from spot.orders where status = 2 and filled = quantity limit 1');
        return {
          plant: `update spot.orders set reason = 'user' where id = ${id}`,
          mend: `update spot.orders set reason = '' where id = ${id}`,
          check: 'spot-matching.orders',
          named: `order ${id}`,
        };
      },
    ],
    [
      'a candle of a day',
      async () => {
        const change = (sign: string): string =>
          `update market.candle c
            set high = high ${sign} 0.00000001
            from market.pair p
            where p.id = c.pair_id and p.symbol = 'BTC/USDT' and period = '1day'
              and opens_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'`;
        return { plant: change('+'), mend: change('-'), check: 'market-data.candles', named: '1day' };
      },
    ],
    [
      'a position ahead of what was written',
      async () => ({
        plant: `update ledger.position
          set number = number + 100000
          where consumer = 'ledger.writer' and stream like 'spot%'`,
        mend: `update ledger.position
          set number = number - 100000
          where consumer = 'ledger.writer' and stream like 'spot%'`,
        check: 'flow.positions',
        named: 'ledger.writer',
      }),
    ],
  ])('%s', (_, of) => expectRoundFinds(of));
});

test('a standstill outlives kill -9: nothing opens by itself, even when the fault is gone [AUDIT-005]', async () => {
  const row = `where owner = 100002 and product = 'change' and currency = 3`;
  await plant(`update ledger.balance set available = available + 0.00000001 ${row}`);
  await audit();
  await eventuallySatisfied(shown, isHalted, STILL_MS_MAX);
  await plant(`update ledger.balance set available = available - 0.00000001 ${row}`);
  await database.end();
  await exchange.kill();
  await exchange.start();
  await connect();
  await signIn();
  const clean = await audit();
  expect(clean.ok).toBe(1);
  expect(isHalted(clean)).toBe(true);
  expect((await order()).status).toBe(503);
  expect((await breaker('BTC/USDT', 'normal')).body).toMatchObject({ key: 'admin.reopenAll' });
  await reopened();
});
