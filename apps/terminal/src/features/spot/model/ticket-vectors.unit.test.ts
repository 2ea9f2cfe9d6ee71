import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { trimZeros } from '@bourse/money';
import { summarizeTicket } from './summarize-ticket.js';
import { emptyTicket, type Side, type Ticket, type TicketPair } from './ticket.js';
import { inputs } from './ticket-samples.js';

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
    marketBand: '5',
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
      const ticket: Ticket = { ...emptyTicket('buy'), kind: 'market', amount: vector.amount };
      const { total, price } = summarizeTicket(ticket, { ...inputs, opposite: vector.levels }, pairOf(vector));
      expect([total, price]).toEqual([vector.worst === '' ? '' : trimZeros(vector.cost), vector.worst]);
    }
  });

  /** An order that brings nothing shows no figures. */
  const known = (total: string, fee: string): { total: string; fee: string } =>
    /[1-9]/.test(total) ? { total: trimZeros(total), fee: trimZeros(fee) } : { total: '', fee: '' };
});
