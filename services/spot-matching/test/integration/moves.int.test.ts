import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { SpotOrder } from '@bourse/contract';
import { serviceAsks } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { replayMarket } from '../../src/adapters/persistence/replay.js';
import { SpotDatabase } from '../../src/adapters/persistence/spot-database.js';
import { LocalBooks } from '../../src/application/local-books.js';
import { EngineStore } from '../../src/application/ports.js';
import { PlainBook } from '@bourse/matching';
import { BTC, SpotBench, USDT } from '../spot-bench.js';

jest.setTimeout(testTimeoutMs(24_000));
const SYMBOL = 'BTC/USDT';
const PARTITIONS = 3;
const users = Array.from({ length: 6 }, (_, index) => 200_001 + index);
let bench: SpotBench;
beforeAll(async () => {
  bench = await SpotBench.create(3, PARTITIONS);
  for (const user of users) {
    bench.state.give(user, USDT, '1000000');
    bench.state.give(user, BTC, '100');
  }
});
afterAll(async () => {
  await bench.end();
});

const home = async (): Promise<number | undefined> =>
  (await bench.test.query<{ partition: number }>(`select partition from spot.market where symbol = '${SYMBOL}'`))[0]
    ?.partition;
const runsIn = (): number | undefined => bench.app.get(LocalBooks).partitionOf(SYMBOL);
async function move(to: number): Promise<void> {
  await bench.ask(serviceAsks.move('spot-matching'), { symbol: SYMBOL, to });
  await eventually(async () => (await home()) === to && runsIn() === to, 20_000);
}
const wholeAudit = async (): Promise<readonly string[]> =>
  (await bench.ask(serviceAsks.audit('spot-matching'), {})).checks
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${name}: ${detail}`);

test('a pair goes to another partition with its open orders and numbers, and trades on there [SPOT-221]', async () => {
  const resting = await bench.sell(users[0]!, '50000', '0.01');
  await bench.buy(users[1]!, '50000', '0.004');
  const before = bench.app.get(LocalBooks).engine(SYMBOL)!;
  const [hash, state] = [before.hash(), before.state];
  const to = ((await home())! + 1) % PARTITIONS;
  await move(to);
  const after = bench.app.get(LocalBooks).engine(SYMBOL)!;
  expect(after).not.toBe(before);
  expect(after.hash()).toBe(hash);
  expect(after.state).toEqual(state);

  await bench.buy(users[2]!, '50000', '0.003');
  expect(await bench.order(users[0]!, resting.id)).toMatchObject({ status: 1 });
  expect(bench.app.get(LocalBooks).engine(SYMBOL)!.state.tradeSequence).toBe(state.tradeSequence + 1);
  expect((await bench.cancel(users[0]!, resting.id)).extra['remaining']).toBe('0.003000');
  const { markets } = await bench.ask(serviceAsks.partitions('spot-matching'), {});
  expect(markets).toContainEqual({ symbol: SYMBOL, partition: to });
  await bench.restart();
  expect(runsIn()).toBe(to);
});

test('orders, cancels and a stop of the market that meet moves are each run once, in one book [SPOT-222]', async () => {
  const [usdt, btc] = [bench.state.total(USDT), bench.state.total(BTC)];
  let moving = true;
  const moves = (async () => {
    for (let round = 0; round < 12; round += 1) {
      await bench.ask(serviceAsks.move('spot-matching'), { symbol: SYMBOL, to: round % PARTITIONS });
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    moving = false;
  })();
  const told: { user: number; id: string; cancelled: boolean }[] = [];
  const people = users.map(async (user, index) => {
    for (let round = 0; moving || round < 20; round += 1) {
      const side = (round + index) % 2 === 0 ? '1' : '2';
      const placed = await bench.place(user, {
        type: side,
        target_price: String(50_000 + ((round * 7 + index) % 5)),
        amount: '0.002',
      });
      const { id } = placed.extra['order'] as SpotOrder;
      const one = { user, id, cancelled: false };
      told.push(one);
      if (round % 3 === 0)
        try {
          await bench.cancel(user, id);
          one.cancelled = true;
        } catch (refusal) {
          // It was filled before; an order that was accepted is never one that is not there.
          expect(refusal).toBeInstanceOf(Refused);
          expect((refusal as Refused).key).toBe('trade.notOpen');
        }
    }
  });
  await bench.ask(serviceAsks.mode('spot-matching'), { symbol: SYMBOL, mode: 'cancel_only' });
  await bench.ask(serviceAsks.mode('spot-matching'), { symbol: SYMBOL, mode: 'normal' });
  await Promise.all([moves, ...people]);
  expect(told.length).toBeGreaterThan(100);

  const rows = await eventually(async () => {
    const found = await bench.test.query<{ id: string; reason: string }>(
      'select id, reason from spot.orders where id = any($1::bigint[])',
      [told.map(({ id }) => id)],
    );
    return found.length === told.length ? found : null;
  }, 20_000);
  const reasons = new Map(rows.map(({ id, reason }) => [id, reason]));
  expect(told.filter(({ id, cancelled }) => cancelled && reasons.get(id) !== 'user')).toEqual([]);
  for (const { user, id } of told)
    try {
      await bench.cancel(user, id);
    } catch (refusal) {
      expect((refusal as Refused).key).toBe('trade.notOpen');
    }
  await bench.quiet();
  expect(bench.ledger.faults).toEqual([]);
  expect(bench.state.holds()).toEqual(new Map());
  expect([bench.state.total(USDT), bench.state.total(BTC)]).toEqual([usdt, btc]);
  const [trades] = await bench.test.query<{ count: string; last: string }>(
    `select count(*) as count, max(sequence) as last from spot.trades where symbol = '${SYMBOL}'`,
  );
  expect(trades?.count).toBe(trades?.last);
  const passed = await bench.test.query(
    `select 1 from spot.outbox where topic = 'spot.commands' and payload::text like '%"passes":%'`,
  );
  expect(passed.length).toBeGreaterThan(0); // else nothing has met a move
  expect(await wholeAudit()).toEqual([]);
  const replay = await replayMarket(
    { query: (sql, params) => bench.test.query(sql, params as unknown[]) as Promise<never[]> },
    SYMBOL,
    () => new PlainBook(),
  );
  expect(replay.rebuilt.stuck).toBeNull();
  expect(replay.equal).toBe(true);
});

test('a market is written by the partition that it is at home in, and by no other one [SPOT-224]', async () => {
  const at = (await home())!;
  const store = bench.app.get(EngineStore);
  const [row] = await store.markets([SYMBOL]);
  const database = bench.app.get(SpotDatabase);
  const write = (partition: number): Promise<void> =>
    database.transaction(
      store.prepare({
        partition,
        inserted: [],
        updated: [],
        trades: [],
        amends: [],
        trails: [],
        markets: [{ ...row!, partition, sequence: row!.sequence + 1_000 }],
      }),
    );
  await expect(write((at + 1) % PARTITIONS)).rejects.toThrow('at home');
  expect(await store.markets([SYMBOL])).toEqual([row]);
});

test('a partition that is not there, and a pair that is not listed, are refused [SPOT-221]', async () => {
  await expect(bench.ask(serviceAsks.move('spot-matching'), { symbol: SYMBOL, to: PARTITIONS })).rejects.toThrow();
  await expect(bench.ask(serviceAsks.move('spot-matching'), { symbol: 'NO/PAIR', to: 0 })).rejects.toThrow();
});
