import { describe, expect, test } from '@jest/globals';
import { reduceTicket } from './reduce-ticket.js';
import { orderFields } from './spot-ticket.js';
import { summarizeTicket } from './summarize-ticket.js';
import { emptyTicket } from './ticket.js';
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

  test('a market order is walked through the book shown [TICKET-006]', () => {
    const ticket = run('buy', [
      { type: 'mode', mode: 'market' },
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
      { type: 'mode', mode: 'market' },
      { type: 'amount', text: '1' },
    ]);
    expect(summarizeTicket(big, inputs, btc)).toMatchObject({ gapPercent: '2.41', mustConfirm: 'movesPrice' });
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
    expect(validateTicket(run('sell', [{ type: 'mode', mode: 'market' }]), inputs, btc)?.key).toBe('cuy.psNum');
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
          { type: 'mode', mode: 'market' },
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
          { type: 'kind', kind: 'stop' },
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
          { type: 'mode', mode: 'market' },
          { type: 'amount', text: '2' },
        ]),
      ),
    ).toEqual({ amount: '2', order_type: 'market' });
    expect(
      orderFields(
        run('sell', [
          { type: 'price', text: '9' },
          { type: 'amount', text: '2' },
          { type: 'kind', kind: 'stop' },
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
