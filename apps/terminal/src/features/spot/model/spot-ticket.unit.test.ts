import { describe, expect, test } from '@jest/globals';
import { reduceTicket } from './reduce-ticket.js';
import { orderFields, SPOT_TICKET } from './spot-ticket.js';
import { ownRate } from '../../../core/own-rate.js';
import { summarizeTicket } from './summarize-ticket.js';
import { emptyTicket, type Ticket } from './ticket.js';
import { btc, inputs, run } from './ticket-samples.js';
import { validateTicket } from './validate-ticket.js';

describe('what is told before sending', () => {
  test('total and fee of a limit order [TICKET-006]', () => {
    const buy = run('buy', [
      { type: 'price', text: '56700' },
      { type: 'amount', text: '0.5' },
    ]);
    expect(summarizeTicket(buy, inputs, btc)).toMatchObject({
      total: '28350',
      fee: '0.0005',
      gapPercent: '0.11',
      mustConfirm: '',
    });
    const sell = run('sell', [
      { type: 'price', text: '56700' },
      { type: 'amount', text: '0.5' },
    ]);
    expect(summarizeTicket(sell, inputs, btc).fee).toBe('28.35');
  });

  test('the fee is that of the fee level, rounded up as at the server [TICKET-032]', () => {
    const sell = run('sell', [
      { type: 'price', text: '56700' },
      { type: 'amount', text: '0.5' },
    ]);
    const feeAt = (rate: string, part?: string): string =>
      summarizeTicket(sell, inputs, { ...btc, takerFee: ownRate(rate, part) }).fee;
    expect([feeAt('0.1', '95'), feeAt('0.1', '0'), feeAt('0.1')]).toEqual(['26.9325', '0', '28.35']);
    expect(ownRate('0.000001', '1')).toBe('0.000001');
  });

  test('a market order is walked through the book shown [TICKET-006]', () => {
    const ticket = run('buy', [
      { type: 'kind', kind: 'market' },
      { type: 'amount', text: '0.5' },
    ]);
    expect(summarizeTicket(ticket, inputs, btc)).toMatchObject({
      total: '28334.512',
      meanPrice: '56669.02',
      gapPercent: '0.09',
      mustConfirm: 'market',
    });
  });

  test('a far price and a market order that moves the price are spelled out and cannot be skipped [TICKET-007]', () => {
    const far = run('buy', [
      { type: 'price', text: '60000' },
      { type: 'amount', text: '0.01' },
    ]);
    expect(summarizeTicket(far, inputs, btc)).toMatchObject({ gapPercent: '5.94', mustConfirm: 'farPrice' });
    const near = run('buy', [
      { type: 'price', text: '59000' },
      { type: 'amount', text: '0.01' },
    ]);
    expect(summarizeTicket(near, inputs, btc).mustConfirm).toBe('');
    const big = run('buy', [
      { type: 'kind', kind: 'market' },
      { type: 'amount', text: '1' },
    ]);
    expect(summarizeTicket(big, inputs, btc)).toMatchObject({ gapPercent: '2.41', mustConfirm: 'movesPrice' });
  });

  test('an armed key sends a market order without a question, but not one that moves the price [TICKET-021]', () => {
    const order = (amount: string): Ticket =>
      run('buy', [
        { type: 'kind', kind: 'market' },
        { type: 'amount', text: amount },
      ]);
    const rich = { ...inputs, available: '1000000', pair: btc };
    const press = (ticket: Ticket, armed: boolean): string => SPOT_TICKET.press(ticket, rich, false, armed).kind;
    expect([press(order('0.5'), false), press(order('0.5'), true), press(order('1'), true)]).toEqual([
      'confirm',
      'send',
      'confirm',
    ]);
    const limit = (price: string): Ticket =>
      run('buy', [
        { type: 'price', text: price },
        { type: 'amount', text: '0.01' },
      ]);
    expect([press(limit('59000'), false), press(limit('59000'), true), press(limit('60000'), true)]).toEqual([
      'confirm',
      'send',
      'confirm',
    ]);
    expect(press(limit(''), true)).toBe('fault');
  });

  test('faults come in the order of the rules, each with its key [TICKET-008]', () => {
    expect(validateTicket(emptyTicket('buy'), inputs, btc)).toEqual({ field: 'price', key: 'cuy.pbPrice' });
    expect(validateTicket(emptyTicket('sell'), inputs, btc)).toEqual({ field: 'price', key: 'cuy.psPrice' });
    expect(
      validateTicket(
        run('buy', [
          { type: 'price', text: '100' },
          { type: 'amount', text: '0' },
        ]),
        inputs,
        btc,
      )?.key,
    ).toBe('cuy.pbNum');
    expect(validateTicket(run('sell', [{ type: 'kind', kind: 'market' }]), inputs, btc)?.key).toBe('cuy.psNum');
    expect(
      validateTicket(
        run('buy', [
          { type: 'price', text: '100' },
          { type: 'amount', text: '0.001' },
        ]),
        inputs,
        btc,
      ),
    ).toMatchObject({ key: 'quantity.ruleMin', params: { min: '1' } });
    expect(
      validateTicket(
        run('buy', [
          { type: 'price', text: '56637.56' },
          { type: 'amount', text: '1' },
        ]),
        inputs,
        btc,
      )?.key,
    ).toBe('balance.insufficient');
    // A balance that has not arrived yet is not a balance of nothing.
    expect(
      validateTicket(
        run('buy', [
          { type: 'price', text: '56637.56' },
          { type: 'amount', text: '1' },
        ]),
        { ...inputs, available: undefined },
        btc,
      ),
    ).toBeUndefined();
    expect(
      validateTicket(
        run('sell', [
          { type: 'price', text: '56637.56' },
          { type: 'amount', text: '1' },
        ]),
        { ...inputs, available: '1' },
        btc,
      ),
    ).toBeUndefined();
    expect(
      validateTicket(
        run('buy', [
          { type: 'kind', kind: 'market' },
          { type: 'amount', text: '1' },
        ]),
        { ...inputs, opposite: [] },
        btc,
      )?.key,
    ).toBe('trade.bookEmpty');
    expect(
      validateTicket(
        run('buy', [
          { type: 'price', text: '100' },
          { type: 'amount', text: '1' },
          { type: 'kind', kind: 'stop_limit' },
        ]),
        inputs,
        btc,
      )?.key,
    ).toBe('trade.stopRequired');
  });

  test('the order is sent as typed; a market order without a price [TICKET-009]', () => {
    expect(
      orderFields(
        run('buy', [
          { type: 'price', text: '56700.' },
          { type: 'amount', text: '.5' },
        ]),
      ),
    ).toEqual({ target_price: '56700', amount: '0.5', order_type: 'limit' });
    expect(
      orderFields(
        run('sell', [
          { type: 'kind', kind: 'market' },
          { type: 'amount', text: '2' },
        ]),
      ),
    ).toEqual({ amount: '2', order_type: 'market' });
    expect(
      orderFields(
        run('sell', [
          { type: 'price', text: '9' },
          { type: 'amount', text: '2' },
          { type: 'kind', kind: 'stop_limit' },
          { type: 'stopPrice', text: '10' },
        ]),
      ),
    ).toEqual({ target_price: '9', amount: '2', order_type: 'stop_limit', stop_price: '10' });
  });
});

test('only a limit sends time in force and post-only [TICKET-023]', () => {
  const limit = run('buy', [
    { type: 'price', text: '56000' },
    { type: 'amount', text: '0.1' },
    { type: 'timeInForce', timeInForce: 'IOC' },
  ]);
  expect(orderFields(limit)).toEqual({
    target_price: '56000',
    amount: '0.1',
    order_type: 'limit',
    time_in_force: 'IOC',
  });
  const maker = reduceTicket(limit, { type: 'postOnly', on: true }, btc);
  expect(orderFields(maker)).toMatchObject({ order_type: 'limit', post_only: 1 });
  expect(orderFields(maker)).not.toHaveProperty('time_in_force');
  expect(orderFields(reduceTicket(maker, { type: 'kind', kind: 'market' }, btc))).toEqual({
    amount: '0.1',
    order_type: 'market',
  });
});

describe('an OCO pair', () => {
  const pair = (side: 'buy' | 'sell', price: string, stop: string, limit = ''): ReturnType<typeof run> =>
    run(side, [
      { type: 'kind', kind: 'market' },
      { type: 'timeInForce', timeInForce: 'IOC' },
      { type: 'exits', on: true },
      { type: 'takeProfit', text: '1' },
      { type: 'kind', kind: 'oco' },
      { type: 'price', text: price },
      { type: 'amount', text: '0.1' },
      { type: 'stopPrice', text: stop },
      { type: 'stopLimit', text: limit },
    ]);

  test('is sent with its prices and nothing of another kind, and always asks [TICKET-024]', () => {
    const sell = pair('sell', '58000', '55000');
    const fields = { target_price: '58000', amount: '0.1', order_type: 'oco', stop_price: '55000' };
    expect(orderFields(sell)).toEqual(fields);
    expect(orderFields(pair('sell', '58000', '55000', '54900'))).toEqual({ ...fields, stop_limit_price: '54900' });
    expect(summarizeTicket(sell, inputs, btc).mustConfirm).toBe('oco');
    expect(validateTicket(sell, inputs, btc)).toBeUndefined();
    // Another kind of order forgets the stop.
    expect(orderFields(reduceTicket(sell, { type: 'kind', kind: 'limit' }, btc))).not.toHaveProperty('stop_price');
  });

  test('has the last price between its two, and a buy pays for the dearer one [TICKET-025]', () => {
    const fault = (ticket: ReturnType<typeof run>): unknown => {
      const found = validateTicket(ticket, inputs, btc);
      return found && [found.field, found.key];
    };
    expect(fault(pair('sell', '58000', ''))).toEqual(['stopPrice', 'trade.stopRequired']);
    expect(fault(pair('sell', '58000', '56637.56'))).toEqual(['stopPrice', 'trade.stopPrice']);
    expect(fault(pair('sell', '56637.56', '55000'))).toEqual(['price', 'trade.ocoSide']);
    expect(fault(pair('buy', '55000', '55500'))).toEqual(['stopPrice', 'trade.stopPrice']);
    expect(fault(pair('buy', '57000', '58000'))).toEqual(['price', 'trade.ocoSide']);
    expect(fault(pair('buy', '55000', '58000'))).toBeUndefined();
    expect(fault(pair('buy', '55000', '58000', '100001'))).toEqual(['amount', 'balance.insufficient']);
    // Without a limit the stop is held with the band above it.
    expect(fault(pair('buy', '55000', '95238'))).toBeUndefined();
    expect(fault(pair('buy', '55000', '95239'))).toEqual(['amount', 'balance.insufficient']);
  });
});

test('a stop by mark names the mark, and the choice stays after it is sent [TICKET-033]', () => {
  const stop = run('sell', [
    { type: 'kind', kind: 'stop_market' },
    { type: 'stopPrice', text: '55000' },
    { type: 'amount', text: '0.1' },
    { type: 'triggerBy', triggerBy: 'mark' },
  ]);
  const fields = { amount: '0.1', order_type: 'stop_market', stop_price: '55000' };
  expect(orderFields(stop)).toEqual({ ...fields, trigger_by: 'mark' });
  expect(orderFields(reduceTicket(stop, { type: 'triggerBy', triggerBy: 'last' }, btc))).toEqual(fields);
  expect(validateTicket(stop, inputs, btc)).toBeUndefined();
  const sent = reduceTicket(stop, { type: 'reset' }, btc);
  expect([sent.kind, sent.triggerBy, sent.stopPrice]).toEqual(['stop_market', 'mark', '']);
  // Another kind of order has no such choice.
  for (const kind of ['limit', 'oco', 'trailing_stop'] as const)
    expect(orderFields(reduceTicket(stop, { type: 'kind', kind }, btc))).not.toHaveProperty('trigger_by');
});

describe('a trailing stop', () => {
  const trailing = (side: 'buy' | 'sell', trail: string, by: 'percent' | 'amount', activation = '', amount = '0.1') =>
    run(side, [
      { type: 'kind', kind: 'trailing_stop' },
      { type: 'trailBy', trailBy: by },
      { type: 'trail', text: trail },
      { type: 'activation', text: activation },
      { type: 'amount', text: amount },
    ]);

  test('is sent with one trail, and always asks [TICKET-028]', () => {
    const common = { amount: '0.1', order_type: 'trailing_stop' };
    const byPercent = trailing('sell', '1.5', 'percent', '60000');
    expect(orderFields(byPercent)).toEqual({ ...common, trail_percent: '1.5', activation_price: '60000' });
    expect(orderFields(trailing('buy', '250', 'amount'))).toEqual({ ...common, trail_amount: '250' });
    expect(summarizeTicket(byPercent, inputs, btc).mustConfirm).toMatch(/^m/);
  });

  test('has its trail and its activation price within their bounds [TICKET-028]', () => {
    const fault = (ticket: ReturnType<typeof run>): unknown => {
      const found = validateTicket(ticket, inputs, btc);
      return found && [found.field, found.key];
    };
    for (const trail of ['', '0.09', '20.01'])
      expect(fault(trailing('sell', trail, 'percent'))).toEqual(['trail', 'trade.trail']);
    for (const trail of ['0.1', '20']) expect(fault(trailing('sell', trail, 'percent'))).toBeUndefined();
    expect(fault(trailing('sell', '56637.56', 'amount'))).toEqual(['trail', 'trade.trail']);
    expect(fault(trailing('sell', '56637.55', 'amount'))).toBeUndefined();
    expect(fault(trailing('sell', '1', 'percent', '56637.56'))).toEqual(['activation', 'trade.activationPrice']);
    expect(fault(trailing('sell', '1', 'percent', '56637.57'))).toBeUndefined();
    expect(fault(trailing('buy', '1', 'percent', '56637.56'))).toEqual(['activation', 'trade.activationPrice']);
    expect(fault(trailing('buy', '1', 'percent', '50000'))).toBeUndefined();
    // 10,000 pay 50,000 with 1 %, and the band, for less than 0.19.
    expect(fault(trailing('buy', '1', 'percent', '50000', '0.1886'))).toEqual(['amount', 'balance.insufficient']);
    expect(fault(trailing('buy', '1', 'percent', '50000', '0.1885'))).toBeUndefined();
  });
});

describe('exits', () => {
  const order = (side: 'buy' | 'sell', profit: string, loss: string): ReturnType<typeof run> =>
    run(side, [
      { type: 'price', text: '56000' },
      { type: 'amount', text: '0.1' },
      { type: 'exits', on: true },
      { type: 'takeProfit', text: profit },
      { type: 'stopLoss', text: loss },
    ]);

  test('go with a limit and a market order, those that are given; a stop has none [TICKET-024]', () => {
    const both = order('buy', '60000', '50000');
    expect(orderFields(both)).toMatchObject({ order_type: 'limit', take_profit: '60000', stop_loss: '50000' });
    expect(orderFields(order('buy', '60000', ''))).not.toHaveProperty('stop_loss');
    const market = reduceTicket(both, { type: 'kind', kind: 'market' }, btc);
    expect(orderFields(market)).toMatchObject({ order_type: 'market', take_profit: '60000', stop_loss: '50000' });
    expect(orderFields(reduceTicket(both, { type: 'kind', kind: 'stop_limit' }, btc))).not.toHaveProperty(
      'take_profit',
    );
    const off = reduceTicket(both, { type: 'exits', on: false }, btc);
    expect(orderFields(reduceTicket(off, { type: 'exits', on: true }, btc))).not.toHaveProperty('take_profit');
  });

  test('lie on their sides of the price, of a market order of the last one [TICKET-025]', () => {
    const fault = (ticket: ReturnType<typeof run>, balance = '10000'): unknown => {
      const found = validateTicket(ticket, { ...inputs, available: balance }, btc);
      return found && [found.field, found.key];
    };
    expect(fault(order('buy', '', ''))).toEqual(['takeProfit', 'trade.exitRequired']);
    expect(fault(order('buy', '56000', ''))).toEqual(['takeProfit', 'trade.exitSide']);
    expect(fault(order('buy', '', '56000'))).toEqual(['stopLoss', 'trade.exitSide']);
    expect(fault(order('buy', '56500', '55000'))).toBeUndefined();
    expect(fault(order('sell', '57000', ''))).toEqual(['takeProfit', 'trade.exitSide']);
    expect(fault(order('sell', '55000', '55500'))).toEqual(['stopLoss', 'trade.exitSide']);
    const market = reduceTicket(order('buy', '56500', ''), { type: 'kind', kind: 'market' }, btc);
    expect(fault(market)).toEqual(['takeProfit', 'trade.exitSide']);
  });
});
