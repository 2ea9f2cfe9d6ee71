import { beforeAll, expect, test } from '@jest/globals';
import { post, put, type Fields } from './client.js';
import { createMerchant, FUND } from './people.js';

// No call here moves money: each lacks one of its fields.
const BTC_USDT = { legal_id: 3, currency_id: 1 };
const ID = '1234567890';
const REQUIRED = 'common.fieldRequired';

const ORDER = { ...BTC_USDT, type: 1, target_price: '1000', amount: '0.1' };
const STOP = { ...ORDER, order_type: 'stop_limit', stop_price: '900000' };
const PAIR = { ...BTC_USDT, type: 2, target_price: '900000', amount: '0.1', stop_price: '1000' };
const AD = {
  total_number: '20',
  price: '6.5',
  way: 'bank',
  coin_code: 'CNY',
  currency_id: 3,
  type: 'buy',
  password: FUND,
};

/** A call with all its fields, and the key by which each of them is refused when it is missing. */
type Row = readonly [path: string, fields: Fields, missing: Readonly<Record<string, string>>];
const OF_PAIR = { legal_id: 'pair.delisted', currency_id: 'pair.delisted' };
const PASSWORD = { password: 'fund.required' };
const OF_AD = {
  total_number: 'c2c.numberRequired',
  price: 'c2c.priceRequired',
  way: 'c2c.wayRequired',
  coin_code: 'c2c.coinRequired',
  type: REQUIRED,
  currency_id: REQUIRED,
  ...PASSWORD,
};
const OF_ORDER = { ...OF_PAIR, type: REQUIRED, target_price: 'cuy.pbPrice', amount: 'cuy.pbNum' };
const OF_PAIRED = { ...OF_ORDER, target_price: 'cuy.psPrice', amount: 'cuy.psNum', stop_price: REQUIRED };
const ROWS: readonly Row[] = [
  ['/api/coin/trade', ORDER, OF_ORDER],
  ['/api/coin/trade', STOP, { ...OF_ORDER, stop_price: REQUIRED }],
  ['/api/coin/trade', { ...STOP, order_type: 'stop_market' }, { stop_price: REQUIRED }],
  ['/api/coin/oco', PAIR, OF_PAIRED],
  ['/api/coin/batch', { items: '[]' }, { items: REQUIRED }],
  [
    '/api/lever/submit',
    { ...BTC_USDT, type: 1, status: 0, multiple: 10, target_price: '1000', share: 1 },
    {
      ...OF_PAIR,
      type: REQUIRED,
      status: REQUIRED,
      multiple: 'lever.multipleRequired',
      target_price: 'lever.priceRequired',
      share: 'lever.shareInteger',
    },
  ],
  ...['close', 'cancel', 'setstop'].map((call): Row => [`/api/lever/${call}`, { id: ID }, { id: REQUIRED }]),
  ['/api/lever/batch_close', { type: 0 }, { type: REQUIRED }],
  [
    '/api/microtrade/submit',
    { match_id: 1, currency_id: 3, type: 1, seconds: 30, number: '10' },
    { match_id: REQUIRED, currency_id: REQUIRED, type: REQUIRED, seconds: REQUIRED, number: 'miscro.openNum' },
  ],
  [
    '/api/insurance/buy',
    { type_id: 1, amount: '100', password: FUND },
    { type_id: REQUIRED, amount: 'insurance.integer', ...PASSWORD },
  ],
  ['/api/insurance/claim', { id: ID }, { id: REQUIRED }],
  ['/api/insurance/cancel', { id: ID, password: FUND }, { id: REQUIRED, ...PASSWORD }],
  [
    '/api/currency/lhDeposit',
    { config_id: 3, currency_id: 3, amount: '1000', password: FUND },
    { config_id: 'save.config', currency_id: 'save.config', amount: 'save.amountRequired', ...PASSWORD },
  ],
  ['/api/currency/deposit/cancel', { id: ID, password: FUND }, { id: REQUIRED, ...PASSWORD }],
  ['/api/c2c_send', AD, OF_AD],
  ...['c2c/back_send', 'c2c/do_legal_deal', 'c2c/user_legal_pay', 'c2c/user_legal_pay_cancel'].map((call): Row => [
    `/api/${call}`,
    { id: ID, password: FUND },
    { id: REQUIRED, ...PASSWORD },
  ]),
  ...['legal_deal_sure', 'legal_deal_user_sure'].map((call): Row => [
    `/api/c2c/${call}`,
    { id: ID, password: FUND },
    { id: REQUIRED, ...PASSWORD },
  ]),
  ['/api/c2c/appeal', { id: ID, reason: 'nothing has come so far' }, { id: REQUIRED, reason: REQUIRED }],
  ['/api/legal/do_deal', { id: ID, number: '1', password: FUND }, { id: REQUIRED, ...PASSWORD }],
  ['/api/jc/exchange', { use_number: '1', password: FUND }, { use_number: 'jc.numberRequired', ...PASSWORD }],
  [
    '/api/wallet/change',
    { number: '1', currency_id: 3, from_field: 'change', to_field: 'lever' },
    { number: 'transfer.amountRequired', currency_id: REQUIRED, from_field: REQUIRED, to_field: REQUIRED },
  ],
];
const CASES = ROWS.flatMap(([path, fields, missing]) =>
  Object.entries(missing).map(([field, key]) => [path, field, key, fields] as const),
);

let token: string;
beforeAll(async () => {
  ({ token } = await createMerchant({}));
});

test.each(CASES)('%s without %s answers %s and names the field [FIELDS-009]', async (path, field, key, fields) => {
  for (const value of [undefined, '']) {
    const { body } = await post(path, { ...fields, [field]: value }, { token });
    expect([body.key, body.field]).toEqual([key, field]);
  }
});

test('an amend without an order, and the items of a batch, name missing fields [FIELDS-009]', async () => {
  const amend = await put('/api/coin/order', { target_price: '1' }, { token });
  expect([amend.body.key, amend.body.field]).toEqual([REQUIRED, 'id']);
  const { stop_price: _stop, ...noStop } = PAIR;
  const items = [
    { op: 'oco', ...noStop },
    { op: 'place', ...ORDER, order_type: 'stop_market' },
    { op: 'place', ...ORDER, type: undefined },
  ];
  const { body } = await post('/api/coin/batch', { items: JSON.stringify(items) }, { token });
  const outcomes = body.message as unknown as readonly { key: string; field: string }[];
  expect(outcomes.map(({ key, field }) => [key, field])).toEqual([
    [REQUIRED, 'stop_price'],
    [REQUIRED, 'stop_price'],
    [REQUIRED, 'type'],
  ]);
});
