import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { fileURLToPath } from 'node:url';
import { compareDecimals } from '@bourse/money';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, connect, get, post, type Fields } from './client.js';
import { inboxOf } from './inbox.js';
import { createTrader, done, FUND, operator, saveRow, saveSetting } from './people.js';
import { readClock } from './dev-clock.js';

// Runs with a scripted feed: this file sets the prices of ETH/USDT, second by second.
jest.setTimeout(testTimeoutMs(75_000));

const [BTC_USDT, ETH_USDT, USDT, HAP] = [1, 2, 3, 8];
const SYMBOL = 'ETH/USDT';
const FIRST_PRICE = '4173.46';
/** The price of BTC/USDT in the quiet market's feed before and after. */
const QUIET_BTC = '56637.56';

type Order = RowOf<'GET /api/microtrade/lists'>;
interface Policy {
  readonly id: string;
  readonly vault: string;
  readonly premium: string;
  readonly status: number;
  readonly claimable: number;
}
/** An event for a user, by socket or by `stream/since`. */
interface Told {
  readonly event: string;
  readonly payload: Fields & { readonly user_seq: number; readonly ts: number };
}
interface Claim {
  readonly id: string;
  readonly amount: string;
  readonly status: number;
}

const feed = (): string => {
  const file = process.env['BOURSE_FEED'];
  if (!file) throw new Error('BOURSE_FEED must name the scripted feed; `npm test` sets it');
  return file;
};
const price = (value: string, symbol = SYMBOL): void =>
  appendFileSync(feed(), `${JSON.stringify({ symbol, price: value })}\n`);

let token: string;
let userId: number;
beforeAll(async () => {
  const funds = { micro: { [USDT]: '4000', [HAP]: '4000' } };
  ({ token, id: userId } = await createTrader(funds));
  await recorded('60000.00');
});
afterAll(() => {
  price(FIRST_PRICE);
  price(QUIET_BTC, 'BTC/USDT');
});

async function ticks(until: number, match_id = ETH_USDT): Promise<{ time: number; price: string }[]> {
  const { body } = await get('/api/microtrade/ticks', { match_id, from: until - 60_000, to: until });
  return body.message.ticks;
}
const submit = (fields: Fields = {}, who = token) =>
  post(
    '/api/microtrade/submit',
    { match_id: ETH_USDT, currency_id: USDT, type: 1, seconds: 30, number: '100', ...fields },
    { token: who },
  );
/** A contract that is taken as soon as there is a fresh price: its second may be late on a busy machine. */
async function taken(fields: Fields = {}): Promise<Order> {
  const fresh = eventuallySatisfied(
    () => submit(fields),
    ({ body: { key } }) => key !== 'market.stale',
  );
  return (await done(fresh)).order;
}
const orderOf = async (id: string): Promise<Order> => {
  const { message } = await done(get('/api/microtrade/lists', { limit: 100 }, { token }));
  return message.data.find((order) => order.id === id)!;
};
const holdOf = async (id: string): Promise<unknown> =>
  (await done(get('/api/wallet/holds', {}, { token }))).message.find(
    ({ cause_id: cause }: { cause_id: string }) => cause === id,
  );
/** Waits until a contract is closed, and until the ledger has booked its result, which follows. */
async function closed(id: string): Promise<Order> {
  const order = await eventuallySatisfied(
    () => orderOf(id),
    ({ status }) => status === 3,
    30_000,
  );
  await eventuallySatisfied(
    () => holdOf(id),
    (hold) => hold === undefined,
  );
  return order;
}
const opened = (id: string): Promise<Order> =>
  eventuallySatisfied(
    () => orderOf(id),
    ({ open_price }) => open_price !== '',
    20_000,
  );
const microBalance = async (currency = USDT): Promise<number> =>
  Number((await balanceOf(token, currency))['micro_balance']);
const at = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`);

/** Says a price, and waits until the last tick has it. */
async function recorded(value: string): Promise<void> {
  price(value);
  await eventuallySatisfied(
    async () => (await ticks(await readClock())).at(-1)?.price,
    (last) => Number(last) === Number(value),
    20_000,
  );
}

/** Opens a socket of this user; collects its events, and the number after which they begin. */
async function follow(): Promise<{ told: Told[]; from: number; close: () => void }> {
  const socket = await connect(token);
  const told: Told[] = [];
  for (const event of ['micro_closed', 'balance_update'])
    socket.on(event, (payload: Told['payload']) => told.push({ event, payload }));
  const { user_seq: from } = (await socket.emitWithAck('login', userId)) as { user_seq: number };
  return { told, from, close: () => socket.close() };
}
/** Returns the events since a number, also those of a disconnected time, once a given event is among them. */
async function missed(from: number, isMeant: (told: Told) => boolean): Promise<Told[]> {
  const {
    events,
    user_seq: until,
    complete,
  } = await eventuallySatisfied(
    async () =>
      (await done(get('/api/stream/since', { user_seq: from }, { token }))).message as {
        events: Told[];
        user_seq: number;
        complete: number;
      },
    (answer) => answer.events.some(isMeant),
    20_000,
  );
  expect(complete).toBe(1);
  expect(events.map(({ payload }) => payload.user_seq)).toEqual(events.map((_, place) => from + 1 + place));
  expect(until).toBe(from + events.length);
  return events;
}
const isClosed =
  (id: string) =>
  ({ event, payload }: Told): boolean =>
    event === 'micro_closed' && payload.id === id;

/** Moves the clock to some seconds before a time, unless that has passed. */
async function forward(until: number, secondsBefore: number): Promise<void> {
  const seconds = Math.floor((until - (await readClock())) / 1_000) - secondsBefore;
  if (seconds > 0) await done(post('/dev/clock', { advance_seconds: seconds }));
}
/** Seconds before an expiry that suffice for its five ticks to be recorded, all of them after the clock was moved. */
const BEFORE_EXPIRY = 7;

/**
 * Says these prices, one a second, so that they are the last ticks before the expiry: each as soon as the second before
 * its own is recorded. Tells whether the ticks came out like that: a machine that is busy may be late for one.
 */
async function script(expiry: number, prices: readonly string[]): Promise<boolean> {
  const first = expiry - (prices.length - 1) * 1_000;
  const secondRecorded = (time: number): Promise<unknown> =>
    eventuallySatisfied(
      async () => (await ticks(await readClock())).at(-1)?.time ?? 0,
      (last) => last >= time,
      20_000,
    );
  for (const [place, value] of prices.entries()) {
    await secondRecorded(first + (place - 1) * 1_000);
    price(value);
  }
  await secondRecorded(expiry);
  const said = (await ticks(expiry)).filter(({ time }) => time >= first).map((tick) => Number(tick.price));
  return said.join() === prices.map(Number).join();
}

describe('the worked example of rules §4 over the public calls [MICRO-010]', () => {
  test('up gains 50, down loses 100.20, and the receipts hold for bourse-verify', async () => {
    for (let tries = 1; ; tries++) {
      const before = await microBalance();
      const inbox = await inboxOf(token);
      const [up, down] = [await taken({ type: 1, seconds: 60 }), await taken({ type: 2, seconds: 60 })];
      expect(up).toMatchObject({ fee: '0.20000000', number: '100.00000000', status: 1 });
      const [open, openDown] = [await opened(up.id), await opened(down.id)];
      expect(open.open_price).toBe('60000.00');
      expect(await microBalance()).toBeCloseTo(before - 200.4, 8);
      await forward(at(open.expire_time), BEFORE_EXPIRY + 1);
      const isSaid = await script(at(open.expire_time), ['60010.00', '60012.50', '60011.00', '60009.00', '60013.00']);
      const [won, other] = [await closed(up.id), await closed(down.id)];
      await recorded('60000.00');
      // The second one may have opened a second later: then the same prices judge it but the first.
      const isTogether = at(openDown.open_time) - at(open.open_time) <= 2_000;
      if (!(isSaid && isTogether) && tries < 5) continue;
      expect(won).toMatchObject({ result: 'win', end_price: '60011.00', fact_profits: '50.00000000' });
      expect(other).toMatchObject({ result: 'loss', fact_profits: '-100.00000000' });
      expect(isTogether).toBe(true);
      await eventuallySatisfied(microBalance, (balance) => Math.abs(balance - (before + 49.8 - 100.2)) < 1e-7);
      for (const order of [won, other]) await verified(order);
      const settled = (profit: string): string =>
        `Seconds contract settled: ${SYMBOL} · Your contract over 100 USDT has ended. Result: ${profit} USDT.`;
      await inbox.receives(settled('+50'), settled('-100'));
      return;
    }
  });

  test('an end equal to the opening is a tie: stake back, fee kept; a socket gets it once [MICRO-014]', async () => {
    const before = await microBalance();
    const { id, expire_time: expiry } = await opened((await taken()).id);
    const listener = await follow();
    await forward(at(expiry), BEFORE_EXPIRY);
    const order = await closed(id);
    const [push] = await eventuallySatisfied(
      () => listener.told.filter(isClosed(id)),
      (found) => found.length > 0,
      20_000,
    );
    listener.close();
    // The time of a message is its own.
    const { ts, user_seq: seq, ...pushed } = push!.payload;
    const { ts: taken_ts, ...row } = order;
    expect(taken_ts).toBeLessThan(at(expiry));
    expect(pushed).toEqual(row);
    expect(Number.isInteger(ts)).toBe(true);
    expect((await missed(listener.from, isClosed(id))).filter(isClosed(id))).toEqual([push]);
    expect(seq).toBeGreaterThan(listener.from);
    expect(order).toMatchObject({ result: 'tie', end_price: '60000.00', fact_profits: '0.00000000' });
    await eventuallySatisfied(microBalance, (balance) => Math.abs(balance - (before - 0.2)) < 1e-7);
    await verified(order);
  });

  test('a contract that expires while the clock moves is void; an absent user learns it [MICRO-014]', async () => {
    const before = await microBalance();
    const { id } = await opened((await taken()).id);
    const gone = await follow();
    gone.close();
    await done(post('/dev/clock', { advance_seconds: 3_600 }));
    const order = await closed(id);
    expect(order).toMatchObject({ result: 'void', end_price: '', fact_profits: '0.00000000' });
    const events = await missed(gone.from, isClosed(id));
    expect(events.filter(isClosed(id))).toMatchObject([{ payload: { ...order, ts: expect.any(Number) } }]);
    const back = await follow();
    back.close();
    expect(back.from).toBeGreaterThanOrEqual(gone.from + events.length);
    expect(gone.told).toEqual([]);
    await eventuallySatisfied(microBalance, (balance) => Math.abs(balance - before) < 1e-7);
  });
});

/** Fetches the public receipt of a closed contract with its chain, and checks it by the verifier. */
async function verified(order: Order): Promise<void> {
  // The stake's journal, and the settlement's once it is booked.
  const { message: receipt } = await eventuallySatisfied(
    () => done(get('/api/microtrade/receipt', { id: order.id }, { token })),
    ({ message }) => message.journals.length === 2,
  );
  const { journals } = receipt;
  const { message: log } = await done(
    post('/api/wallet/legal_log', { type: 4, currency: USDT, page_size: 100 }, { token }),
  );
  const lines = log.list;
  expect(
    lines.filter(({ cause_id }) => cause_id === order.id).every(({ journal_id }) => journals.includes(journal_id)),
  ).toBe(true);
  const { message: chain } = await done(
    get('/api/microtrade/ticks', {
      match_id: ETH_USDT,
      from: at(order.create_time),
      to: at(order.expire_time) + 2_000,
    }),
  );
  const file = join(mkdtempSync(join(tmpdir(), 'receipt-')), 'receipt.json');
  writeFileSync(file, JSON.stringify({ receipt, chain }));
  const program = fileURLToPath(new URL('../../../../libs/verify/bin/bourse-verify.mjs', import.meta.url));
  const { public_key: key } = chain;
  const said = execFileSync(process.execPath, [program, file, '--key', key], { encoding: 'utf8' });
  expect(said).not.toMatch(/fault|wrong/i);
}

describe('a price that has grown old [MICRO-013]', () => {
  test('opens and settles no contract: one that expires is void; a fresh price opens again', async () => {
    await recorded('60000.00');
    const before = await microBalance();
    const order = await taken();
    const { open_price, expire_time } = await opened(order.id);
    expect(open_price).toBe('60000.00');
    // It would win by the late price. Lines are read in their order: with the price of BTC/USDT the silence has begun.
    appendFileSync(feed(), `${JSON.stringify({ symbol: SYMBOL, price: '61000.00', silent: true })}\n`);
    price('56000.00', 'BTC/USDT');
    await eventuallySatisfied(
      async () => (await ticks(await readClock(), BTC_USDT)).at(-1)?.price,
      (last) => Number(last) === 56_000,
      20_000,
    );
    await forward(at(expire_time), -12);
    expect((await submit()).body).toMatchObject({ type: 'error', key: 'market.stale' });
    expect((await ticks(await readClock())).filter(({ time }) => time > at(expire_time) - 5_000)).toEqual([]);
    expect((await orderOf(order.id)).result).toMatch(/^(void)?$/);

    await recorded('60500.00');
    expect(await closed(order.id)).toMatchObject({ result: 'void', fact_profits: '0.00000000' });
    await eventuallySatisfied(microBalance, (balance) => Math.abs(balance - before) < 1e-7);
    const again = await taken();
    expect(await opened(again.id)).toMatchObject({ open_price: '60500.00' });
    await forward(at((await opened(again.id)).expire_time), BEFORE_EXPIRY);
    expect(await closed(again.id)).toMatchObject({ result: 'tie' });
    await recorded('60000.00');
  });
});

test('a contract taken while the source is silent opens at the next price that is given [HARD-480]', async () => {
  await recorded('60000.00');
  appendFileSync(feed(), `${JSON.stringify({ symbol: SYMBOL, silent: true })}\n`);
  // Lines are read in their order: with the price of BTC/USDT the silence has begun.
  price('56100.00', 'BTC/USDT');
  await eventuallySatisfied(
    async () => (await ticks(await readClock(), BTC_USDT)).at(-1)?.price,
    (last) => last !== undefined && compareDecimals(last, '56100') === 0,
    20_000,
  );
  const answer = await submit();
  // On a machine that took 5 s to get here the price is stale, and the next price is not needed.
  if (answer.body.key === 'market.stale') return price('60000.00');
  const { id, create_time } = answer.body.order;
  await eventuallySatisfied(
    async () => (await ticks(await readClock())).filter(({ time }) => time >= at(create_time) + 1_000),
    (since) => since.length > 0,
    20_000,
  );
  expect((await orderOf(id)).open_price).toBe('');
  price('60700.00');
  const order = await opened(id);
  expect(order.open_price).toBe('60700.00');
  await forward(at(order.expire_time), BEFORE_EXPIRY);
  await verified(await closed(id));
  const { message } = await done(get('/api/microtrade/receipt', { id }, { token }));
  const receipt = message as { tick_version: number; open_tick: { at: number }; ticks: { at: number }[] };
  expect(receipt.tick_version).toBe(2);
  expect(receipt.open_tick.at).toBeGreaterThan(at(create_time));
  expect(new Set(receipt.ticks.map((tick) => tick.at)).size).toBe(receipt.ticks.length);
  return recorded('60000.00');
});

describe('refusals come in the order of rules §12.7 [MICRO-011]', () => {
  test('number, market, duration, bounds', async () => {
    const wrong = { number: '0', match_id: 7, seconds: 31, currency_id: USDT };
    expect((await submit(wrong)).body).toMatchObject({ type: 'error', key: 'miscro.openNum' });
    expect((await submit({ ...wrong, number: '100' })).body).toMatchObject({ key: 'pair.delisted' });
    expect((await submit({ number: '100', seconds: 31 })).body).toMatchObject({ key: 'micro.secondsUnknown' });
    expect((await submit({ number: '9.99' })).body).toMatchObject({
      key: 'quantity.rule',
      params: { min: '10', max: '5000' },
    });
    expect((await submit({ number: '5000.00000001' })).body).toMatchObject({ key: 'quantity.rule' });
    expect((await submit({ number: '100.000000001' })).body).toMatchObject({ type: 'error' });
  });
  test('more than there is: nothing is held, nothing is counted', async () => {
    const before = await microBalance();
    expect((await submit({ number: '5000' })).body).toMatchObject({ key: 'balance.insufficient' });
    expect(await microBalance()).toBe(before);
  });
  test('durations and coins are those of the settings', async () => {
    const { message } = await done(get('/api/microtrade/seconds'));
    expect(message.map((row) => [row.seconds, row.profit_ratio])).toEqual([
      [30, '40'],
      [60, '50'],
      [120, '60'],
      [180, '70'],
      [300, '80'],
    ]);
    const { message: coins } = await done(get('/api/microtrade/payable_currencies', {}, { token }));
    expect(coins.map(({ name, micro_min }) => [name, micro_min])).toEqual([
      ['USDT', '10'],
      ['HAP', '1'],
    ]);
  });
});

test('a submission is accepted at once, with its order [MICRO-016]', async () => {
  const before = await microBalance();
  const { status, body } = await submit({ number: '100', seconds: 60 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ type: 'ok', key: 'miscro.success', message: expect.any(String) });
  expect(body.order).toMatchObject({ id: body.id, status: 1, number: '100.00000000', fee: '0.20000000' });
  expect(await microBalance()).toBeCloseTo(before - 100.2, 8);
  expect(await holdOf(body.id)).toMatchObject({ account: 'micro' });
  const { expire_time: expiry } = await opened(body.id);
  await forward(at(expiry), BEFORE_EXPIRY);
  await closed(body.id);
});

describe('limits of the house [MICRO-015]', () => {
  test('beyond the cap of a market or ten contracts of a person, a refusal holds nothing', async () => {
    const admin = await operator('operator');
    const settings = async (): Promise<{ key: string; value: string }[]> =>
      (await done(get('/api/admin/settings', {}, { token: admin }))).message as never;
    const cap = async (value: string): Promise<void> => {
      await done(saveSetting('micro_market_cap', value));
    };
    // More than the user's balance, and than the lower cap: the cap of the house is checked before the balance.
    const judgedBy = (refusal: string): Promise<unknown> =>
      eventuallySatisfied(
        async () => (await submit({ number: '5000', seconds: 300 })).body.key,
        (key) => key === refusal,
        15_000,
      );
    const valueOf = async (key: string): Promise<string | undefined> =>
      (await settings()).find((row) => row.key === key)?.value;
    expect([await valueOf('micro_market_cap'), await valueOf('micro_max_open')]).toEqual(['50000', '10']);
    await recorded('60000.00');
    const before = await microBalance();
    const ten = { number: '10', seconds: 300 };
    // 100 of 80 % and four of 8 USDT are 112.
    await cap('116');
    try {
      await judgedBy('micro.houseLimit');
      expect(await microBalance()).toBe(before);
      const ids = [(await taken({ number: '100', seconds: 300 })).id];
      for (let count = 0; count < 4; count++) ids.push((await taken(ten)).id);
      const held = await microBalance();
      expect(held).toBeCloseTo(before - 140.28, 8);
      expect((await submit({ number: '10', seconds: 60 })).body).toMatchObject({
        type: 'error',
        key: 'micro.houseLimit',
      });
      expect(await microBalance()).toBe(held);
      // 4 more are 116: as much as the cap, and no more than it. Another coin has a cap of its own.
      ids.push((await taken({ number: '10', seconds: 30 })).id);
      expect((await submit(ten)).body).toMatchObject({ key: 'micro.houseLimit' });
      ids.push((await taken({ currency_id: HAP, number: '1', seconds: 300 })).id);

      await cap('50000');
      await judgedBy('balance.insufficient');
      while (ids.length < 10) ids.push((await taken(ten)).id);
      const all = await microBalance();
      expect(all).toBeCloseTo(before - 140.28 - 10.02 - 3 * 10.02, 8);
      expect((await submit(ten)).body).toMatchObject({ type: 'error', key: 'micro.openMax', params: { max: 10 } });
      expect(await microBalance()).toBe(all);
      await done(post('/dev/clock', { advance_seconds: 3_600 }));
      for (const id of ids) expect(await closed(id)).toMatchObject({ result: 'void' });
      await eventuallySatisfied(microBalance, (balance) => Math.abs(balance - before) < 1e-7);
      expect(Number((await balanceOf(token, USDT))['lock_micro_balance'])).toBe(0);
      await recorded('60000.00');
      // An ended contract frees its place.
      const again = await taken(ten);
      await done(post('/dev/clock', { advance_seconds: 3_600 }));
      await closed(again.id);
      await recorded('60000.00');
    } finally {
      await cap('50000');
    }
  });
});

describe('insurance: the worked example of rules §5 [INSURANCE-010]', () => {
  const policies = async (): Promise<Policy[]> => (await done(get('/api/insurance/my', {}, { token }))).message.data;
  const buy = (amount: string) => post('/api/insurance/buy', { type_id: 1, amount, password: FUND }, { token });

  test('1,000 HAP cost 1,150; the largest stake is 20; a cancel returns the vault', async () => {
    const before = await microBalance(HAP);
    expect((await buy('1000.5')).body).toMatchObject({ key: 'insurance.integer' });
    expect((await buy('99')).body).toMatchObject({ key: 'quantity.rule', params: { min: '100', max: '10000' } });
    const { insurance } = (await done(buy('1000'))) as unknown as { insurance: Policy };
    expect(insurance).toMatchObject({ premium: '150.00000000', vault: '1000.00000000', status: 1, claimable: 0 });
    expect(await microBalance(HAP)).toBeCloseTo(before - 1_150, 8);
    expect((await buy('1000')).body).toMatchObject({ key: 'insurance.active' });
    expect((await submit({ currency_id: HAP, number: '20.1' })).body).toMatchObject({
      key: 'insurance.stakeMax',
      params: { max: '20' },
    });
    const order = await taken({ currency_id: HAP, number: '20' });
    expect(order.insured).toBe(1);
    const cancel = () => post('/api/insurance/cancel', { id: insurance.id, password: FUND }, { token });
    expect((await cancel()).body).toMatchObject({ key: 'insurance.openOrders' });
    expect((await post('/api/insurance/claim', { id: insurance.id }, { token })).body).toMatchObject({
      key: 'insurance.notClaimable',
    });
    await forward(at((await opened(order.id)).expire_time), BEFORE_EXPIRY);
    await closed(order.id);
    const [running] = await policies();
    // A tie keeps the fee of 0.2 % of 20.
    expect(running).toMatchObject({ id: insurance.id, vault: '999.96000000' });
    const cancelled = (await done(cancel())) as unknown as { insurance: Policy };
    expect(cancelled.insurance).toMatchObject({ status: 3, vault: '0.00000000' });
    await eventuallySatisfied(
      () => microBalance(HAP),
      (balance) => Math.abs(balance - (before - 150 - 0.04)) < 1e-7,
    );
    expect((await cancel()).body).toMatchObject({ key: 'insurance.state' });
  });

  test('a policy that has lost half is claimed; the third of a day is paid on the next [INSURANCE-011]', async () => {
    // The least cover and largest stakes, so that a few contracts lose half; rows that operators may change.
    const set = (fields: Fields): Promise<unknown> => done(saveRow('catalog/insurance_types', { id: 1, ...fields }));
    await set({ stake_rate: '20', max_open: '5' });
    // Noon of the next day: no midnight passes between the three claims.
    const noon = Math.floor((await readClock()) / 86_400_000) * 86_400_000 + 36 * 3_600_000;
    await done(post('/dev/clock', { set: String(noon) }));
    // Until the first second after it there is no fresh price, and nothing opens.
    await eventuallySatisfied(
      async () => (await ticks(await readClock())).at(-1)?.time ?? 0,
      (time) => time >= noon,
      20_000,
    );
    try {
      const paid: Claim[] = [];
      const payouts: string[] = [];
      const inbox = await inboxOf(token);
      const paidOut = 'Insurance paid · Your insurance has paid you 50 HAP.';
      const listener = await follow();
      for (const round of [1, 2, 3]) {
        const before = await microBalance(HAP);
        const { insurance } = (await done(buy('100'))) as unknown as { insurance: Policy };
        const orders = [
          await taken({ currency_id: HAP, number: '20', type: 2 }),
          await taken({ currency_id: HAP, number: '20', type: 2 }),
          await taken({ currency_id: HAP, number: '15', type: 2 }),
        ];
        const open = await opened(orders[0]!.id);
        for (const { id } of orders.slice(1)) await opened(id);
        await recorded('60001.00');
        await forward(at(open.expire_time), BEFORE_EXPIRY);
        for (const { id } of orders) expect(await closed(id)).toMatchObject({ result: 'loss', insured: 1 });
        await recorded('60000.00');
        // 100 less 55 and their fees of 0.2 %.
        expect((await policies())[0]).toMatchObject({ id: insurance.id, vault: '44.89000000', claimable: 1 });
        expect((await submit({ currency_id: HAP, number: '1' })).body).toMatchObject({ key: 'insurance.claimFirst' });
        const { claim } = (await done(post('/api/insurance/claim', { id: insurance.id }, { token }))) as unknown as {
          claim: Claim;
        };
        expect(claim).toMatchObject({ amount: '50.00000000', status: round < 3 ? 2 : 1 });
        paid.push(claim);
        payouts.push(insurance.id);
        const payout = round < 3 ? 50 : 0;
        await eventuallySatisfied(
          () => microBalance(HAP),
          (balance) => Math.abs(balance - (before - 115 + 44.89 + payout)) < 1e-7,
        );
      }
      await inbox.receives(paidOut, paidOut);
      // The balance after the last claim is pushed as in the wallet; afterwards the socket is closed [INSURANCE-011].
      const paidTo =
        (balance: string) =>
        ({ event, payload }: Told): boolean =>
          event === 'balance_update' &&
          payload['cause_id'] === payouts[2] &&
          (payload as unknown as { balances: Fields[] }).balances.some(
            (row) => row['currency'] === HAP && row['account'] === 'micro' && row['balance'] === balance,
          );
      const shown = async (): Promise<string> => (await balanceOf(token, HAP))['micro_balance']!;
      const vaultGiven = paidTo(await shown());
      await eventuallySatisfied(() => listener.told.some(vaultGiven), Boolean, 20_000);
      listener.close();
      const from = listener.told.at(-1)!.payload.user_seq;
      const before = await microBalance(HAP);
      const today = await readClock();
      const tomorrow = Math.floor(today / 86_400_000) * 86_400_000 + 86_400_000 + 11 * 60_000;
      await done(post('/dev/clock', { set: String(tomorrow) }));
      await eventuallySatisfied(
        () => microBalance(HAP),
        (balance) => Math.abs(balance - (before + 50)) < 1e-7,
        20_000,
      );
      // The ledger has paid; the claim is updated by stream, a moment later.
      await eventuallySatisfied(
        async () => {
          const { message } = await done(get('/api/insurance/claims', {}, { token }));
          return message.data.find(({ id }) => id === paid[2]!.id);
        },
        (claim) => claim?.status === 2,
      );
      await inbox.receives(paidOut, paidOut, paidOut);
      await missed(from, paidTo(await shown()));
    } finally {
      await set({ stake_rate: '2' });
    }
  });

  test('cover is sold up to the quota; an ended policy frees its share [INSURANCE-012]', async () => {
    const [admin, { token: other }] = [await operator('operator'), await createTrader({ micro: { [HAP]: '200' } })];
    const setQuota = (quota: string): Promise<unknown> => done(saveRow('catalog/insurance_types', { id: 1, quota }));
    const types = async (): Promise<{ id: number; quota: string }[]> =>
      (await done(get('/api/admin/catalog/insurance_types', {}, { token: admin }))).message;
    const left = async (): Promise<string> => {
      const { message } = await done(get('/api/insurance/types', {}, { token }));
      return message.find(({ id }) => id === 1)!.quota_left;
    };
    const buyAs = (who: string) =>
      post('/api/insurance/buy', { type_id: 1, amount: '100', password: FUND }, { token: who });
    const cancel = (id: string, who: string): Promise<unknown> =>
      done(post('/api/insurance/cancel', { id, password: FUND }, { token: who }));
    const micro = async (): Promise<string> => (await balanceOf(other, HAP))['micro_balance']!;
    const { quota } = (await types()).find(({ id }) => id === 1)!;
    const used = Number(quota) - Number(await left());
    // Room for one policy of 100, and for 99 of the next one.
    await setQuota(`${used + 199}`);
    try {
      const { insurance } = (await done(buyAs(token))) as unknown as { insurance: Policy };
      expect(Number(await left())).toBe(99);
      const before = await micro();
      const { status, body } = await buyAs(other);
      expect([status, body]).toEqual([200, expect.objectContaining({ type: 'error', key: 'insurance.quota' })]);
      expect([await micro(), Number(await left())]).toEqual([before, 99]);
      await cancel(insurance.id, token);
      const { insurance: next } = (await done(buyAs(other))) as unknown as { insurance: Policy };
      await cancel(next.id, other);
      expect(Number(await left())).toBe(199);
    } finally {
      await setQuota(quota);
    }
  });
});

describe('the view of operators [MICRO-012]', () => {
  test('contracts and claims of all people; support may read, people may not', async () => {
    const support = await operator('support1');
    const paths = ['/api/admin/orders/micro', '/api/admin/claims'] as const;
    interface Rows {
      readonly data: readonly Fields[];
      readonly total: number;
      readonly has_more: number;
    }
    for (const path of paths) {
      const rows = async (fields: Fields): Promise<Rows> => (await done(get(path, fields, { token: support }))).message;
      const all = await rows({});
      expect(all.total).toBeGreaterThan(2);
      const [first, second] = [
        await rows({ user_id: userId, page_size: 2 }),
        await rows({ user_id: userId, page_size: 2, page: 2 }),
      ];
      expect(first).toMatchObject({ has_more: 1, total: second.total });
      expect(first.data).toHaveLength(2);
      const shown = [...first.data, ...second.data];
      expect(new Set(shown.map((row) => row.id)).size).toBe(shown.length);
      expect(new Set(shown.map((row) => row['user_id']))).toEqual(new Set([userId]));
      expect(await rows({ user_id: 999_999 })).toMatchObject({ data: [], total: 0, has_more: 0 });
      // The owner's view and the user id: no name, no address, nothing to mask.
      const own = path === '/api/admin/claims' ? '/api/insurance/claims' : '/api/microtrade/lists';
      const { message } = await done(get(own, {}, { token }));
      const [mine] = message.data;
      expect(first.data[0]).toEqual({ ...mine, user_id: userId });
      expect((await get(path, {}, { token })).status).toBe(403);
      expect((await get(path)).body.type).toBe('999');
      expect((await get(path, { user_id: 'x' }, { token: support })).body).toMatchObject({
        key: 'common.fieldInvalid',
        field: 'user_id',
      });
    }
  });
});
