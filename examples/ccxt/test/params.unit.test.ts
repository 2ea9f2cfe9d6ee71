import { expect, jest, test } from '@jest/globals';
import { inProcess as run } from './in-process.js';

jest.setTimeout(60_000);

/* Parameters of the driver: each has its meaning on the exchange, or the call is refused and nothing is sent. */

/** Wishes that bots have on other exchanges. */
const WISHES = {
  takeProfitPrice: '9',
  stopLoss: { triggerPrice: '1' },
  takeProfit: { triggerPrice: '9' },
  reduceOnly: true,
  test: true,
  cost: '5',
  trigger: true,
  clientOrderIds: ['a'],
  marginMode: 'cross',
  leverage: 2,
  paginate: true,
  order_type: 'market',
  post_only: 1,
  nonsense: undefined,
};

test('every method refuses each parameter that it does not honour, and sends nothing [CLIENT-001]', async () => {
  const told = (await run(`
const { exchange, sent } = await counted();
const methods = Object.keys(exchange.has).filter((name) => exchange.has[name] && typeof exchange[name] === 'function');
told.methods = methods;
told.failed = [];
for (const name of methods) {
  const place = placeOfParams(name);
  for (const [wish, value] of Object.entries(${JSON.stringify(WISHES)}).concat([['nonsense', undefined]])) {
    const args = argumentsOf(name);
    args[place] = { [wish]: value };
    const got = await nameOf(exchange[name](...args));
    if (name === 'cancelOrders' && wish === 'clientOrderIds') sent.splice(0);
    else if (place >= 0 && got === 'NotSupported' && sent.length === 0) continue;
    else told.failed.push([name, wish, got, sent.splice(0)]);
  }
}
`)) as { methods: string[]; failed: unknown[] };
  expect(told.failed).toEqual([]);
  expect(told.methods.length).toBeGreaterThan(45);
  expect(told.methods).toEqual(
    expect.arrayContaining(['createOrder', 'createStopLossOrder', 'cancelAllOrders', 'fetchTickers', 'watchTickers']),
  );
});

test('each class of calls has a queue of its own with the rate of the exchange [CLIENT-040, CLIENT-068]', async () => {
  const told = (await run(`
const { exchange } = await counted();
exchange.enableRateLimit = true;
const rateOf = (name) => exchange.queueOf(name).config.refillRate * 1_000;
const rates = (names) => Object.fromEntries(names.map((name) => [name, rateOf(name)]));
told.rates = rates(['order', 'cancel', 'read', 'public config', 'address']);
exchange.queues = undefined;
exchange.rateLimit = 100;
told.slower = rates(['order', 'address']);
const used = [];
exchange.queueOf = (name) => ({ throttle: async (count) => used.push(name + ' ' + count) });
const resting = ['BTC/USDT', 'limit', 'buy', '1', '2'];
const wish = { symbol: 'BTC/USDT', type: 'limit', side: 'sell', amount: '1', price: '2' };
told.used = {};
for (const [method, args] of [
  ['createOrder', resting],
  ['editOrder', ['7', 'BTC/USDT', 'limit', 'buy', '1', '2']],
  ['cancelOrder', ['7', 'BTC/USDT']],
  ['cancelAllOrders', ['BTC/USDT']],
  ['createOrders', [[wish, wish, wish]]],
  ['cancelOrders', [['7', '8'], 'BTC/USDT', { clientOrderIds: ['mine'] }]],
  ['fetchOpenOrders', ['BTC/USDT']],
  ['fetchOrderBook', ['BTC/USDT']],
]) {
  await exchange[method](...args).catch(() => undefined);
  told.used[method] = [...new Set(used.splice(0))];
}
`)) as { rates: object; slower: object; used: object };
  expect(told.rates).toEqual({ order: 20, cancel: 40, read: 50, 'public config': 20, address: 100 });
  expect(told.slower).toEqual({ order: 10, address: 50 });
  expect(told.used).toEqual({
    createOrder: ['order 1', 'address 1'],
    editOrder: ['order 1', 'address 1'],
    cancelOrder: ['cancel 1', 'address 1'],
    cancelAllOrders: ['cancel 1', 'address 1'],
    // The exchange counts each order.
    createOrders: ['order 3', 'address 1'],
    cancelOrders: ['cancel 3', 'address 1'],
    fetchOpenOrders: ['read 1', 'address 1'],
    fetchOrderBook: ['public transaction/deal 1', 'address 1'],
  });
});

test('a method that is not declared is refused, whatever the options say, and sends nothing [CLIENT-002]', async () => {
  const told = (await run(`
const { exchange, sent } = await counted();
exchange.options.createMarketBuyOrderRequiresPrice = true;
const calls = ['create', 'cancel', 'edit', 'fetch', 'watch', 'unWatch', 'withdraw', 'transfer', 'set', 'add'];
const more = ['reduce', 'borrow', 'repay', 'close'];
const isCall = (name) => [...calls, ...more].some((verb) => name.startsWith(verb));
const methods = Object.keys(exchange.has).filter(
  (name) => !exchange.has[name] && isCall(name) && typeof exchange[name] === 'function',
);
told.count = methods.length;
told.failed = [];
for (const name of methods) {
  const got = await nameOf(exchange[name](...argumentsOf(name)));
  if (got === 'done' || sent.length > 0) told.failed.push([name, got, sent.splice(0)]);
}
told.kinds = [];
const named = ['createMarketBuyOrderWithCost', 'createMarketOrderWithCost', 'createTakeProfitOrder', 'editOrders'];
for (const name of named)
  told.kinds.push(await nameOf(exchange[name](...argumentsOf(name))));
`)) as { count: number; failed: unknown[]; kinds: string[] };
  expect(told.failed).toEqual([]);
  expect(told.count).toBeGreaterThan(80);
  expect(told.kinds).toEqual(Array.from({ length: 4 }, () => 'NotSupported'));
});

const PAIR = { legal_id: '3', currency_id: '1' };
const BASE = { ...PAIR, amount: '1', type: '2' };
test.each([
  ['market', undefined, { stopLossPrice: '3' }, { ...BASE, order_type: 'stop_market', stop_price: '3' }],
  ['market', undefined, { triggerPrice: 3 }, { ...BASE, order_type: 'stop_market', stop_price: '3' }],
  ['limit', '2', { stopPrice: '3' }, { ...BASE, order_type: 'stop_limit', target_price: '2', stop_price: '3' }],
  ...['mark', 'index', 'last'].map(
    (triggerPriceType) =>
      [
        ...(['market', undefined, { triggerPrice: '3', triggerPriceType }] as const),
        {
          ...{ ...BASE, order_type: 'stop_market', stop_price: '3' },
          ...(triggerPriceType !== 'last' && { trigger_by: 'mark' }),
        },
      ] as const,
  ),
  [
    ...(['market', undefined, { trailingPercent: 1.5, trailingTriggerPrice: '3' }] as const),
    { ...BASE, order_type: 'trailing_stop', trail_percent: '1.5', activation_price: '3' },
  ],
  ['market', undefined, { trailingAmount: '2' }, { ...BASE, order_type: 'trailing_stop', trail_amount: '2' }],
  ['limit', '2', { postOnly: true }, { ...BASE, order_type: 'limit', target_price: '2', post_only: '1' }],
  ['limit', '2', { timeInForce: 'PO' }, { ...BASE, order_type: 'limit', target_price: '2', post_only: '1' }],
  ['limit', '2', { timeInForce: 'FOK' }, { ...BASE, order_type: 'limit', target_price: '2', time_in_force: 'FOK' }],
  [
    'limit',
    '2',
    { postOnly: false, timeInForce: 'IOC', clientOrderId: 'mine', stp: 'cancel_both' },
    {
      ...{ ...BASE, order_type: 'limit', target_price: '2', time_in_force: 'IOC' },
      ...{ client_order_id: 'mine', stp: 'cancel_both' },
    },
  ],
])(
  'a %s order with a price of %s and %j is sent as what it means [CLIENT-003]',
  async (type, price, params, fields) => {
    const args = JSON.stringify(['BTC/USDT', type, 'sell', '1', price ?? null, params]);
    expect(
      await run(`
const { exchange, sent } = await counted();
await exchange.createOrder(...${args});
told.sent = sent;
`),
    ).toEqual({ sent: [['POST', 'coin/trade', fields]] });
  },
);

test('a change, a batch and a cancel of several orders have the fields of their calls [CLIENT-130]', async () => {
  expect(
    await run(`
const { exchange, sent } = await counted();
await exchange.editOrder('7', 'BTC/USDT', 'limit', 'buy', '2', '3');
await exchange.editOrder(undefined, 'BTC/USDT', 'limit', 'buy', undefined, '3', { clientOrderId: 'mine' });
const wanted = { symbol: 'BTC/USDT', type: 'limit', side: 'sell', amount: '1', price: '2' };
await exchange.createOrders([{ ...wanted, params: { postOnly: true } }, wanted]);
await exchange.cancelOrders(['7', '8'], 'BTC/USDT', { clientOrderIds: ['mine'] });
told.sent = sent.splice(0);
told.refused = [
  await nameOf(exchange.editOrder('7', 'BTC/USDT', 'limit', 'buy')),
  await nameOf(exchange.editOrder('7', 'BTC/USDT', 'market', 'buy', '1', '2')),
  await nameOf(exchange.editOrder('7', 'BTC/USDT', 'limit', 'buy', '-1')),
  await nameOf(exchange.createOrders([{ ...wanted, params: { reduceOnly: true } }])),
];
told.unsent = sent;
`),
  ).toEqual({
    sent: [
      ['PUT', 'coin/order', { id: '7', amount: '2', target_price: '3' }],
      ['PUT', 'coin/order', { client_order_id: 'mine', target_price: '3' }],
      [
        'POST',
        'coin/batch',
        {
          items: JSON.stringify([
            {
              op: 'place',
              legal_id: '3',
              currency_id: '1',
              type: 2,
              order_type: 'limit',
              amount: '1',
              target_price: '2',
              post_only: 1,
            },
            {
              op: 'place',
              legal_id: '3',
              currency_id: '1',
              type: 2,
              order_type: 'limit',
              amount: '1',
              target_price: '2',
            },
          ]),
        },
      ],
      ['POST', 'coin/cancel', { ids: '7,8', client_order_ids: 'mine' }],
    ],
    refused: ['ArgumentsRequired', 'InvalidOrder', 'InvalidOrder', 'NotSupported'],
    unsent: [],
  });
});

test('orders that have ended fail no cancel of several, one that may still be open does [CLIENT-064]', async () => {
  expect(
    await run(`
const { exchange } = await counted();
const refused = (key) => ({ type: 'error', key, id: '8' });
const tried = async (...outcomes) => {
  exchange.fetch = () => Promise.resolve({ type: 'ok', message: [{ type: 'ok', order: orderRow(7, 1) }, ...outcomes] });
  const ended = await exchange.cancelOrders(['7', '8'], 'BTC/USDT').catch((error) => error);
  return ended instanceof Error
    ? [ended.constructor.name, ended.message.includes('"8"'), ended.idempotencyKey?.length]
    : ended.map(({ id }) => id);
};
told.ended = await tried(refused('trade.notOpen'), refused('common.notFound'));
told.open = await tried(refused('trade.notOpen'), refused('common.unavailable'));
told.other = await tried(refused('some.other'));
`),
  ).toEqual({ ended: ['7'], open: ['ExchangeNotAvailable', true, 22], other: ['ExchangeError', true, 22] });
});

test('a stop without its price, and contradictory parameters, are refused unsent [CLIENT-003]', async () => {
  expect(
    await run(`
const { exchange, sent } = await counted();
const sell = (params, type = 'market', side = 'sell', amount = '1', price = undefined) =>
  nameOf(exchange.createOrder('BTC/USDT', type, side, amount, price, params));
told.stops = [
  await sell({ stopLossPrice: undefined }),
  await sell({ triggerPrice: null }),
  await sell({ stopPrice: Number.NaN }),
  await sell({ stopPrice: '' }),
  await sell({ stopLossPrice: 0 }),
  await sell({ stopLossPrice: { price: '1' } }),
  await sell({ trailingPercent: undefined }),
  await nameOf(exchange.createStopMarketOrder('BTC/USDT', 'sell', '1', undefined)),
  await nameOf(exchange.createStopLimitOrder('BTC/USDT', 'sell', '1', '2', undefined)),
  await nameOf(exchange.createStopLossOrder('BTC/USDT', 'market', 'sell', '1')),
];
told.two = [
  await sell({ stopPrice: '3', stopLossPrice: '3' }),
  await sell({ trailingPercent: '1', trailingAmount: '3' }),
  await sell({ trailingTriggerPrice: '3' }),
  await sell({ trailingPercent: '1', stopPrice: '3' }),
  await sell({ trailingPercent: '1' }, 'limit', 'sell', '1', '2'),
  await sell({ timeInForce: 'PO', postOnly: false }, 'limit', 'sell', '1', '2'),
];
told.values = [
  await sell({ timeInForce: 'GTD' }),
  await sell({ stp: 'EXPIRE_MAKER' }),
  await sell({ postOnly: 'false' }),
  await sell({ clientOrderId: 7 }),
  await sell(['postOnly']),
];
told.orders = [
  await sell({}, 'market', 'SELL'),
  await sell({}, 'market', 'short'),
  await sell({}, 'stop'),
  await sell({}, 'limit'),
  await sell({}, 'limit', 'sell', '1', null),
  await sell({}, 'limit', 'sell', '1', Number.NaN),
  await sell({}, 'market', 'sell', null),
  await sell({}, 'market', 'sell', -1),
];
told.accounts = [
  await nameOf(exchange.fetchBalance({ type: 'swap' })),
  await nameOf(exchange.cancelAllOrders('BTC/USDT', { side: 'both' })),
  await nameOf(exchange.cancelOrder('', 'BTC/USDT')),
  await nameOf(exchange.fetchOrder(undefined)),
  await nameOf(exchange.fetchOrderTrades('')),
];
told.sent = sent;
`),
  ).toEqual({
    stops: [
      ...['ArgumentsRequired', 'ArgumentsRequired', 'BadRequest', 'BadRequest', 'BadRequest', 'BadRequest'],
      ...['ArgumentsRequired', 'ArgumentsRequired', 'ArgumentsRequired', 'ArgumentsRequired'],
    ],
    two: Array.from({ length: 6 }, () => 'InvalidOrder'),
    values: ['NotSupported', 'NotSupported', 'BadRequest', 'BadRequest', 'BadRequest'],
    orders: [
      ...['InvalidOrder', 'InvalidOrder', 'InvalidOrder', 'ArgumentsRequired', 'ArgumentsRequired'],
      ...['InvalidOrder', 'ArgumentsRequired', 'InvalidOrder'],
    ],
    accounts: ['NotSupported', 'NotSupported', 'ArgumentsRequired', 'ArgumentsRequired', 'ArgumentsRequired'],
    sent: [],
  });
});

test('a cancel ends only the named pair and side, or the order by either name [CLIENT-004]', async () => {
  expect(
    await run(`
const { exchange, sent } = await counted();
const ended = await exchange.cancelAllOrders('BTC/USDT', { side: 'sell' });
told.ended = ended.map(({ id, status, symbol, side }) => [id, status, symbol, side]);
await exchange.cancelAllOrders('ETH/USDT');
await exchange.cancelAllOrders();
await exchange.cancelOrder('7', 'BTC/USDT');
await exchange.cancelOrder(undefined, undefined, { clientOrderId: 'mine' });
await exchange.cancelOrderWithClientOrderId('mine');
told.sent = sent;
`),
  ).toEqual({
    ended: [['1', 'canceled', 'BTC/USDT', 'sell']],
    sent: [
      ['POST', 'coin/cancel_all', { ...PAIR, type: '2' }],
      ['POST', 'coin/cancel_all', { legal_id: '3', currency_id: '2' }],
      ['POST', 'coin/cancel_all', {}],
      ['PUT', 'coin/trade', { id: '7' }],
      ['PUT', 'coin/trade', { client_order_id: 'mine' }],
      ['PUT', 'coin/trade', { client_order_id: 'mine' }],
    ],
  });
});

test.each([
  ['apikey.signature', { reason: 'key' }, 'AuthenticationError'],
  ['apikey.signature', { reason: 'signature' }, 'AuthenticationError'],
  ['apikey.signature', undefined, 'AuthenticationError'],
  ['apikey.signature', { reason: 'time' }, 'InvalidNonce'],
  ['apikey.signature', { reason: 'replay' }, 'InvalidNonce'],
  ['common.forbidden', undefined, 'PermissionDenied'],
  ['auth.frozen', undefined, 'AccountSuspended'],
  ['balance.insufficient', undefined, 'InsufficientFunds'],
  ['trade.stopPrice', undefined, 'InvalidOrder'],
  ['trade.flags', { field: 'stop_price' }, 'InvalidOrder'],
  ['quantity.rule', { min: '1' }, 'InvalidOrder'],
  ['common.notFound', undefined, 'OrderNotFound'],
  ['pair.delisted', undefined, 'BadSymbol'],
  ['common.fieldInvalid', { field: 'from' }, 'BadRequest'],
  ['common.tooMany', undefined, 'RateLimitExceeded'],
  ['market.paused', undefined, 'MarketClosed'],
  ['some.other', undefined, 'ExchangeError'],
])('a refusal by %s %j is the error that bots know [CLIENT-005]', async (key, params, name) => {
  const refusal = JSON.stringify({ type: 'error', key, message: 'No', params });
  expect(
    await run(`
const { exchange } = await counted();
const refusal = ${refusal};
exchange.fetch = () => Promise.resolve(exchange.handleErrors(401, '', '', '', {}, JSON.stringify(refusal), refusal));
told.read = await nameOf(exchange.fetchBalance());
const named = { idempotencyKey: 'mine-1234' };
told.ordered = await nameOf(exchange.createOrder('BTC/USDT', 'market', 'buy', '1', undefined, named));
`),
  ).toEqual({ read: name, ordered: name });
});

test('a command overtakes no earlier one of the same order, in whatever queue or try [CLIENT-069]', async () => {
  expect(
    await run(`
const { exchange, begun, end, fail } = await slow();
const cancelled = (clientOrderId) => exchange.cancelOrder(undefined, 'BTC/USDT', { clientOrderId });
const placed = (clientOrderId, symbol = 'BTC/USDT') =>
  exchange.createOrder(symbol, 'limit', 'buy', 1, 2, { clientOrderId });
const calls = [
  placed('a'),
  cancelled('a'),
  cancelled('b'),
  exchange.editOrderWs('7', 'BTC/USDT', 'limit', 'buy', 1, 3),
  exchange.cancelOrder('7', 'BTC/USDT'),
];
told.first = await begun();
exchange.sleep = () => Promise.resolve();
fail('POST coin/trade a', new errors.NetworkError('lost'));
told.retried = await begun();
end('POST coin/trade a');
told.cancelled = await begun();
end('order.amend 7');
told.byId = await begun();
for (const name of ['PUT coin/trade a', 'PUT coin/trade b', 'PUT coin/trade 7']) end(name);
await Promise.all(calls);
const mass = [placed('c'), placed('d', 'ETH/USDT'), exchange.cancelAllOrders('BTC/USDT')];
const more = [...mass, placed('e'), placed('f', 'ETH/USDT')];
told.mass = await begun();
end('POST coin/trade c');
told.massBegun = await begun();
end('POST coin/cancel_all 3');
told.behind = await begun();
for (const name of ['d', 'e', 'f']) end('POST coin/trade ' + name);
await Promise.all(more);
told.kept = exchange.commands.size;
`),
  ).toEqual({
    first: ['POST coin/trade a', 'PUT coin/trade b', 'order.amend 7'],
    retried: ['POST coin/trade a'],
    cancelled: ['PUT coin/trade a'],
    byId: ['PUT coin/trade 7'],
    mass: ['POST coin/trade c', 'POST coin/trade d', 'POST coin/trade f'],
    massBegun: ['POST coin/cancel_all 3'],
    behind: ['POST coin/trade e'],
    kept: 0,
  });
});

test('a command that waits while the socket is closed opens no new one; a later call does [CLIENT-070]', async () => {
  expect(
    await run(`
const { exchange, state, begun, end } = await slow();
const keyed = (clientOrderId) => ({ clientOrderId, idempotencyKey: 'key-' + clientOrderId });
const placed = (name) => exchange.createOrderWs('BTC/USDT', 'limit', 'buy', 1, 2, keyed(name));
const failed = (call) => call.then(() => 'answered', (error) => [error.constructor.name, error.idempotencyKey]);
const orders = [placed('a'), placed('a')];
const cancel = exchange.cancelOrderWs(undefined, 'BTC/USDT', { ...keyed('a'), idempotencyKey: 'key-c' });
const calls = [...orders, cancel].map(failed);
told.sent = await begun();
await exchange.close();
told.failed = await Promise.all(calls);
told.sentAfter = await begun();
told.sockets = state.sockets;
const later = placed('b');
await begun();
end('order.place b');
told.later = (await later).id;
told.reopened = state.sockets;
`),
  ).toEqual({
    sent: ['order.place a'],
    failed: [
      ['ExchangeClosedByUser', 'key-a'],
      ['ExchangeClosedByUser', 'key-a'],
      ['ExchangeClosedByUser', 'key-c'],
    ],
    sentAfter: [],
    sockets: 1,
    later: '1',
    reopened: 2,
  });
});
