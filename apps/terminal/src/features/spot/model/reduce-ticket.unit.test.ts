import { describe, expect, test } from '@jest/globals';
import { toUnits } from '@bourse/money';
import { percentAmount, reduceTicket } from './reduce-ticket.js';
import { validateTicket } from './validate-ticket.js';
import { summarizeTicket } from './summarize-ticket.js';
import { kindOfTab, tabOf, type Ticket, type TicketAction, type TicketPair } from './ticket.js';
import { btc, inputs, run } from './ticket-samples.js';

const xrpBtc: TicketPair = {
  priceScale: 8,
  numberScale: 4,
  minTotal: '0.0001',
  takerFee: '0.1',
  makerFee: '0.1',
  marketBand: '5',
};

describe('price, amount and total are one system', () => {
  test('the last edited field wins [TICKET-002]', () => {
    const byAmount = run('buy', [
      { type: 'price', text: '56700' },
      { type: 'amount', text: '0.5' },
    ]);
    expect(byAmount.total).toBe('28350');
    const byTotal = reduceTicket(byAmount, { type: 'total', text: '1000' }, btc);
    expect(byTotal).toMatchObject({ total: '1000', amount: '0.017636' });
    expect(reduceTicket(byTotal, { type: 'price', text: '50000' }, btc)).toMatchObject({
      total: '1000',
      amount: '0.02',
    });
    expect(reduceTicket(byAmount, { type: 'price', text: '50000' }, btc)).toMatchObject({
      amount: '0.5',
      total: '25000',
    });
  });

  test('typing is never rewritten, and a refused change leaves everything [TICKET-002]', () => {
    const ticket = run('buy', [{ type: 'price', text: '56700.' }]);
    expect(ticket.price).toBe('56700.');
    expect(reduceTicket(ticket, { type: 'price', text: '56700.123' }, btc)).toBe(ticket);
  });

  test('an accepted order empties amount and total, and keeps price and mode [TICKET-011]', () => {
    const sent = run('buy', [{ type: 'price', text: '56700' }, { type: 'amount', text: '0.5' }, { type: 'reset' }]);
    expect(sent).toMatchObject({ price: '56700', amount: '', total: '', kind: 'limit', side: 'buy' });
  });

  test('the last price is a first suggestion: it fills an empty field, never a typed one [TICKET-010]', () => {
    expect(run('buy', [{ type: 'suggest', text: '56637.5600' }]).price).toBe('56637.56');
    expect(
      run('buy', [
        { type: 'price', text: '50000' },
        { type: 'suggest', text: '56637.56' },
      ]).price,
    ).toBe('50000');
    expect(run('buy', [{ type: 'suggest', text: '0' }]).price).toBe('');
  });

  test('arrow keys move one tick, never below zero [TICKET-003]', () => {
    expect(
      run('buy', [
        { type: 'price', text: '56700' },
        { type: 'step', field: 'price', ticks: -1 },
      ]).price,
    ).toBe('56699.99');
    expect(run('sell', [{ type: 'step', field: 'amount', ticks: -10 }]).amount).toBe('0.000000');
  });

  test('a pair of eight decimals can be typed and computed [TICKET-002]', () => {
    const ticket = run(
      'buy',
      [
        { type: 'price', text: '0.00002609' },
        { type: 'amount', text: '1000.5' },
      ],
      xrpBtc,
    );
    expect(ticket.total).toBe('0.02610305');
  });

  test('a price from the book means a limit order at that price, with the amount kept [TICKET-004]', () => {
    const ticket = run('buy', [
      { type: 'kind', kind: 'market' },
      { type: 'amount', text: '0.3' },
      { type: 'pick', price: '56637.5' },
    ]);
    expect(ticket).toMatchObject({ kind: 'limit', price: '56637.5', amount: '0.3', total: '16991.25' });
    expect(reduceTicket(ticket, { type: 'pick', price: '56600', amount: '0.4500001' }, btc)).toMatchObject({
      amount: '0.450000',
      price: '56600',
    });
  });
});

describe('percent', () => {
  test('follows the rule`s example, down to four decimals [TICKET-005]', () => {
    expect(percentAmount({ side: 'buy', percent: 25, available: '10000', price: '56637.56', numberScale: 6 })).toBe(
      '0.0441',
    );
    expect(percentAmount({ side: 'sell', percent: 75, available: '1.23456789', price: '', numberScale: 6 })).toBe(
      '0.9259',
    );
    expect(percentAmount({ side: 'buy', percent: 50, available: '10000', price: '', numberScale: 6 })).toBe('');
    expect(percentAmount({ side: 'sell', percent: 100, available: '0.00001', price: '', numberScale: 6 })).toBe('0');
  });

  test('a market buy takes what that share buys in the asks, which the balance then pays [TICKET-005]', () => {
    const asks = [
      ['56637.56', '0.03'],
      ['60000', '1'],
    ] as const;
    const market = run('buy', [{ type: 'kind', kind: 'market' }]);
    const buy = (percent: 25 | 100, levels: typeof asks | readonly []) =>
      reduceTicket(market, { type: 'percent', percent, available: '10000', lastPrice: '' }, btc, levels);
    expect(buy(25, [])).toMatchObject({ amount: '', percent: 25 });
    const quarter = buy(25, asks);
    // 0.03 × 56,637.56 = 1,699.1268; the rest of 2,500 buys 0.013347 at 60,000.
    expect(quarter).toMatchObject({ amount: '0.0433', percent: 25, total: '' });
    expect(reduceTicket(quarter, { type: 'amount', text: '1' }, btc).percent).toBe(0);
    for (const available of ['10000', '10000.01', '1699.1268', '1700', '59999.99'])
      for (const percent of [25, 50, 75, 100] as const) {
        const ticket = reduceTicket(market, { type: 'percent', percent, available, lastPrice: '' }, btc, asks);
        const inputs = { pair: btc, available, lastPrice: '56637.56', opposite: asks };
        expect(validateTicket(ticket, inputs, btc)).toBeUndefined();
      }
  });
});

test('the percent of a buy is forgotten once its price changes, that of a sale stays [TICKET-029]', () => {
  const chosen = (side: 'buy' | 'sell', kind: Ticket['kind']) =>
    run(side, [
      { type: 'kind', kind },
      { type: 'price', text: '50000' },
      { type: 'percent', percent: 50, available: '10000', lastPrice: '50000' },
    ]);
  const changes: readonly (readonly [Ticket['kind'], TicketAction])[] = [
    ['limit', { type: 'price', text: '25000' }],
    ['limit', { type: 'step', field: 'price', ticks: 10 }],
    ['limit', { type: 'pick', price: '25000' }],
    ['limit', { type: 'kind', kind: 'market' }],
    ['stop_market', { type: 'stopPrice', text: '60000' }],
    ['oco', { type: 'stopLimit', text: '60000' }],
    ['trailing_stop', { type: 'activation', text: '40000' }],
    ['trailing_stop', { type: 'trailBy', trailBy: 'amount' }],
  ];
  for (const [kind, change] of changes) {
    const [buy, sale] = [chosen('buy', kind), chosen('sell', kind)];
    expect([buy.percent, reduceTicket(buy, change, btc).percent]).toEqual([50, 0]);
    expect(reduceTicket(sale, change, btc)).toMatchObject({ percent: 50, amount: sale.amount });
  }
  const kept: readonly TicketAction[] = [
    { type: 'price', text: 'x' },
    { type: 'kind', kind: 'limit' },
    { type: 'takeProfit', text: '60000' },
    { type: 'step', field: 'takeProfit', ticks: 1 },
    { type: 'postOnly', on: true },
  ];
  for (const change of kept) expect(reduceTicket(chosen('buy', 'limit'), change, btc).percent).toBe(50);
});

describe('a market order by its total', () => {
  const byTotal = (total: string, opposite = inputs.opposite) =>
    reduceTicket(run('buy', [{ type: 'kind', kind: 'market' }]), { type: 'total', text: total }, btc, opposite);

  test('has the largest amount that the total pays in the shown levels, never more [TICKET-022]', () => {
    // 0.2 at 56,637.56 cost 11,327.512; what is left of 12,000 buys at 56,690.
    expect(byTotal('12000')).toMatchObject({ total: '12000', amount: '0.211862', driver: 'total' });
    for (const total of ['1', '11327.512', '11327.513', '28334.512', '28335', '999999'])
      expect(toUnits(summarizeTicket(byTotal(total), inputs, btc).total, 8) <= toUnits(total, 8)).toBe(true);
    expect(byTotal('11327.512').amount).toBe('0.2');
    // The shown book has 1.5 in all.
    expect(byTotal('999999').amount).toBe('1.5');
    expect(byTotal('100', []).amount).toBe('');
  });

  test('takes its amount from the book at the press of the button [TICKET-022]', () => {
    const typed = byTotal('1000');
    const dearer = [['60000', '1']] as const;
    expect(reduceTicket(typed, { type: 'settle' }, btc, dearer)).toMatchObject({ amount: '0.016666', total: '1000' });
    const limit = run('buy', [
      { type: 'price', text: '50000' },
      { type: 'total', text: '1000' },
    ]);
    expect(reduceTicket(limit, { type: 'settle' }, btc, dearer)).toBe(limit);
  });

  test('a typed amount replaces the total [TICKET-022]', () => {
    expect(reduceTicket(byTotal('1000'), { type: 'amount', text: '0.5' }, btc)).toMatchObject({
      amount: '0.5',
      total: '',
      driver: 'amount',
    });
  });
});

test('post-only and a short time in force exclude each other [TICKET-023]', () => {
  const postOnly = run('buy', [{ type: 'postOnly', on: true }]);
  expect(reduceTicket(postOnly, { type: 'timeInForce', timeInForce: 'IOC' }, btc)).toMatchObject({
    timeInForce: 'IOC',
    postOnly: false,
  });
  const ioc = run('buy', [{ type: 'timeInForce', timeInForce: 'FOK' }]);
  expect(reduceTicket(ioc, { type: 'postOnly', on: true }, btc)).toMatchObject({ timeInForce: 'GTC', postOnly: true });
  expect(reduceTicket(postOnly, { type: 'reset' }, btc).postOnly).toBe(true);
});

test('tabs choose the kind; leaving a stop or a trailing stop forgets its fields [TICKET-023]', () => {
  const stop = run('sell', [
    { type: 'kind', kind: kindOfTab('stop', { kind: 'limit' }) },
    { type: 'stopPrice', text: '50000' },
    { type: 'kind', kind: 'stop_market' },
  ]);
  expect([tabOf(stop), stop.kind, stop.stopPrice]).toEqual(['stop', 'stop_market', '50000']);
  const limit = reduceTicket(stop, { type: 'kind', kind: kindOfTab('limit', stop) }, btc);
  expect([tabOf(limit), limit.kind, limit.stopPrice]).toEqual(['limit', 'limit', '']);
  // From a market order the stop is one that runs as a market order.
  expect(kindOfTab('stop', { kind: 'market' })).toBe('stop_market');
  const trailing = run('sell', [
    { type: 'kind', kind: kindOfTab('trailing', limit) },
    { type: 'trail', text: '1.25' },
    { type: 'step', field: 'trail', ticks: 1 },
    { type: 'activation', text: '60000' },
  ]);
  expect(trailing).toMatchObject({ kind: 'trailing_stop', trail: '1.26', trailBy: 'percent', activation: '60000' });
  expect(reduceTicket(trailing, { type: 'trail', text: '1.255' }, btc)).toBe(trailing);
  const byAmount = reduceTicket(trailing, { type: 'trailBy', trailBy: 'amount' }, btc);
  expect([byAmount.trail, byAmount.trailBy]).toEqual(['', 'amount']);
  const left = reduceTicket(trailing, { type: 'kind', kind: 'market' }, btc);
  expect([left.trail, left.activation]).toEqual(['', '']);
});

test('the percent of a buy that waits counts the price that is held, of a pair the dearer one [TICKET-005]', () => {
  const whole = { type: 'percent', percent: 100, available: '10000', lastPrice: '50000' } as const;
  const amountOf = (...actions: Parameters<typeof run>[1]): string => run('buy', [...actions, whole]).amount;
  const pair = [
    { type: 'kind', kind: 'oco' },
    { type: 'price', text: '40000' },
    { type: 'stopPrice', text: '60000' },
  ] as const;
  // 60,000 and the band of 5 % above it; with a limit, that one.
  expect(amountOf(...pair)).toBe('0.1587');
  expect(amountOf(...pair, { type: 'stopLimit', text: '61000' })).toBe('0.1639');
  expect(amountOf({ type: 'kind', kind: 'stop_market' }, { type: 'stopPrice', text: '60000' })).toBe('0.1587');
  // 50,000 and 2 %, or the activation price and 2 %, and the band.
  const trailing = [
    { type: 'kind', kind: 'trailing_stop' },
    { type: 'trail', text: '2' },
  ] as const;
  expect(amountOf(...trailing)).toBe('0.1867');
  expect(amountOf(...trailing, { type: 'activation', text: '40000' })).toBe('0.2334');
});
