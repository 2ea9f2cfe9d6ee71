import { describe, expect, test } from '@jest/globals';
import { LEVER_DEAL, LEVER_PAIR } from './lever-samples.js';
import { LEVER_TICKET, emptyLeverTicket, leverFields, offerOf, type LeverTicket } from './lever-ticket.js';
import { accountOf, termsOf } from './offer.js';

const INPUTS = {
  priceScale: 2,
  numberScale: 6,
  terms: termsOf(LEVER_PAIR, LEVER_DEAL, LEVER_DEAL.mark_price, accountOf(LEVER_DEAL.user_lever, [])),
  shareMin: 1,
  shareMax: 1000,
};
const ticket = (more: Partial<LeverTicket>): LeverTicket => ({
  ...emptyLeverTicket('long'),
  multiple: 20,
  share: '10',
  ...more,
});

describe('the leverage ticket', () => {
  test('the preview of the worked example is what the engine does, to the last digit [LEVERUI-001]', () => {
    expect(offerOf(ticket({}), INPUTS)?.figures).toEqual({
      price: '60060.00',
      number: '0.1',
      contract_value: '6006',
      caution_money: '300.3',
      trade_fee: '3.003',
      hazard_rate: '330.00',
      liquidation_price: '53393.33',
      max_share: 27,
    });
  });

  test('faults come in the order of the server’s refusals [LEVERUI-002]', () => {
    const fault = (more: Partial<LeverTicket>) => LEVER_TICKET.validate(ticket(more), INPUTS);
    expect(fault({ multiple: 0, share: '' })?.key).toBe('lever.multipleRequired');
    expect(fault({ mode: 'xtd', share: '' })?.key).toBe('lever.priceRequired');
    expect(fault({ share: '' })?.key).toBe('lever.shareInteger');
    expect(fault({ share: '1001' })).toEqual({ field: 'share', key: 'lever.shareMax', params: { max: '1000' } });
    expect(fault({ mode: 'xtd', price: '60000.01' })?.key).toBe('lever.entrustSide');
    expect(fault({ mode: 'xtd', price: '59999.99' })).toBeUndefined();
    expect(fault({ stopsOn: true, target: '60060.00' })).toEqual({ field: 'target', key: 'lever.stopSide' });
    expect(fault({ stopsOn: true, stop: '53393.33' })).toEqual({
      field: 'stop',
      key: 'lever.stopBeyond',
      params: { limit: '53393.33' },
    });
    expect(fault({ stopsOn: true, stop: '53393.34', target: '60060.01' })).toBeUndefined();
    expect(fault({ share: '28' })).toEqual({ field: 'share', key: 'lever.riskOpen', params: { max: '27' } });
    expect(fault({ share: '40' })?.key).toBe('balance.insufficient');
    expect(fault({ share: '27' })).toBeUndefined();
  });

  test('the slider takes a part of the most hands, and steps never reach zero [LEVERUI-003]', () => {
    const slid = LEVER_TICKET.reduce(ticket({}), { type: 'percent', percent: 50, maxShare: 27n }, INPUTS);
    expect([slid.share, slid.percent]).toEqual(['13', 50]);
    const down = LEVER_TICKET.reduce(ticket({ share: '1' }), { type: 'step', field: 'share', ticks: -1 }, INPUTS);
    expect(down.share).toBe('1');
    const stop = ticket({ stop: '0.01' });
    expect(LEVER_TICKET.reduce(stop, { type: 'step', field: 'stop', ticks: -1 }, INPUTS).stop).toBe('0.01');
    expect(LEVER_TICKET.reduce(ticket({}), { type: 'step', field: 'target', ticks: 1 }, INPUTS).target).toBe(
      '60000.00',
    );
  });

  test('std is sent without a price, xtd with it, stops only while they are on [LEVERUI-004]', () => {
    const stops = { target: '61000', stop: '59000' };
    expect(leverFields(ticket({ ...stops }))).toEqual({ type: 1, status: 1, multiple: 20, share: '10' });
    expect(leverFields(ticket({ mode: 'xtd', price: '59000.', direction: 'short', stopsOn: true, ...stops }))).toEqual({
      type: 2,
      status: 0,
      multiple: 20,
      share: '10',
      target_price: '59000',
      target_profit_price: '61000',
      stop_loss_price: '59000',
    });
    expect(LEVER_TICKET.press(ticket({}), INPUTS, true).kind).toBe('confirm');
    expect(LEVER_TICKET.press(ticket({ mode: 'xtd', price: '59000' }), INPUTS, true).kind).toBe('send');
  });
});
