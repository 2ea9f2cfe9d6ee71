import { beforeAll, expect, test } from '@jest/globals';
import { call, get, trader, type Fields, type BodyAt } from './client.js';
import { operator } from './people.js';

/* The seeds of a fresh install (rules §15): each figure as in the rules, whatever has been changed since. */

let admin: string;
beforeAll(async () => {
  admin = await operator('operator');
});
const rows = async <P extends string>(path: P): Promise<BodyAt<'GET', P>['message']> => {
  const { body } = await get(path, {}, { token: admin });
  expect(body.type).toBe('ok');
  return body.message as BodyAt<'GET', P>['message'];
};

/** Settings with their seeds, in the order of rules §15. */
const SEEDS: Readonly<Record<string, string>> = {
  is_open_CTbi: '1',
  trade_needs_fund: '1',
  trade_needs_identity: '1',
  login_need_code: '0',
  invite_code_must: '0',
  admin_totp: '0', // a demo install
  'lever.muit': '5 10 20 50 100',
  'lever.share_presets': '1 5 10 50',
  'lever.trade_fee': '0.05',
  'lever.spread': '0.1',
  'lever.overnight': '0.001',
  'lever.share_min': '1',
  'lever.share_max': '1000',
  'lever.burst_rate': '110',
  'lever.open_rate': '120',
  'lever.transfer_rate': '150',
  'lever.house_cover': '20',
  'lever.max_positions': '100',
  'lever.min_value': '10',
  micro_trade_fee: '0.2',
  'micro_min.USDT': '10',
  'micro_max.USDT': '5000',
  'micro_min.HAP': '1',
  'micro_max.HAP': '5000',
  'micro_numbers.USDT': '10 20 50 100 200 500',
  'micro_numbers.HAP': '1 2 5 10 20 50 100',
  micro_max_open: '10',
  micro_market_cap: '50000',
  c2c_sell_fee: '0.1',
  c2c_open_deals: '1',
  c2c_cancels_a_day: '3',
  'c2c.min_value': '10',
  'c2c.price_band': '20',
  'c2c.max_ads': '10',
  'c2c.appeal_due': '48',
  'shop_deposit.verified': '500',
  'shop_deposit.advanced': '2000',
  'shop_limit.verified': '5000',
  'shop_limit.advanced': '50000',
  acceptor_silent_minutes: '30',
  acceptor_deposit_hours: '24',
  acceptor_auto_minutes: '20',
  acceptor_object_minutes: '5',
  acceptor_person_share: '25',
  acceptor_strikes: '3',
  acceptor_dispute_hours: '24',
  address_wait: '24',
  auto: '1000',
  two_person: '10000',
  day: '100000',
  deposit_cancel: '0',
  deposit_person_share: '25',
  jc_price: '0.1',
  jc_price_difference: '0.05',
  jc_exchange_fee: '5',
  jc_currency: 'HAP',
  team_rebate_1: '20',
  team_rebate_2: '10',
  team_rebate_3: '5',
  cny_per_usdt: '6.5',
  usd_per_usdt: '1',
  jpy_per_usdt: '150',
  eur_per_usdt: '0',
  gbp_per_usdt: '0',
  brl_per_usdt: '0',
  try_per_usdt: '0',
  app_ios: '',
  app_android: '',
  app_mobile_path: '',
  support_url: '',
};

test('each setting begins at the figure of the rules, with words that help [COVER-020]', async () => {
  const found = new Map((await rows('/api/admin/settings')).map((row) => [row.key, row]));
  expect(Object.keys(SEEDS).map((key) => [key, found.get(key)?.default])).toEqual(Object.entries(SEEDS));
  expect([...found.values()].filter(({ help }) => help.length < 10).map(({ key }) => key)).toEqual([]);
});

test('figures of this project’s own begin where its pages say [COVER-020]', async () => {
  const own = new Map((await rows('/api/admin/settings')).map((row) => [row.key, row.default]));
  const kept = {
    'c2c.chat_per_minute': '20',
    'c2c.chat_open_days': '7',
    'c2c.chat_keep_days': '730',
    'c2c.appeal_two_person': '10000',
    acceptor_open_deposits: '10',
    micro_tick_days: '30',
    'feed.max_deviation': '3',
    'spot.fee_levels': '50000:90:95 250000:80:90 1000000:65:80 5000000:50:70 20000000:25:60',
    'complaints.open': '5',
    'complaints.reopen_days': '14',
    'complaints.messages': '200',
    'notice.days': '180',
    'notice.max': '500',
    jc_bind_max: '1000000',
  };
  expect(Object.keys(kept).map((key) => [key, own.get(key)])).toEqual(Object.entries(kept));
});

test('networks of a fresh install have minimum, rate, memo and confirmations of the rules [COVER-021]', async () => {
  const networks = await rows('/api/admin/catalog/protocols');
  const shown = new Map(
    networks.map((row) => [`${row.currency_id} ${row.type}`, [row.min_number, row.rate, row.is_memo]]),
  );
  expect(Object.fromEntries(shown)).toEqual({
    '1 BTC': ['0.001', '0.1', 0],
    '2 ETH': ['0.01', '0.1', 0],
    '3 ERC20': ['20', '1.5', 0],
    '3 TRC20': ['10', '1', 0],
    '4 XRP': ['20', '0.1', 1],
    '5 LTC': ['0.1', '0.1', 0],
    '6 DOGE': ['50', '0.1', 0],
    '7 ADA': ['20', '0.1', 0],
  });
  expect(new Set(networks.map(({ confirmations }) => confirmations))).toEqual(new Set([6]));
  expect(networks.map((row) => row.min_deposit)).toEqual(networks.map((row) => (row.currency_id === 3 ? '100' : '0')));
});

test('pairs of a fresh install have the scales, fees, bands and openings of the rules [COVER-021]', async () => {
  const pairs = await rows('/api/admin/catalog/pairs');
  expect(
    pairs.map(({ id, symbol, price_scale, number_scale }) => `${id} ${symbol} ${price_scale}/${number_scale}`),
  ).toEqual([
    '1 BTC/USDT 2/6',
    '2 ETH/USDT 2/4',
    '3 LTC/USDT 2/4',
    '4 XRP/USDT 5/4',
    '5 DOGE/USDT 5/4',
    '6 ADA/USDT 5/4',
    '7 ETH/BTC 6/4',
    '8 LTC/BTC 6/4',
    '9 XRP/BTC 8/4',
  ]);
  for (const pair of pairs) {
    const isOpen = pair.id <= 6 ? 1 : 0;
    expect([pair.symbol, pair.maker_fee, pair.taker_fee, pair.market_band, pair.open_lever, pair.open_micro]).toEqual([
      pair.symbol,
      '0.1',
      '0.1',
      '5',
      isOpen,
      isOpen,
    ]);
    expect([pair.symbol, pair.min_total]).toEqual([pair.symbol, pair.id <= 6 ? '1' : '0.0001']);
  }
});

test('currencies of a fresh install are those of the rules, with their flags [COVER-021]', async () => {
  const currencies = await rows('/api/admin/catalog/currencies');
  const flags = (row: (typeof currencies)[number]): string =>
    (['is_legal', 'is_match', 'is_lever', 'is_micro'] as const).filter((flag) => row[flag] === 1).join(' ');
  expect(Object.fromEntries(currencies.slice(0, 8).map((row) => [`${row.id} ${row['name']}`, flags(row)]))).toEqual({
    '1 BTC': 'is_legal is_match is_lever',
    '2 ETH': 'is_legal is_match is_lever',
    '3 USDT': 'is_legal is_match is_lever is_micro',
    '4 XRP': 'is_match',
    '5 LTC': 'is_match',
    '6 DOGE': 'is_match',
    '7 ADA': 'is_match',
    '8 HAP': 'is_micro',
  });
});

test('terms of savings of a fresh install are those of the rules [COVER-021]', async () => {
  const terms = await rows('/api/admin/catalog/deposit_configs');
  const listTerms = (coin: number): string[] =>
    terms
      .filter((row) => row['currency_id'] === coin)
      .map((row) => `${row['day']} ${row['interest_rate']} ${row['save_min']}`);
  expect(listTerms(3).slice(0, 5)).toEqual(['7 0.4 100', '15 0.5 100', '30 0.7 100', '60 0.9 100', '90 1.2 100']);
  expect(listTerms(1).slice(0, 5)).toEqual(['7 0.4 0.01', '15 0.5 0.01', '30 0.7 0.01', '60 0.9 0.01', '90 1.2 0.01']);
});

test('durations and insurance of a fresh install are those of the rules [COVER-021]', async () => {
  const seconds = await rows('/api/admin/catalog/micro_seconds');
  expect(
    seconds.map((row) => `${row['seconds']} ${row['profit_ratio']} ${row['min_money']} ${row['max_money']}`),
  ).toEqual(['30 40 1 5000', '60 50 1 5000', '120 60 1 5000', '180 70 1 5000', '300 80 1 5000']);
  expect(await rows('/api/admin/catalog/insurance_types')).toMatchObject([
    {
      name: 'HAP',
      min_amount: '100',
      max_amount: '10000',
      premium_rate: '15',
      end_profit_rate: '100',
      claim_loss_rate: '50',
      claim_rate: '50',
      stake_rate: '2',
      claims_per_day: 2,
      max_open: 5,
    },
  ]);
  const shown = (await get('/api/insurance/types', {}, { token: await trader(1) })).body.message;
  expect(shown).toMatchObject([{ id: 1, currency_name: 'HAP', premium_rate: '15', max_open: 5 }]);
  expect(Number(shown[0]!.quota_left)).toBeLessThanOrEqual(1_000_000);
});

test('pages have the default sizes of the contract [COVER-022]', async () => {
  const token = await trader(1);
  const lists: readonly [method: string, path: string, fields: Fields][] = [
    ['GET', '/api/c2c_user_deal', {}],
    ['GET', '/api/microtrade/lists', {}],
    ['GET', '/api/wallet/hzhistory', {}],
    ['POST', '/api/account/list', {}],
    ['GET', '/api/currency/deposit/lhDepositOrderList', {}],
    ['POST', '/api/news/list', { c_id: 11 }],
    ['POST', '/api/wallet/legal_log', { type: 1, currency: 3 }],
  ];
  const sizes = await Promise.all(
    lists.map(async ([method, path, fields]) => {
      const { body } = await call(method, path, fields, { token });
      return (body.message as { page_size: number }).page_size;
    }),
  );
  expect(sizes).toEqual([10, 20, 30, 20, 20, 20, 10]);
});
