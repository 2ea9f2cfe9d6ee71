import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { MAKER_ID, TAKER_ID } from '@bourse/contract';
import {
  type DepthView,
  type FeedView,
  type HouseView,
  type KlineView,
  type PricesView,
  type TickerView,
} from '@bourse/events';
import { Asks, authAsks, serviceAsks, type ChangeFacts, type GuardedPayload } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { Metrics, readFields, type Caller } from '@bourse/platform';
import { CatalogChanges } from '@bourse/settings';
import {
  entityDifferences,
  eventually,
  SimulatedClock,
  testDatabases,
  testTimeoutMs,
  type TestDatabases,
} from '@bourse/testing';
import { LiveFeed } from '../../src/adapters/feed/live-feed.js';
import { CurrencyList, PairList } from '../../src/adapters/persistence/catalog-lists.js';
import { MarketDatabase } from '../../src/adapters/persistence/market-database.js';
import { Books } from '../../src/application/books.js';
import { barOf, Candles } from '../../src/application/candles.js';
import { Catalog } from '../../src/application/catalog.js';
import { CurrencyBody, PairBody, type CatalogPair } from '../../src/application/catalog-rows.js';
import { Feed } from '../../src/application/feed.js';
import type { PriceFeed } from '../../src/application/ports.js';
import { Quotations } from '../../src/application/quotations.js';
import { ReferenceRates } from '../../src/application/reference-rates.js';
import { Trades } from '../../src/application/trades.js';
import { MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { sender, start, type Running } from './market-process.js';

jest.setTimeout(testTimeoutMs(36_000));

const MINUTE = 60_000;
/** Units of a price or a quantity. */
const UNIT = 10n ** 8n;
/** Tests on recorded markets take MARKET_DATA_DIR, else the folder beside the clone, else the bundled recordings. */
const recordings = [
  process.env['MARKET_DATA_DIR'],
  new URL('../../../../../shared/data', import.meta.url).pathname,
].find((folder) => folder !== undefined && existsSync(join(folder, 'candles', 'BTC-USDT_1m.csv.gz')));

const lines = (path: string): string[][] =>
  gunzipSync(readFileSync(path))
    .toString()
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

describe('recorded markets', () => {
  let database: TestDatabases;
  let running: Running;
  const began = Date.UTC(2026, 10, 21, 9, 17, 42);
  const anchor = Date.UTC(2026, 10, 21, 9, 17);

  beforeAll(async () => {
    database = await testDatabases({ shape: { schema: 'market', migrations: MIGRATIONS } });
    running = await start(database, new SimulatedClock(began), recordings ? { MARKET_DATA_DIR: recordings } : {});
  });
  afterAll(async () => {
    await running?.stop();
    await database?.end();
  });

  test('the entities are the tables that the migrations have made [DB-013]', async () => {
    expect(await entityDifferences(running.app.get(MarketDatabase))).toEqual([]);
  });

  test('the history shows the recorded candles exactly, moved by whole minutes [MARKET-005]', async () => {
    const candles = running.app.get(Candles);
    const pair = running.app.get(Catalog).symbol('BTC/USDT');
    if (!recordings) {
      // The bundled recording is scaled to the first price: times, volumes and the last close show it.
      const recorded = lines(new URL('../../recordings/BTC-USD_1m_2013-11.csv.gz', import.meta.url).pathname).filter(
        ([time]) => Number(time) * 1000 < Date.UTC(2013, 10, 29),
      );
      const shift = anchor - Date.UTC(2013, 10, 29);
      const bars = await candles.range(pair, '1min', anchor - 1_000 * MINUTE, anchor - MINUTE);
      expect(bars).toHaveLength(1_000);
      const volumes = new Map(recorded.map(([time, , , , , volume]) => [Number(time) * 1000 + shift, Number(volume)]));
      for (const bar of bars) expect(barOf(bar).volume).toBe(volumes.get(bar.time) ?? 0);
      return;
    }
    const shift = anchor - Date.UTC(2021, 4, 12);
    const recorded = lines(join(recordings, 'candles', 'BTC-USDT_1m.csv.gz')).filter(
      ([time]) => Number(time) * 1000 < Date.UTC(2021, 4, 12),
    );
    const byTime = new Map(recorded.map(([time, ...values]) => [Number(time) * 1000 + shift, values.map(Number)]));
    let seen = 0;
    const first = Number(recorded[0]![0]) * 1000 + shift;
    for (let from = first; from < anchor; from += 1_500 * MINUTE) {
      const bars = await candles.range(pair, '1min', from, Math.min(from + 1_499 * MINUTE, anchor - MINUTE));
      expect(bars[0]!.time).toBe(from);
      for (const bar of bars.map(barOf)) {
        const values = byTime.get(bar.time);
        const shown = [bar.open, bar.high, bar.low, bar.close, bar.volume];
        if (values ? shown.every((figure, index) => figure === values[index]) : bar.volume === 0)
          seen += values ? 1 : 0;
        else expect({ time: bar.time, shown }).toEqual({ time: bar.time, shown: values });
      }
    }
    expect(seen).toBe(recorded.length);
  });

  test('coarser history is the exact fold of the finer, without holes [MARKET-002] [MARKET-003]', async () => {
    const candles = running.app.get(Candles);
    const pair = running.app.get(Catalog).symbol('BTC/USDT');
    const hours = await candles.range(pair, '60min', anchor - 20 * 60 * MINUTE, anchor - 60 * MINUTE);
    expect(hours.length).toBeGreaterThanOrEqual(19);
    for (const hour of hours) {
      const minutes = await candles.range(pair, '1min', hour.time, hour.time + 59 * MINUTE);
      expect(minutes).toHaveLength(60);
      expect([hour.open, hour.close, hour.volume]).toEqual([
        minutes[0]!.open,
        minutes.at(-1)!.close,
        minutes.reduce((sum, { volume }) => sum + volume, 0n),
      ]);
      expect(hour.high).toBe(minutes.reduce((high, bar) => (bar.high > high ? bar.high : high), 0n));
    }
    expect((await candles.range(pair, '1week', 0, began)).length).toBeGreaterThanOrEqual(1);
  });

  test('first prices, day figures by the history and no volume without a fill [MARKET-006]', async () => {
    const quotations = running.app.get(Quotations);
    const groups = quotations.groups();
    expect(groups.map(({ name }) => name)).toEqual(['USDT', 'BTC']);
    expect(groups[0]).toMatchObject({ rmb_relation: '6.50', fiat_convert_cny: '6.50' });
    const btc = groups[0]!.quotation[0]!;
    expect(btc).toMatchObject({
      id: 1,
      symbol: 'BTC/USDT',
      volume: '0.000000',
      feed: 'recorded',
      mode: 'normal',
      price_scale: 2,
    });
    expect(Number(btc.high)).toBeGreaterThan(Number(btc.low));
    expect(btc.change).not.toBe('0.00');
    const feed = await running.views.kept<FeedView>('feed');
    expect(feed?.prices['BTC/USDT']?.at).toBe(began - (began % 1000));
    const prices = await running.views.kept<PricesView>('prices');
    expect(prices?.usdt).toMatchObject({ '3': '1', '8': '1', '1': feed?.prices['BTC/USDT']?.price });
    expect(prices?.valuation).toMatchObject({
      '3': { usd: '1', at: feed?.at },
      '8': { usd: '1', at: feed?.at },
      // As many decimals as the price has: at most two.
      '1': { usd: expect.stringMatching(/^\d+(\.\d{1,2})?$/), at: feed?.at },
    });
    if (recordings) expect(feed?.kind).toBe('recorded');
    else {
      const ltc = groups[0]!.quotation.find(({ symbol }) => symbol === 'LTC/USDT')!;
      expect(ltc.feed).toBe('simulated');
      expect(Math.abs(Number(ltc.now_price) - 377.8)).toBeLessThan(4);
    }
  });

  test('trades are stored once, folded and shown, and a restart finds them [MARKET-007]', async () => {
    const send = await sender(running.app);
    const at = began + 1_000;
    running.clock.advance(1_000);
    const btc = running.app.get(Catalog).symbol('BTC/USDT');
    const klines: KlineView[] = [];
    running.views.subscribe('kline/BTC/USDT', (view: KlineView) => {
      klines.push(view);
    });
    await send('BTC/USDT', 1, [
      { sequence: 1, price: '60000.00', quantity: '0.200000', at },
      { sequence: 2, price: '60010.50', quantity: '0.300000', at: at + 10 },
    ]);
    await eventually(() => running.app.get(Trades).sequence(1) === 2);
    expect(running.app.get(Quotations).item(btc)).toMatchObject({ now_price: '60010.50', volume: '0.500000' });
    const minute = await eventually(async () =>
      (await running.app.get(Candles).range(btc, '1min', anchor, at + MINUTE)).at(-1),
    );
    expect(barOf(minute)).toEqual({
      time: anchor,
      open: 60000,
      high: 60010.5,
      low: 60000,
      close: 60010.5,
      volume: 0.5,
    });
    await eventually(() => klines.some((view) => view.period === '1min' && view.close === 60010.5 && !view.final));
    const ticker = await eventually(async () => {
      const view = await running.views.kept<TickerView>('ticker/BTC/USDT');
      return view?.nowPrice === '60010.50' ? view : null;
    });
    // Best quote volume first.
    expect(running.app.get(Quotations).byVolume()[0]!.symbol).toBe('BTC/USDT');
    const day = running.app.get(Candles).current(1, '1day')!;
    const folded = await running.app.get(Candles).range(btc, '60min', day.time, at);
    expect(day.volume).toBe(folded.reduce((sum, { volume }) => sum + volume, 0n));

    const clock = running.clock;
    await running.stop();
    clock.advance(3 * MINUTE);
    running = await start(database, clock, recordings ? { MARKET_DATA_DIR: recordings } : {});
    expect(running.app.get(Trades).sequence(1)).toBe(2);
    const again = await running.app.get(Candles).range(btc, '1min', anchor, clock.now());
    expect(again.map(barOf).map(({ close, volume }) => [close, volume])).toEqual([
      [60010.5, 0.5],
      [60010.5, 0],
      [60010.5, 0],
      [60010.5, 0],
    ]);
    expect(running.app.get(Quotations).item(btc)).toMatchObject({ now_price: '60010.50', volume: '0.500000' });
    const later = await eventually(() => running.views.kept<TickerView>('ticker/BTC/USDT'));
    expect(later.seq).toBeGreaterThanOrEqual(ticker.seq);
    // A lost message is not waited for for ever, and a repeat adds nothing.
    const resend = await sender(running.app);
    await resend('BTC/USDT', 1, [
      { sequence: 2, price: '1.00', quantity: '9.000000', at },
      { sequence: 3, price: '60020.00', quantity: '0.100000', at: clock.now() },
    ]);
    await eventually(() => running.app.get(Trades).sequence(1) === 3);
    expect(running.app.get(Quotations).item(btc)).toMatchObject({
      now_price: '60020.00',
      volume: '0.600000',
      low: expect.not.stringMatching(/^1\.00$/) as unknown as string,
    });
    expect(await running.app.get(Trades).page(1, 3, 20)).toHaveLength(2);
  });

  test('the last price follows our own trades; valuations do not [HARD-101]', async () => {
    const feed = running.app.get(Feed);
    const ltc = running.app.get(Catalog).symbol('LTC/USDT');
    const valued = feed.valuationPrice(ltc.currencyId);
    const send = await sender(running.app);
    for (const [sequence, price] of [
      [1, '0.01'],
      [2, '900000.00'],
    ] as const) {
      await send('LTC/USDT', ltc.id, [{ sequence, price, quantity: '0.0100', at: running.clock.now() }]);
      await eventually(() => running.app.get(Trades).sequence(ltc.id) === sequence);
      expect(running.app.get(Quotations).ticker(ltc).now).toBe(price);
      expect(feed.usdtPrice(ltc.currencyId)).toBe(feed.indexText(ltc));
      expect(feed.valuationPrice(ltc.currencyId)).toEqual(valued);
    }
    expect(Number(valued?.usd)).toBeGreaterThan(100);
    expect(Number(valued?.usd)).toBeLessThan(1_000);
  });

  test('the book joins depth, trades and free balances; its checksum is the contract’s [MARKET-008]', async () => {
    const pair = running.app.get(Catalog).symbol('BTC/USDT');
    const depth: DepthView = {
      symbol: 'BTC/USDT',
      pairId: 1,
      seq: 41,
      at: running.clock.real(),
      lastPrice: '60020',
      mode: 'normal',
      bids: [
        ['56637.56', '0.2'],
        ['56637.50', '1.250000'],
      ],
      asks: [
        ['56640.00', '0.100000'],
        ['56641.02', '2'],
      ],
    };
    running.views.publish('depth/BTC/USDT', depth, true);
    await new Promise((resolve) => setImmediate(resolve));
    const book = await running.app.get(Books).book(pair, null, 20);
    expect(book).toMatchObject({
      seq: 41,
      checksum: 733695628,
      user_cny: '0',
      user_currency: '0',
      in: [
        { price: '56637.56', number: '0.2' },
        { price: '56637.5', number: '1.25' },
      ],
      last_price: '60020.00',
    });
    expect(book.complete[0]).toMatchObject({
      id: 'BTC/USDT-3',
      price: '60020.00',
      number: '0.100000',
      direction: 'buy',
    });
    expect(await running.app.get(Books).book(pair, 100001, 20)).toMatchObject({
      user_cny: '100.00000000',
      user_currency: '0',
    });
  });

  describe('changes by operators', () => {
    const by = { operatorId: 1, operator: 'admin', reason: 'a test of the catalog' };
    const operator = { userId: 1, accountNumber: 'admin' } as Caller;
    const pairs = (): Promise<readonly CatalogPair[]> => running.app.get(PairList).rows();
    const savePair = async (fields: Record<string, string>): Promise<unknown> =>
      running.app
        .get(CatalogChanges)
        .save(running.app.get(PairList), readFields(PairBody, { ...fields, reason: by.reason }), operator);
    const saveCurrency = async (fields: Record<string, string>): Promise<unknown> =>
      running.app
        .get(CatalogChanges)
        .save(running.app.get(CurrencyList), readFields(CurrencyBody, { ...fields, reason: by.reason }), operator);

    /** Replaces auth: two other operators approve each change of a guarded row at once. */
    beforeAll(() => {
      const asks = running.app.get(Asks);
      let approvalId = 0;
      asks.handle(authAsks.guardedChange, async ({ payload: given, operator: { userId, accountNumber }, reason }) => {
        const payload = given as GuardedPayload;
        approvalId += 1;
        const before = await asks.ask(serviceAsks.guardedStanding('market-data'), { payload });
        const by = { operatorId: userId, operator: accountNumber, reason };
        await asks.ask(serviceAsks.guardedCarryOut('market-data'), {
          approvalId,
          payload,
          before: before as ChangeFacts,
          by,
          approvedBy: ['admin2'],
        });
        return { id: approvalId };
      });
      running.app.get(CatalogChanges).register(running.app.get(PairList));
    });

    test('fees of a pair change alone, are published, and followed [SETTING-030]', async () => {
      const catalog = running.app.get(Catalog);
      const before = (await pairs()).find(({ id }) => id === 1);
      expect(before).toMatchObject({ symbol: 'BTC/USDT', maker_fee: '0.1', taker_fee: '0.1', open_spot: 1 });
      await savePair({ id: '1', maker_fee: '0.25' });
      expect((await pairs()).find(({ id }) => id === 1)).toEqual({ ...before, maker_fee: '0.25' });
      await eventually(() => catalog.bySymbol('BTC/USDT')?.makerFee === '0.25', 5_000);
      expect(catalog.bySymbol('BTC/USDT')).toMatchObject({ takerFee: '0.1', openSpot: true, priceScale: 2 });
      expect(catalog.bySymbol('ETH/USDT')?.makerFee).toBe('0.1');
      await savePair({ id: '1', maker_fee: '0.1' });
    });

    test('a value that does not fit is refused, and so is a missing row [SETTING-010]', async () => {
      for (const [save, fields, key, field] of [
        [savePair, { id: '1', maker_fee: '9' }, 'common.fieldInvalid', 'maker_fee'],
        [savePair, { id: '1', maker_fee: '' }, 'common.fieldInvalid', 'maker_fee'],
        [savePair, { id: '1', market_band: '0' }, 'common.fieldInvalid', 'market_band'],
        [savePair, { id: '77', maker_fee: '0.1' }, 'common.notFound', 'id'],
        [savePair, { id: 'x', maker_fee: '0.1' }, 'common.notFound', 'id'],
        [saveCurrency, { id: '1', website: 'javascript:alert(1)' }, 'common.fieldInvalid', 'website'],
      ] as const)
        await expect(save(fields)).rejects.toMatchObject({ key, options: { field } });
      expect((await pairs()).find(({ id }) => id === 1)).toMatchObject({ maker_fee: '0.1' });
    });

    test('the rate of shown conversions is a setting [SETTING-030]', async () => {
      const catalog = running.app.get(Catalog);
      expect(catalog.cnyPerUsdt).toBe('6.5');
      const ask = (value: string): Promise<unknown> =>
        running.app.get(Asks).ask(serviceAsks.saveSetting('market-data'), { key: 'cny_per_usdt', value, by });
      await ask('7.125');
      expect(catalog.cnyPerUsdt).toBe('7.125');
      await expect(ask('0')).rejects.toMatchObject({ key: 'common.fieldInvalid' });
      await ask('6.5');
    });

    test('a currency is offered while its rate is not 0, with the time of the change [MARKET-044]', async () => {
      const euro = () =>
        running.app
          .get(ReferenceRates)
          .list()
          .find(({ code }) => code === 'EUR');
      const ask = (value: string): Promise<unknown> =>
        running.app.get(Asks).ask(serviceAsks.saveSetting('market-data'), { key: 'eur_per_usdt', value, by });
      expect(euro()).toBeUndefined();
      const before = running.clock.now();
      await ask('0.92');
      expect(euro()).toEqual({ code: 'EUR', per_usdt: '0.92000000', at: expect.any(Number), source: 'operators' });
      expect(euro()?.at).toBeGreaterThanOrEqual(before);
      await expect(ask('2.1')).rejects.toMatchObject({ key: 'common.fieldInvalid' });
      await ask('0');
      expect(euro()).toBeUndefined();
    });

    test('limits in US dollars go by the rate of USDT that an operator has set [SETTING-032]', async () => {
      const feed = running.app.get(Feed);
      const [btc, usdt] = [1, 3];
      const [price, rate] = [feed.valuationPrice(btc)?.usd, feed.valuationPrice(usdt)?.usd];
      expect(rate).toBe('1');
      const ask = (value: string): Promise<unknown> =>
        running.app.get(Asks).ask(serviceAsks.saveSetting('market-data'), { key: 'usd_per_usdt', value, by });
      await ask('0.5');
      expect(feed.valuationPrice(usdt)?.usd).toBe('0.5');
      expect(toUnits(feed.valuationPrice(btc)?.usd ?? '', 18) * 2n).toBe(toUnits(price ?? '', 18));
      for (const wrong of ['0', '2.1', '1.123456789'])
        await expect(ask(wrong)).rejects.toMatchObject({ key: 'common.fieldInvalid' });
      await ask('1');
    });
  });
});

describe('the house accounts', () => {
  let database: TestDatabases;
  let running: Running;
  let file: string;
  const folder = mkdtempSync(join(tmpdir(), 'bourse-script-'));
  beforeAll(async () => {
    database = await testDatabases({ shape: { schema: 'market', migrations: MIGRATIONS } });
    file = join(folder, 'prices.jsonl');
    const { appendFileSync } = await import('node:fs');
    appendFileSync(file, '{"symbol":"BTC/USDT","price":"60000.00"}\nnonsense\n');
    // Real time: the house moves with the ticks of the feed.
    running = await start(database, Object.assign(new SimulatedClock(Date.now())), {
      PRICE_FEED: `scripted:${file}`,
      MAKER: 'on',
    });
  });
  afterAll(async () => {
    await running?.stop();
    await database?.end();
    rmSync(folder, { recursive: true });
  });

  /** Advances the business clock as the ticks of the feed require. */
  const pass = async (until: () => boolean | Promise<boolean>): Promise<void> => {
    await eventually(async () => {
      running.clock.advance(300);
      await new Promise((resolve) => setTimeout(resolve, 30));
      return until();
    }, 30_000);
  };

  test('quotes 20 levels a side, follows the price, cancels in its bounds [MARKET-021] [MARKET-022]', async () => {
    const { appendFileSync } = await import('node:fs');
    await pass(() => running.desk.of('BTC/USDT').length === 40);
    const asks = (): number[] =>
      running.desk
        .of('BTC/USDT')
        .filter(({ type }) => type === 2)
        .map(({ target_price }) => Number(target_price))
        .sort((a, b) => a - b);
    expect(asks()[0]).toBe(60012);
    const kept = new Set(running.desk.of('BTC/USDT').map(({ id }) => id));
    appendFileSync(file, '{"symbol":"BTC/USDT","price":"60025.00"}\n');
    await pass(() => asks()[0] === 60036 && asks().length === 20);
    expect(running.desk.of('BTC/USDT').filter(({ id }) => kept.has(id))).toHaveLength(38);
    expect(await running.views.kept<FeedView>('feed')).toMatchObject({
      kind: 'simulated',
      prices: { 'BTC/USDT': { price: '60025.00' } },
    });
  });

  test('one side out of funds: the other is quoted on [MARKET-024]', async () => {
    running.desk.refuse = (userId, fields) =>
      userId === MAKER_ID && fields['type'] === '2' && fields['currency_id'] === '1' ? 'balance.insufficient' : null;
    for (const order of running.desk.of('BTC/USDT')) running.desk.orders.delete(order.id);
    await pass(() => running.desk.of('BTC/USDT').filter(({ type }) => type === 1).length === 20);
    expect(running.desk.of('BTC/USDT').filter(({ type }) => type === 2)).toHaveLength(0);
    running.desk.refuse = () => null;
    await pass(() => running.desk.of('BTC/USDT').length === 40);
  });
});

describe('the house on a production install', () => {
  const SECRETS = [
    'JWT_SECRET',
    'INTERNAL_SECRET',
    'PASSWORD_PEPPER',
    'ANSWER_SECRET',
    'WALLET_MIDDLEWARE_SECRET',
    'WALLET_KEY_SECRET',
    'TICK_KEY_SECRET',
  ];
  const production = {
    BOURSE_DEV: '0',
    PRICE_FEED: 'live:binance',
    ...Object.fromEntries(SECRETS.map((name) => [name, randomBytes(32).toString('base64url')])),
  };
  let database: TestDatabases;
  let running: Running | undefined;
  let tick: () => void = () => undefined;
  const lines: string[] = [];
  const note = (text: unknown, context: unknown): void => {
    if (context === 'Maker' || context === 'Taker') lines.push(String(text));
  };
  const logger = { log: note, warn: note, error: note, debug: () => undefined };

  beforeAll(async () => {
    database = await testDatabases({ shape: { schema: 'market', migrations: MIGRATIONS } });
    // Prices of an exchange that need no network.
    jest.spyOn(LiveFeed.prototype as PriceFeed, 'start').mockImplementation((_pairs, changed) => {
      tick = changed;
      return Promise.resolve();
    });
    jest
      .spyOn(LiveFeed.prototype, 'prices')
      .mockImplementation(
        () =>
          new Map(
            running
              ? running.app
                  .get(Catalog)
                  .pairs.map(({ symbol, priceScale }) => [
                    symbol,
                    { price: 10n ** BigInt(priceScale), at: running!.clock.now(), kind: 'live' as const },
                  ])
              : [],
          ),
      );
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await database?.end();
  });
  const startHouse = async (maker: Record<string, string>): Promise<Running> => {
    lines.length = 0;
    running = undefined;
    running = await start(database, new SimulatedClock(Date.now()), { ...production, MAKER: '', ...maker }, logger);
    return running;
  };
  /** Lets seconds of the business clock pass. */
  const pass = async (house: Running, seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      house.clock.advance(1_000);
      tick();
      // Work that the tick began ends within the process.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  };

  test('starts the maker only if it is configured, and the taker never [HARD-210]', async () => {
    const quiet = await startHouse({});
    await pass(quiet, 60);
    expect(quiet.desk.asked.size).toBe(0);
    expect(await quiet.views.kept<HouseView>('house')).toEqual({ maker: false });
    // What was kept may be lost: it is published again [LOG-076].
    quiet.views.publish('house', {}, true);
    await pass(quiet, 1);
    expect(await quiet.views.kept<HouseView>('house')).toEqual({ maker: false });
    await quiet.stop();
    const quoting = await startHouse({ MAKER: 'on' });
    await pass(quoting, 120);
    expect(await quoting.views.kept<HouseView>('house')).toEqual({ maker: true });
    expect(quoting.desk.asked.get(MAKER_ID)).toBeGreaterThan(100);
    expect(quoting.desk.asked.get(TAKER_ID)).toBeUndefined();
    await quoting.stop();
  });

  test('a maker without funds logs it once a coin, backs off, quotes later [HARD-210] [MARKET-025]', async () => {
    const house = await startHouse({ MAKER: 'on' });
    house.desk.refuse = () => 'balance.insufficient';
    await pass(house, 10);
    const coins = new Set(
      house.app.get(Catalog).pairs.flatMap(({ legalName, currencyName }) => [legalName, currencyName]),
    );
    expect(lines.map((line) => /^out of (\w+):/.exec(line)?.[1]).sort()).toEqual([...coins].sort());
    const before = house.desk.commands;
    await pass(house, 600);
    expect(lines).toHaveLength(coins.size);
    // At the end each side of each pair asks with one order a minute; before, some 20 orders a second were refused.
    expect(house.desk.commands - before).toBeLessThan(house.app.get(Catalog).pairs.length * 2 * 15);
    expect(await house.app.get(Metrics).text()).toContain(`bourse_maker_pauses ${coins.size}`);
    house.desk.refuse = () => null;
    await pass(house, 180);
    expect(house.desk.of('BTC/USDT')).toHaveLength(40);
    expect(
      lines
        .slice(coins.size)
        .map((line) => /^no longer: out of (\w+)$/.exec(line)?.[1])
        .sort(),
    ).toEqual([...coins].sort());
    await house.stop();
  });

  test('a trade of the house with itself makes no figure, on any road, and is marked [HARD-210]', async () => {
    const house = await startHouse({});
    const trade = await sender(house.app);
    const pair = house.app.get(Catalog).bySymbol('BTC/USDT')!;
    const at = house.clock.now();
    await trade('BTC/USDT', pair.id, [{ sequence: 1, price: '60000.00', quantity: '0.100000', at }]);
    await trade('BTC/USDT', pair.id, [
      { sequence: 2, price: '90000.00', quantity: '5.000000', at: at + 1, house: true },
      { sequence: 3, price: '10000.00', quantity: '5.000000', at: at + 2, house: true },
    ]);
    await eventually(() => house.app.get(Trades).sequence(pair.id) === 3);
    const figures = { now: '60000.00', high: '60000.00', low: '60000.00', volume: '0.100000' };
    expect(house.app.get(Quotations).ticker(pair)).toMatchObject(figures);
    expect(house.app.get(Trades).lastTrade(pair.id)).toMatchObject({ sequence: 1 });
    expect(house.app.get(Candles).current(pair.id, '1day')).toMatchObject({ high: 60000n * UNIT, volume: UNIT / 10n });
    const { complete } = await house.app.get(Books).book(pair, null, 20);
    expect(complete.map(({ id, house: mark }) => [id, mark])).toEqual([
      ['BTC/USDT-3', 1],
      ['BTC/USDT-2', 1],
      ['BTC/USDT-1', 0],
    ]);
    // The auditor folds the same way, and a restart reads the same figures.
    expect(await house.app.get(Asks).ask(serviceAsks.audit('market-data'), {})).toMatchObject({
      checks: [
        { name: 'candles', ok: true },
        { name: 'ticks', ok: true },
      ],
    });
    await house.stop();
    const again = await startHouse({});
    expect(again.app.get(Quotations).ticker(pair)).toMatchObject(figures);
    expect(again.app.get(Trades).close(pair.id)).toBe(60000n * UNIT);
    await again.stop();
  });
});

test('trades of a moved pair are taken in their order, from whichever partition they come [MARKET-042]', async () => {
  const own = await testDatabases({ shape: { schema: 'market', migrations: MIGRATIONS } });
  const house = await start(own, new SimulatedClock(Date.now()), {
    PRICE_FEED: 'simulated',
    SPOT_PARTITIONS: '2',
  });
  const trade = await sender(house.app);
  const trades = house.app.get(Trades);
  const pair = house.app.get(Catalog).bySymbol('ETH/USDT')!;
  const at = house.clock.now();
  const made = (...sequences: number[]) =>
    sequences.map((sequence) => ({ sequence, price: `${3_000 + sequence}.00`, quantity: '0.100000', at }));
  const heard: number[] = [];
  trades.onTrades((of, list) => {
    if (of.id === pair.id) heard.push(...list.map(({ sequence }) => sequence));
  });
  await trade('ETH/USDT', pair.id, made(1), 0);
  await eventually(() => trades.sequence(pair.id) === 1);
  const day = () => house.app.get(Candles).current(pair.id, '1day');
  const first = day()!.volume;
  // The partition that it went to is read first.
  await trade('ETH/USDT', pair.id, made(4, 5), 1);
  await eventually(async () => (await own.query('select 1 from market.trade_ahead')).length === 2);
  expect(trades.close(pair.id)).toBe(3_001n * UNIT);
  await trade('ETH/USDT', pair.id, made(2, 3), 0);
  await eventually(() => trades.sequence(pair.id) === 5);
  // There and back, with everything under way at once.
  await Promise.all([
    trade('ETH/USDT', pair.id, made(10, 11), 0),
    trade('ETH/USDT', pair.id, made(8, 9), 1),
    trade('ETH/USDT', pair.id, made(6, 7), 1),
  ]);
  await eventually(() => trades.sequence(pair.id) === 11);
  expect(heard).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
  expect(trades.close(pair.id)).toBe(3_011n * UNIT);
  expect(day()).toMatchObject({ close: 3_011n * UNIT, volume: first + UNIT });
  expect(await own.query('select 1 from market.trade_ahead')).toEqual([]);
  await house.stop();
  await own.end();
});
