import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { trimZeros } from '@bourse/money';
import {
  emptyTicket,
  orderFields,
  percentAmount,
  reduceTicket,
  summarizeTicket,
  validateTicket,
  type Side,
  type Ticket,
  type TicketAction,
  type TicketInputs,
  type TicketPair,
} from './ticket.js';
import { acceptTyping, toDecimalText } from '../../../core/ticket/typing.js';

const btc: TicketPair = { priceScale: 2, numberScale: 6, minTotal: '1', takerFee: '0.1', makerFee: '0.1' };
const xrpBtc: TicketPair = { priceScale: 8, numberScale: 4, minTotal: '0.0001', takerFee: '0.1', makerFee: '0.1' };
const inputs: TicketInputs = {
  available: '10000',
  lastPrice: '56637.56',
  opposite: [
    ['56637.56', '0.2'],
    ['56690', '0.3'],
    ['58000', '1'],
  ],
};
const run = (side: Side, actions: readonly TicketAction[], pair = btc): Ticket =>
  actions.reduce((ticket, action) => reduceTicket(ticket, action, pair), emptyTicket(side));

describe('number fields', () => {
  test('take digits, one point and the decimals of the pair; a comma is a point [TICKET-001]', () => {
    expect(acceptTyping('56637,5', 2)).toBe('56637.5');
    expect(acceptTyping(' 0.25\n', 4)).toBe('0.25');
    expect(acceptTyping('.', 2)).toBe('.');
    expect(acceptTyping('0.00002609', 8)).toBe('0.00002609');
    for (const refused of ['1e5', '-1', '+1', '1,234', '1.234', '0x1', '1 000'])
      expect(acceptTyping(refused, 2)).toBeUndefined();
  });

  test('half-typed numbers are completed only when sent [TICKET-001]', () => {
    expect([
      toDecimalText('.5'),
      toDecimalText('5.'),
      toDecimalText('007.10'),
      toDecimalText(''),
      toDecimalText('.'),
    ]).toEqual(['0.5', '5', '7.10', '', '']);
  });
});

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
      { type: 'mode', mode: 'market' },
      { type: 'amount', text: '0.3' },
      { type: 'pick', price: '56637.5' },
    ]);
    expect(ticket).toMatchObject({ mode: 'limit', price: '56637.5', amount: '0.3', total: '16991.25' });
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

  test('a market order takes the best ask as its price [TICKET-005]', () => {
    const ticket = run('buy', [
      { type: 'mode', mode: 'market' },
      { type: 'percent', percent: 25, available: '10000', bestAsk: '56637.56' },
    ]);
    expect(ticket).toMatchObject({ amount: '0.0441', percent: 25, total: '' });
    expect(reduceTicket(ticket, { type: 'amount', text: '1' }, btc).percent).toBe(0);
  });
});

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
          { type: 'stop', on: true },
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
          { type: 'stop', on: true },
          { type: 'stopPrice', text: '10' },
        ]),
      ),
    ).toEqual({ target_price: '9', amount: '2', order_type: 'stop_limit', stop_price: '10' });
  });
});

describe('the figures of the screen are those of the server', () => {
  type Scales = Record<'priceScale' | 'numberScale' | 'baseScale' | 'quoteScale', number>;
  const vectors = JSON.parse(
    readFileSync(new URL('../../../../../../libs/formulas/vectors.json', import.meta.url), 'utf8'),
  ) as {
    spot: (Scales &
      Record<'price' | 'amount' | 'rate' | 'holdOfBuy' | 'proceeds' | 'feeOfBuy' | 'feeOfSell', string>)[];
    walks: (Scales & { levels: [string, string][]; amount: string; cost: string; worst: string })[];
  };
  /** Coins of the screen count in eight decimals. */
  const shown = ({ baseScale, quoteScale }: Scales): boolean => baseScale === 8 && quoteScale === 8;
  const pairOf = ({ priceScale, numberScale }: Scales, rate = '0'): TicketPair => ({
    priceScale,
    numberScale,
    minTotal: '0',
    takerFee: rate,
    makerFee: rate,
  });

  test('total and fee of a limit order [FORMULA-001]', () => {
    const tested = vectors.spot.filter(shown);
    expect(tested.length).toBeGreaterThan(4);
    for (const vector of tested) {
      const pair = pairOf(vector, vector.rate);
      const figures = (side: Side) => {
        const ticket = { ...emptyTicket(side), price: vector.price, amount: vector.amount };
        const { total, fee } = summarizeTicket(ticket, inputs, pair);
        return { total, fee };
      };
      expect({ buy: figures('buy'), sell: figures('sell') }).toEqual({
        buy: { total: trimZeros(vector.holdOfBuy), fee: trimZeros(vector.feeOfBuy) },
        sell: known(vector.proceeds, vector.feeOfSell),
      });
    }
  });

  test('cost of a market order, rounded once over all levels [FORMULA-002]', () => {
    for (const vector of vectors.walks.filter(shown)) {
      const ticket: Ticket = { ...emptyTicket('buy'), mode: 'market', amount: vector.amount };
      const { total, price } = summarizeTicket(ticket, { ...inputs, opposite: vector.levels }, pairOf(vector));
      expect([total, price]).toEqual([vector.worst === '' ? '' : trimZeros(vector.cost), vector.worst]);
    }
  });

  /** An order that brings nothing shows no figures. */
  const known = (total: string, fee: string): { total: string; fee: string } =>
    /[1-9]/.test(total) ? { total: trimZeros(total), fee: trimZeros(fee) } : { total: '', fee: '' };
});
