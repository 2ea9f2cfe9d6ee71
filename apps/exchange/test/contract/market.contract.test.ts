import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { MessageOf } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { BASE, call, get, post, trader, type Body, type Fields } from './client.js';

// Holds for every kind of feed, and whether the house accounts trade or not.
const USDT = 3,
  BTC = 1,
  HAP = 8;
const PERIODS = ['1min', '5min', '15min', '30min', '60min', '1day', '1week', '1mon'] as const;
const SECONDS = {
  '1min': 60,
  '5min': 300,
  '15min': 900,
  '30min': 1800,
  '60min': 3600,
  '1day': 86_400,
  '1week': 604_800,
};

interface Bar {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}
type Group = MessageOf<'GET /api/currency/quotation_new'>[number];
type Book = MessageOf<'POST /api/transaction/deal'>;

const groups = async (): Promise<Group[]> => (await get('/api/currency/quotation_new')).body.message;
const deal = async (fields: Fields = { legal_id: USDT, currency_id: BTC }, token?: string): Promise<Book> =>
  (await post('/api/transaction/deal', fields, { token })).body.message;
const timeshare = async (fields: Fields): Promise<Body & { code: number; msg: string; data: Bar[] }> =>
  (await get('/api/currency/new_timeshar', fields)).body;
const nowSeconds = async (): Promise<number> => {
  const { body } = await get('/api/market/trades', { legal_id: USDT, currency_id: BTC });
  expect(body.type).toBe('ok');
  return Math.floor((await deal()).ts / 1000);
};

describe('currencies [MARKET-030]', () => {
  test('the seeded currencies with their flags, and the quotes among them', async () => {
    const { body } = await get('/api/currency/list');
    const { legal, list } = body.message;
    expect(list.map(({ id, name }) => `${id} ${name}`)).toEqual([
      '1 BTC',
      '2 ETH',
      '3 USDT',
      '4 XRP',
      '5 LTC',
      '6 DOGE',
      '7 ADA',
      '8 HAP',
    ]);
    expect(legal.map(({ name }) => name)).toEqual(['BTC', 'ETH', 'USDT']);
    expect(list.every(({ scale }) => scale === 8)).toBe(true);
  });

  test('each has a description in the language of the call, and a logo that is served', async () => {
    const listIn = async (lang: string) =>
      (await get('/api/currency/list', {}, { headers: { lang } })).body.message.list;
    const [english, german] = await Promise.all([listIn('en'), listIn('de')]);
    expect(english.filter(({ description }) => description === '')).toEqual([]);
    for (const [index, { name, logo, description }] of english.entries()) {
      expect(`${name} ${german[index]?.description === description}`).toBe(`${name} false`);
      const picture = await fetch(new URL(logo, BASE));
      expect(`${name} ${picture.headers.get('content-type')}`).toBe(`${name} image/svg+xml`);
    }
  });

  test('one currency by its id, or a refusal', async () => {
    expect((await get('/api/currency/detail', { id: HAP })).body.message).toMatchObject({
      id: 8,
      name: 'HAP',
      is_legal: 0,
      is_match: 0,
      is_lever: 0,
      is_micro: 1,
      scale: 8,
    });
    expect((await get('/api/currency/detail', { id: 99 })).body).toMatchObject({
      type: 'error',
      key: 'common.notFound',
    });
    expect((await get('/api/currency/detail')).body).toMatchObject({
      type: 'error',
      key: 'common.fieldRequired',
      params: { field: 'id' },
    });
    for (const id of ['-1', '1.5', 'x', '01'])
      expect((await get('/api/currency/detail', { id })).body).toMatchObject({
        type: 'error',
        key: 'common.fieldInvalid',
        params: { field: 'id' },
      });
  });
});

test('rates of approximate values come from rows of operators, and from the index of BTC [MARKET-043]', async () => {
  const { body } = await get('/api/market/rates');
  const rates = body.message as { code: string; per_usdt: string; at: number | null; source: string }[];
  expect(rates.slice(0, 3)).toEqual([
    { code: 'USD', per_usdt: '1.00000000', at: null, source: 'operators' },
    { code: 'CNY', per_usdt: '6.50000000', at: null, source: 'operators' },
    { code: 'JPY', per_usdt: '150.00000000', at: null, source: 'operators' },
  ]);
  expect(rates.slice(3)).toEqual([
    { code: 'BTC', per_usdt: expect.stringMatching(/^0\.0000\d{12}$/), at: expect.any(Number), source: 'market' },
  ]);
});

describe('quotations [MARKET-031]', () => {
  test('one answer under three addresses, in groups by quote, conversions by the quote’s price', async () => {
    const [usdt, btc] = await groups();
    expect([usdt!.name, usdt!.id, usdt!.rmb_relation, usdt!.fiat_convert_cny]).toEqual(['USDT', 3, '6.50', '6.50']);
    expect(usdt!.quotation.map(({ symbol }) => symbol)).toEqual([
      'BTC/USDT',
      'ETH/USDT',
      'LTC/USDT',
      'XRP/USDT',
      'DOGE/USDT',
      'ADA/USDT',
    ]);
    expect(btc!.quotation.map(({ symbol }) => symbol)).toEqual(['ETH/BTC', 'LTC/BTC', 'XRP/BTC']);
    expect(btc!.fiat_convert_cny).toMatch(/^\d+\.\d{2}$/);
    expect(Math.abs(Number(btc!.fiat_convert_cny) / (Number(usdt!.quotation[0]!.now_price) * 6.5) - 1)).toBeLessThan(
      0.01,
    );
    expect([usdt!.usdt_price, Number(btc!.usdt_price) > 1_000]).toEqual(['1', true]);
    for (const [method, path] of [
      ['GET', '/api/quotation_new'],
      ['POST', '/api/quotation_new'],
    ] as const) {
      const { body } = await call(method, path);
      expect((body.message as Group[]).map(({ name }) => name)).toEqual(['USDT', 'BTC']);
    }
  });

  test('figures have the scales of their pair, and name the source of prices', async () => {
    for (const item of (await groups()).flatMap(({ quotation }) => quotation)) {
      for (const price of [item.now_price, item.high, item.low])
        expect(price).toMatch(new RegExp(`^\\d+\\.\\d{${item.price_scale}}$`));
      expect(item.volume).toMatch(new RegExp(`^\\d+\\.\\d{${item.number_scale}}$`));
      expect(item.change).toMatch(/^-?\d+\.\d{2}$/);
      expect(item.change).not.toBe('-0.00');
      expect(['recorded', 'simulated', 'live']).toContain(item.feed);
      expect(['normal', 'cancel_only', 'halted']).toContain(item.mode);
      expect(Number(item.low)).toBeLessThanOrEqual(Number(item.now_price));
      expect(Number(item.high)).toBeGreaterThanOrEqual(Number(item.now_price));
      expect(item.min_total).toBe(item.legal_id === USDT ? '1' : '0.0001');
      expect(item.open_lever).toBe(item.legal_id === USDT ? 1 : 0);
    }
  });

  test('the list of pairs has the highest quote volume first', async () => {
    const { coin_list } = (await post('/api/quotation')).body.message;
    expect(coin_list.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(coin_list.every(({ is_display }) => is_display === 1)).toBe(true);
    const traded = coin_list.map(({ volume }) => Number(volume) > 0);
    expect(traded.lastIndexOf(true)).toBeLessThan(traded.includes(false) ? traded.indexOf(false) : Infinity);
  });
});

describe('the book [MARKET-032]', () => {
  test('levels best first, without trailing zeros, and the checksum over the best twenty', async () => {
    const book = await deal({ legal_id: USDT, currency_id: BTC, depth: 20 });
    expect(book).toMatchObject({ symbol: 'BTC/USDT', user_cny: '0', user_currency: '0' });
    expect(book.today).toBe(book.last_price);
    const parts: string[] = [];
    for (let level = 0; level < 20; level++)
      for (const side of [book.in, book.out]) {
        const found = side[level];
        if (found) parts.push(found.price, found.number);
      }
    expect(book.checksum).toBe(crc32(parts.join(':')));
    for (const { price, number } of [...book.in, ...book.out])
      for (const text of [price, number]) expect(text).toMatch(/^\d+(\.\d*[1-9])?$/);
    const falling = book.in.map(({ price }) => Number(price));
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    const rising = book.out.map(({ price }) => Number(price));
    expect(rising).toEqual([...rising].sort((a, b) => a - b));
    if (falling.length > 0 && rising.length > 0) expect(falling[0]).toBeLessThan(rising[0]!);
    expect(book.complete.length).toBeLessThanOrEqual(20);
    for (const trade of book.complete)
      expect(trade).toMatchObject({
        id: expect.stringMatching(/^BTC\/USDT-\d+$/) as unknown as string,
        price: expect.stringMatching(/^\d+\.\d{2}$/) as unknown as string,
        number: expect.stringMatching(/^\d+\.\d{6}$/) as unknown as string,
        direction: expect.stringMatching(/^(buy|sell)$/) as unknown as string,
      });
  });

  test('a caller sees the free balances of both coins; without a pair the first one', async () => {
    const token = await trader(1);
    const book = await deal(undefined, token);
    expect(book.user_cny).toMatch(/^\d+\.\d{8}$/);
    expect(Number(book.user_cny)).toBeGreaterThan(0);
    expect(Number(book.user_currency)).toBeGreaterThan(0);
    expect((await deal({ address: '0xabc' })).symbol).toBe('BTC/USDT');
    expect((await deal({ address: '0xabc', user_id: 100001 })).user_cny).toBe('0');
  });

  test('depth bounds the levels, not the checksum; invalid values are refused', async () => {
    const [few, many] = [
      await deal({ legal_id: USDT, currency_id: BTC, depth: 8 }),
      await deal({ legal_id: USDT, currency_id: BTC, depth: 100 }),
    ];
    expect(few.in.length).toBeLessThanOrEqual(8);
    expect(many.in.length).toBeGreaterThanOrEqual(few.in.length);
    for (const depth of [7, 101, -1, 'x', '8.5'])
      expect((await post('/api/transaction/deal', { legal_id: USDT, currency_id: BTC, depth })).body).toMatchObject({
        type: 'error',
        key: 'common.fieldInvalid',
        params: { field: 'depth' },
      });
    for (const pair of [
      { legal_id: USDT, currency_id: USDT },
      { legal_id: 77, currency_id: BTC },
      { legal_id: USDT, currency_id: HAP },
    ])
      expect((await post('/api/transaction/deal', pair)).body).toMatchObject({ type: 'error', key: 'pair.delisted' });
    expect((await post('/api/transaction/deal', { legal_id: USDT })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldRequired',
      params: { field: 'currency_id' },
    });
    expect((await post('/api/transaction/deal', { legal_id: 'x', currency_id: BTC })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldInvalid',
      params: { field: 'legal_id' },
    });
  });
});

describe('candles [MARKET-033]', () => {
  let now: number;
  beforeAll(async () => {
    now = await nowSeconds();
  });

  test('all names of the periods, rising, without holes, at most 1500, in numbers', async () => {
    for (const period of [...PERIODS, '1', '5', '15', '30', '60', '1D', 'D', '1W', 'W', '1M', 'M']) {
      const { type, code, msg, data } = await timeshare({
        symbol: 'BTC/USDT',
        period,
        from: now - 3 * 86_400,
        to: now + 60,
      });
      expect([type, code, typeof msg]).toEqual(['ok', 1, 'string']);
      expect(data.length).toBeLessThanOrEqual(1_500);
      expect(
        data.every((bar) =>
          [bar.time, bar.open, bar.high, bar.low, bar.close, bar.volume].every((figure) => typeof figure === 'number'),
        ),
      ).toBe(true);
      const step = SECONDS[period as keyof typeof SECONDS];
      if (step)
        expect(data.every((bar, index) => index === 0 || bar.time - data[index - 1]!.time === step * 1000)).toBe(true);
      expect(
        data.every((bar) => bar.low <= Math.min(bar.open, bar.close) && bar.high >= Math.max(bar.open, bar.close)),
      ).toBe(true);
    }
  });

  test('seconds and milliseconds mean the same; the newest 1500 stay', async () => {
    const bySeconds = await timeshare({ symbol: 'ETH/USDT', period: '1min', from: now - 7_200, to: now - 3_600 });
    const byMillis = await timeshare({
      symbol: 'ETH/USDT',
      period: '1min',
      from: (now - 7_200) * 1000,
      to: (now - 3_600) * 1000,
    });
    expect(byMillis.data).toEqual(bySeconds.data);
    const long = await timeshare({ symbol: 'BTC/USDT', period: '1min', from: 0, to: now - 60 });
    if (long.data.length > 0) {
      expect(long.data.at(-1)!.time).toBe(Math.floor((now - 60) / 60) * 60_000);
      expect(long.data.length).toBeLessThanOrEqual(1_500);
    }
    expect((await timeshare({ symbol: 'BTC/USDT', period: '1min', from: now, to: now - 3_600 })).data).toEqual([]);
    expect(
      (await timeshare({ symbol: 'BTC/USDT', period: '1min', from: now + 86_400, to: now + 90_000 })).data,
    ).toEqual([]);
  });

  test('each period is the fold of the finer one', async () => {
    const hourStart = Math.floor(now / 3_600) * 3_600 - 3_600;
    const hour = (await timeshare({ symbol: 'BTC/USDT', period: '60min', from: hourStart, to: hourStart })).data[0];
    const minutes = (await timeshare({ symbol: 'BTC/USDT', period: '1min', from: hourStart, to: hourStart + 3_599 }))
      .data;
    const fives = (await timeshare({ symbol: 'BTC/USDT', period: '5min', from: hourStart, to: hourStart + 3_599 }))
      .data;
    for (const finer of [minutes, fives]) {
      expect(hour === undefined).toBe(finer.length === 0);
      if (!hour) continue;
      expect([hour.open, hour.close, hour.high, hour.low]).toEqual([
        finer[0]!.open,
        finer.at(-1)!.close,
        Math.max(...finer.map(({ high }) => high)),
        Math.min(...finer.map(({ low }) => low)),
      ]);
      expect(finer.reduce((sum, { volume }) => sum + volume, 0)).toBeCloseTo(hour.volume, 6);
    }
  });

  test('the bar in progress', async () => {
    for (const [period, name] of [
      ['1min', '1min'],
      ['D', '1day'],
      ['M', '1mon'],
      ['60', '60min'],
    ] as const) {
      const { message } = (
        await post('/api/market/get_current', { base_currency: 'BTC', quote_currency: 'USDT', period })
      ).body;
      const bar = message;
      expect(bar).toMatchObject({ symbol: 'BTC/USDT', period: name });
      expect(bar.now_price).toMatch(/^\d+\.\d{2}$/);
      expect(bar.change).toMatch(/^-?\d+\.\d{2}$/);
      expect(bar.time).toBeLessThanOrEqual(Date.now() + 400 * 86_400_000);
      expect(bar.low).toBeLessThanOrEqual(bar.close);
      expect(bar.close).toBeLessThanOrEqual(bar.high);
    }
  });

  test('refusals of candles carry code 0, those of get_current the envelope', async () => {
    const good = { symbol: 'BTC/USDT', period: '1min', from: now - 60, to: now };
    for (const [fields, key] of [
      [{ ...good, symbol: 'HAP/USDT' }, 'pair.delisted'],
      [{ ...good, symbol: undefined }, 'common.fieldRequired'],
      [{ ...good, period: '2min' }, 'common.fieldInvalid'],
      [{ ...good, from: undefined }, 'common.fieldRequired'],
      [{ ...good, to: 'x' }, 'common.fieldInvalid'],
      [{ ...good, from: -5 }, 'common.fieldInvalid'],
    ] as const) {
      const answer = await timeshare(fields);
      expect(answer).toMatchObject({ code: 0, key });
      expect(answer.msg.length).toBeGreaterThan(0);
    }
    const current = (fields: Fields) => post('/api/market/get_current', fields).then(({ body }) => body);
    expect(await current({ base_currency: 'HAP', quote_currency: 'USDT', period: '1min' })).toMatchObject({
      type: 'error',
      key: 'pair.delisted',
    });
    expect(await current({ base_currency: 'BTC', quote_currency: 'USDT', period: 'x' })).toMatchObject({
      type: 'error',
      key: 'common.fieldInvalid',
      params: { field: 'period' },
    });
    expect(await current({ base_currency: 'BTC', period: '1min' })).toMatchObject({
      type: 'error',
      key: 'common.fieldRequired',
      params: { field: 'quote_currency' },
    });
  });
});

describe('trades of one pair [MARKET-034]', () => {
  const trades = async (fields: Fields) =>
    (await get('/api/market/trades', { legal_id: USDT, currency_id: BTC, ...fields })).body;

  test('newest first, paged by the id before, and numbered without holes', async () => {
    const token = await trader(1);
    const other = await trader(2);
    // A trade of our own, at a price inside the market: works with and without the house accounts.
    const made = async (): Promise<number> => (await trades({})).message.seq;
    const before = await made();
    const last = Number((await deal()).last_price);
    for (const [who, type, price] of [
      [token, 1, last * 1.01],
      [other, 2, last * 0.99],
    ] as const) {
      const { body } = await post(
        '/api/coin/trade',
        { legal_id: USDT, currency_id: BTC, type, target_price: price.toFixed(2), amount: '0.001' },
        { token: who },
      );
      expect(body).toMatchObject({ type: 'ok', key: 'trade.success' });
    }
    await eventuallySatisfied(made, (seq) => seq > before);
    for (const who of [token, other])
      await post('/api/coin/cancel_all', { legal_id: USDT, currency_id: BTC }, { token: who });
    const { list, seq } = (await trades({ limit: 3 })).message;
    expect(list.length).toBeGreaterThan(0);
    const numbers = list.map(({ id }) => Number(id.replace('BTC/USDT-', '')));
    expect(numbers[0]).toBeLessThanOrEqual(seq);
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! - index));
    const older = (await trades({ before: list[0]!.id, limit: 2 })).message;
    expect(older.list.map(({ id }) => id)).toEqual(list.slice(1, 3).map(({ id }) => id));
    expect((await trades({ before: 'BTC/USDT-1' })).message).toMatchObject({ list: [] });
  });

  test('invalid values are refused', async () => {
    for (const limit of [0, 101, 'x'])
      expect(await trades({ limit })).toMatchObject({
        type: 'error',
        key: 'common.fieldInvalid',
        params: { field: 'limit' },
      });
    for (const before of ['ETH/USDT-1', 'x', '0', '-1'])
      expect(await trades({ before })).toMatchObject({
        type: 'error',
        key: 'common.fieldInvalid',
        params: { field: 'before' },
      });
    expect(await trades({ currency_id: USDT })).toMatchObject({ type: 'error', key: 'pair.delisted' });
    expect((await get('/api/market/trades', { legal_id: USDT })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldRequired',
      params: { field: 'currency_id' },
    });
  });
});

test('the volume of 24 hours is that of the bars behind the recorded history [HARD-487]', async () => {
  const compared = await eventuallySatisfied(
    async () => {
      const now = await nowSeconds();
      const answer = await timeshare({ symbol: 'BTC/USDT', period: '1min', from: now - 86_400, to: now + 60 });
      const { recorded_before: before } = answer as unknown as { recorded_before?: number };
      const own = answer.data.filter(({ time }) => time >= (before ?? 0));
      const traded = own.reduce((sum, { volume }) => sum + BigInt(Math.round(volume * 1e8)), 0n);
      const item = (await groups()).flatMap(({ quotation }) => quotation).find(({ id }) => id === 1)!;
      return { before, now, same: traded / 100n === toUnits(item.volume, 6) };
    },
    // A fill between the two calls is in one of them alone.
    ({ same }) => same,
  );
  expect(compared.same).toBe(true);
  // An install without recordings has no history, and so no such moment.
  if (compared.before !== undefined) expect(compared.before).toBeLessThanOrEqual(compared.now * 1_000);
});
