import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { serviceAsks } from '@bourse/messaging';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { PostgresBookCheckpoints } from '../../src/adapters/persistence/postgres-book-checkpoints.js';
import { replayMarket, type Replay } from '../../src/adapters/persistence/replay.js';
import { LadderBook, PlainBook } from '@bourse/matching';
import { BTC, SpotBench, USDT } from '../spot-bench.js';

jest.setTimeout(testTimeoutMs(24_000));
let bench: SpotBench;
const users = Array.from({ length: 6 }, (_, index) => 200_001 + index);
beforeAll(async () => {
  bench = await SpotBench.create(3);
  for (const user of users) {
    bench.state.give(user, USDT, '1000000');
    bench.state.give(user, BTC, '100');
  }
});
afterAll(async () => {
  await bench.end();
});

const replay = (plain = false): Promise<Replay> =>
  replayMarket(
    { query: (sql, params) => bench.test.query(sql, params as unknown[]) as Promise<never[]> },
    'BTC/USDT',
    () => (plain ? new PlainBook() : new LadderBook()),
  );

/** Orders of every kind, cancels and a time without new orders, from people of all partitions of the ledger. */
async function trade(base: number): Promise<void> {
  for (const [index, user] of users.entries()) {
    const other = users[(index + 1) % users.length]!;
    const resting = await bench.sell(user, String(base + index), '0.003123');
    await bench.buy(other, String(base + 2), '0.001457');
    await bench.buy(other, String(base - 999.5), '0.002', { time_in_force: index % 2 === 0 ? 'IOC' : 'GTC' });
    await bench.placed(other, {
      type: '1',
      order_type: 'stop_limit',
      stop_price: String(base + 14 + index),
      target_price: String(base + 21),
      amount: '0.001',
    });
    if (index % 3 === 0 && (await bench.order(user, resting.id)).status === 1) await bench.cancel(user, resting.id);
  }
  await bench.ask(serviceAsks.mode('spot-matching'), { symbol: 'BTC/USDT', mode: 'cancel_only' });
  await eventually(
    async () =>
      (await bench.test.query<{ mode: string }>(`select mode from spot.market where symbol = 'BTC/USDT'`))[0]?.mode ===
      'cancel_only',
  );
  await bench.ask(serviceAsks.mode('spot-matching'), { symbol: 'BTC/USDT', mode: 'normal' });
  await eventually(
    async () => (await bench.ask(serviceAsks.book('spot-matching'), { symbol: 'BTC/USDT' })).mode === 'normal',
  );
  // One trade far up starts the stops that wait.
  await bench.sell(users[0]!, String(base + 30), '0.001');
  await bench.buy(users[1]!, String(base + 30), '0.05', { time_in_force: 'IOC' });
  await bench.quiet();
}

test('a book is rebuilt from its command log to the same hash, and another hash is reported [SIM-003]', async () => {
  await trade(50_000);
  const [{ started } = { started: 0 }] = await bench.test.query<{ started: number }>(
    'select count(*)::int as started from spot.orders where triggered',
  );
  expect(started).toBeGreaterThan(0);
  const first = await replay();
  expect(first).toMatchObject({
    equal: true,
    checkpoint: null,
    rebuilt: { stuck: null, sequence: first.stored.sequence },
  });
  expect(first.rebuilt.applied).toBeGreaterThan(25);
  expect((await replay(true)).rebuilt.bookHash).toBe(first.rebuilt.bookHash);
  const [{ hash } = { hash: '' }] = await bench.test.query<{ hash: string }>(
    `select hash from spot.market where symbol = 'BTC/USDT'`,
  );
  expect(first.rebuilt.hash).toBe(hash);
  await bench.test.query(`update spot.market set hash = '0000000000000001' where symbol = 'BTC/USDT'`);
  expect((await replay()).equal).toBe(false);
  await bench.test.query(`update spot.market set hash = $1 where symbol = 'BTC/USDT'`, [hash]);
});

test('where older days of the log are gone a replay begins at a checkpoint, if there is one [SIM-004]', async () => {
  await bench.test.query('delete from spot.checkpoint');
  await bench.app.get(PostgresBookCheckpoints).take();
  const taken = (await replay()).stored.sequence;
  await trade(50_100);
  const kept = await bench.test.query<{ stream: string; number: string }>(
    `select stream, number from spot.position where consumer = 'spot.engine' and stream like '%spot.commands%'`,
  );
  expect(kept.length).toBeGreaterThan(0);
  // Drops log rows like the maintenance, here by numbers instead of days: all that the checkpoint contains but the last
  // few rows.
  const [{ positions } = { positions: {} }] = await bench.test.query<{ positions: Record<string, number> }>(
    `select positions from spot.checkpoint where symbol = 'BTC/USDT'`,
  );
  for (const [stream, number] of Object.entries(positions))
    await bench.test.query('delete from ledger.outbox where stream = $1 and number < $2', [stream, number - 2]);
  const again = await replay();
  expect(again).toMatchObject({ equal: true, checkpoint: { sequence: taken }, rebuilt: { stuck: null } });
  expect(again.stored.sequence).toBeGreaterThan(taken);
  await bench.test.query('delete from spot.checkpoint');
  await expect(replay()).rejects.toThrow('no checkpoint reaches so far');
});
