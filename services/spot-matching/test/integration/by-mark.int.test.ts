import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { SpotOrder } from '@bourse/contract';
import { eventually, eventuallySatisfied, testTimeoutMs } from '@bourse/testing';
import { PostgresBookCheckpoints } from '../../src/adapters/persistence/postgres-book-checkpoints.js';
import { replayMarket } from '../../src/adapters/persistence/replay.js';
import { LocalBooks } from '../../src/application/local-books.js';
import { PlainBook } from '@bourse/matching';
import { refusal, SpotBench, type Fields } from '../spot-bench.js';

jest.setTimeout(testTimeoutMs(30_000));
let bench: SpotBench;
const byMark = (user: number, fields: Fields): Promise<SpotOrder> =>
  bench.placed(user, { type: '2', order_type: 'stop_market', trigger_by: 'mark', amount: '0.01', ...fields });
const started = (user: number, { id }: SpotOrder) =>
  eventually(async () => {
    const now = await bench.order(user, id);
    return now.triggered === 1 && now;
  });
const isWaiting = async (user: number, { id }: SpotOrder): Promise<boolean> => {
  await bench.quiet();
  const { triggered, status } = await bench.order(user, id);
  return triggered === 0 && status === 1;
};
const replay = () =>
  replayMarket(
    { query: (sql, params) => bench.test.query(sql, params as unknown[]) as Promise<never[]> },
    'BTC/USDT',
    () => new PlainBook(),
  );

beforeAll(async () => {
  bench = await SpotBench.create(3);
  await bench.tradeAt('50000');
});
afterAll(async () => {
  await bench.end();
});

test('a stop by mark starts when a fresh mark reaches it, not by a trade or a stale mark [SPOT-293]', async () => {
  const [user, other] = [bench.person(), bench.person()];
  await bench.mark('50000');
  const sell = await byMark(user, { stop_price: '49000' });
  expect(sell).toMatchObject({ order_type: 'stop_market', stop_price: '49000.00', trigger_by: 'mark', triggered: 0 });
  const kept = await byMark(user, { type: '1', order_type: 'stop_limit', stop_price: '51000', target_price: '50500' });
  const byLast = await byMark(user, { stop_price: '47000', trigger_by: 'last' });
  expect(byLast.trigger_by).toBe('last');
  await bench.tradeAt('48500');
  expect(await isWaiting(user, sell)).toBe(true);
  // Its amount changes, and what starts it stays.
  await bench.amend(user, { id: sell.id, amount: '0.02' });
  expect(await bench.order(user, sell.id)).toMatchObject({ trigger_by: 'mark', trade_amount: '0.020000' });
  await bench.mark('48000', 6_000);
  expect(await isWaiting(user, sell)).toBe(true);
  await bench.mark('49000.01');
  expect(await isWaiting(user, sell)).toBe(true);
  await bench.explained();
  await bench.app.get(PostgresBookCheckpoints).take();
  await bench.restart();
  const bid = await bench.buy(other, '48000', '0.02');
  await bench.mark('49000');
  await started(user, sell);
  expect(await bench.order(user, sell.id)).toMatchObject({ status: 2, trade_price: '48000.00', triggered: 1 });
  expect((await bench.order(other, bid.id)).status).toBe(2);
  // The trade at 48,000 and this mark have not reached the others.
  await bench.mark('46000');
  expect(await isWaiting(user, byLast)).toBe(true);
  await bench.mark('51000.5');
  expect(await started(user, kept)).toMatchObject({ status: 1, triggered: 1, target_price: '50500.00' });
  await bench.explained();
  const triggers = await bench.test.query<{ payload: string }>(
    `select payload from ledger.outbox where payload like '%spot.trigger.v1%' order by number`,
  );
  expect(JSON.stringify(triggers)).toContain('51000.50');
  expect(await replay()).toMatchObject({ equal: true, rebuilt: { stuck: null } });
  for (const { id } of [kept, byLast]) await bench.cancel(user, id);
  // A replay from a checkpoint begins with the stop that waits for the mark.
  const streams = await bench.test.query<{ positions: Record<string, number> }>(
    `select positions from spot.checkpoint where symbol = 'BTC/USDT'`,
  );
  await bench.quiet();
  for (const [stream, number] of Object.entries(streams[0]?.positions ?? {}))
    await bench.test.query('delete from ledger.outbox where stream = $1 and number < $2', [stream, number]);
  const again = await replay();
  expect(again).toMatchObject({ equal: true, rebuilt: { stuck: null } });
  expect(again).not.toMatchObject({ checkpoint: null });
});

test('a trigger whose effect was not committed has it after a restart, once [SPOT-294]', async () => {
  const user = bench.person();
  await bench.mark('50000');
  const stop = await byMark(user, { order_type: 'stop_limit', stop_price: '49000', target_price: '60000' });
  await bench.quiet();
  await bench.test.query(`create table spot.fail (is_on boolean); insert into spot.fail values (true);
    create sequence spot.failures; grant usage on sequence spot.failures to public;
    create function spot.fail_order() returns trigger language plpgsql security definer as $$ begin
      if (select is_on from spot.fail) then
        perform nextval('spot.failures'); -- it counts on, whatever becomes of the transaction
        raise exception 'the disk is full' using errcode = '53100'; end if;
      return new; end $$;
    create trigger fail_order before update on spot.orders for each row execute function spot.fail_order();`);
  await bench.mark('49000');
  await eventually(async () => (await bench.test.query('select from spot.failures where is_called')).length > 0);
  await bench.stop();
  await bench.test.query('update spot.fail set is_on = false');
  // The mark has come back meanwhile.
  bench.price = '50000';
  await bench.start();
  expect(await started(user, stop)).toMatchObject({ status: 1, triggered: 1 });
  await bench.test.query('drop trigger fail_order on spot.orders');
  await bench.mark('48000');
  await bench.explained();
  expect((await replay()).equal).toBe(true);
  expect(bench.app.get(LocalBooks).engine('BTC/USDT')?.waitsForMark).toBe(false);
  await bench.cancel(user, stop.id);
});

test.each<[string, Fields, string, string | undefined]>([
  ['a limit order', { order_type: 'limit', target_price: '60000' }, 'trade.flags', 'trigger_by'],
  ['a market order', { order_type: 'market' }, 'trade.flags', 'trigger_by'],
  ['a trailing stop', { order_type: 'trailing_stop', trail_percent: '1' }, 'trade.flags', 'trigger_by'],
  ['another price', { trigger_by: 'index', stop_price: '49000' }, 'trade.flags', 'trigger_by'],
  ['a stop price that the mark has reached', { stop_price: '50000' }, 'trade.stopPrice', 'stop_price'],
  ['a buy that the mark has reached', { type: '1', stop_price: '50000' }, 'trade.stopPrice', 'stop_price'],
  ['no stop price', {}, 'common.fieldRequired', 'stop_price'],
])('a trigger by mark with %s is refused [SPOT-295]', async (_what, fields, key, field) => {
  await bench.mark('50000');
  expect(await refusal(byMark(bench.person(), fields))).toMatchObject({ key, field });
});

test('a stop by mark is compared with a fresh mark, not with the last price [SPOT-295]', async () => {
  const user = bench.person();
  await bench.mark('40000');
  await bench.tradeAt('50000');
  // Above the mark and below the last price.
  const buy = await byMark(user, { type: '1', stop_price: '45000' });
  await bench.cancel(user, buy.id);
  await bench.mark('40000', 5_100);
  expect(await refusal(byMark(user, { type: '1', stop_price: '45000' }))).toMatchObject({ key: 'market.stale' });
  await bench.mark('50000');
  const pair = { type: '2', amount: '0.01', target_price: '60000', stop_price: '40000', trigger_by: 'mark' };
  expect(await refusal(bench.pair(user, pair))).toMatchObject({ key: 'trade.flags', field: 'trigger_by' });
});

test('a stop by mark that was filled places its exits, which its trades start [SPOT-297]', async () => {
  const [user, other] = [bench.person(), bench.person()];
  await bench.tradeAt('50000');
  await bench.mark('50000');
  const entry = await byMark(user, {
    ...{ type: '1', order_type: 'stop_limit', stop_price: '51000', target_price: '52000' },
    ...{ take_profit: '56000', stop_loss: '48000' },
  });
  expect(entry).toMatchObject({ trigger_by: 'mark', take_profit: '56000.00', stop_loss: '48000.00' });
  await bench.restart();
  await bench.sell(other, '51500', '0.01');
  await bench.mark('51000');
  await started(user, entry);
  expect(await bench.order(user, entry.id)).toMatchObject({ status: 2, trade_price: '51500.00' });
  await bench.quiet();
  const exits = await eventuallySatisfied(
    () =>
      bench.test.query<{ id: string }>(
        'select id::text from spot.orders where parent_id = $1::bigint order by order_type',
        [entry.id],
      ),
    ({ length }) => length === 2,
  );
  const [profit, loss] = await Promise.all(exits.map(({ id }) => bench.order(user, id)));
  expect(profit).toMatchObject({ type: 2, order_type: 'limit', target_price: '56000.00', status: 1 });
  expect(profit).not.toHaveProperty('trigger_by');
  expect(loss).toMatchObject({
    type: 2,
    order_type: 'stop_market',
    stop_price: '48000.00',
    trigger_by: 'last',
    triggered: 0,
  });
  // The mark starts no exit; a trade does.
  await bench.mark('47000');
  expect(await isWaiting(user, loss!)).toBe(true);
  await bench.tradeAt('48000');
  await started(user, loss!);
  expect((await bench.order(user, profit!.id)).cancel_reason).toBe('oco');
  await bench.explained();
  expect(await replay()).toMatchObject({ equal: true, rebuilt: { stuck: null } });
});
