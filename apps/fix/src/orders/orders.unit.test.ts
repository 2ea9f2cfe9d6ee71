import { describe, expect, test } from '@jest/globals';
import { Message, type Field } from '../protocol/message.js';
import { TAG, TYPE } from '../protocol/tags.js';
import { reportsOf, statusOf, statusReport, type SpotFill, type SpotOrder } from './order.js';
import { SAMPLE_ORDER } from './order-samples.js';
import { amending, cancelReason, checkFields, Malformed, orderReason, placing, refusalText } from './requests.js';

const ORDER: SpotOrder = {
  ...SAMPLE_ORDER,
  id: '7',
  client_order_id: 'a',
  trade_amount: '0.300000000000000001',
  filled_amount: '0.000000000000000000',
  target_price: '123456789012345.67',
};
const FILL: SpotFill = {
  id: 'BTC/USDT-9',
  order_id: '7',
  symbol: 'BTC/USDT',
  type: 1,
  price: '123456789012345.67',
  number: '0.100000000000000000',
  total: '12345678901234.567',
  fee: '0.000100000000000000',
  fee_currency: 'BTC',
  role: 'taker',
  create_time: '2026-11-28 09:00:00',
  ts: 1_795_856_400_000,
};
const PART: SpotOrder = { ...ORDER, filled_amount: FILL.number, trade_price: FILL.price };
const get = (fields: readonly Field[] | undefined, tag: number): string | undefined => new Map(fields).get(tag);
const kinds = (reports: readonly (readonly Field[])[]): unknown[] =>
  reports.map((one) => [get(one, TAG.ExecType), get(one, TAG.OrdStatus)]);

describe('reports of orders [FIX-012]', () => {
  const known = reportsOf(undefined, ORDER, null).order;

  test('an order that was not known is new; its numbers are exact, without number types between', () => {
    const { reports, order } = reportsOf(undefined, ORDER, null);
    expect(kinds(reports)).toEqual([['0', '0']]);
    expect(get(reports[0], TAG.Price)).toBe('123456789012345.67');
    expect(get(reports[0], TAG.LeavesQty)).toBe('0.300000000000000001');
    expect(get(reports[0], TAG.AvgPx)).toBe('0');
    expect(order).toMatchObject({ id: '7', names: ['a'], status: 1, reports: 1 });
  });

  test('a fill that comes first is reported after the order', () => {
    const { reports, order } = reportsOf(undefined, PART, FILL);
    expect(kinds(reports)).toEqual([
      ['0', '0'],
      ['F', '1'],
    ]);
    expect(get(reports[0], TAG.CumQty)).toBe('0.000000000000000000');
    expect(get(reports[1], TAG.LeavesQty)).toBe('0.200000000000000001');
    expect(get(reports[1], TAG.Commission)).toBe('0.000100000000000000');
    expect(get(reports[1], TAG.LastLiquidityInd)).toBe('2');
    expect(order.filled).toBe('0.100000000000000000');
  });

  test('a fill that was reported is not reported again', () => {
    const { order } = reportsOf(known, PART, FILL);
    expect(reportsOf(order, PART, FILL).reports).toEqual([]);
  });

  test('the last fill ends the order; an end without all of it is a cancel, or an expiry by its own terms', () => {
    const whole = { ...ORDER, status: 2 as const, filled_amount: ORDER.trade_amount, trade_price: FILL.price };
    expect(kinds(reportsOf(known, whole, { ...FILL, number: ORDER.trade_amount }).reports)).toEqual([['F', '2']]);
    const ended = (cancel_reason: SpotOrder['cancel_reason']) =>
      reportsOf(known, { ...ORDER, status: 2, cancelled: 1, cancel_reason }, null).reports;
    for (const reason of ['ioc', 'fok', 'market'] as const) expect(kinds(ended(reason))).toEqual([['C', 'C']]);
    for (const reason of ['user', 'operator', 'stp', 'post_only', 'oco', 'balance'] as const) {
      expect(kinds(ended(reason))).toEqual([['4', '4']]);
      expect(get(ended(reason)[0], TAG.Text)).toBe(reason);
      expect(get(ended(reason)[0], TAG.LeavesQty)).toBe('0');
    }
    const both = reportsOf(known, { ...PART, status: 2, cancelled: 1, cancel_reason: 'ioc' }, FILL);
    expect(kinds(both.reports)).toEqual([
      ['F', '1'],
      ['C', 'C'],
    ]);
  });

  test('a refused cancel names the status of the last report: expired, cancelled or filled [FIX-121]', () => {
    const ended = (now: Partial<SpotOrder>, fill: typeof FILL | null = null): string =>
      statusOf(reportsOf(known, { ...ORDER, status: 2, ...now }, fill).order);
    for (const reason of ['ioc', 'fok', 'market'] as const)
      expect(ended({ cancelled: 1, cancel_reason: reason })).toBe('C');
    expect(ended({ ...PART, status: 2, cancelled: 1, cancel_reason: 'ioc' }, FILL)).toBe('C');
    expect(ended({ cancelled: 1, cancel_reason: 'user' })).toBe('4');
    const all = { filled_amount: ORDER.trade_amount, trade_price: FILL.price };
    expect(ended(all, { ...FILL, number: ORDER.trade_amount })).toBe('2');
  });

  test('a change of terms is a replacement under the name of its request, before the fill that it makes', () => {
    const now = { ...PART, target_price: '5.00' };
    const { reports, order, isAnswered } = reportsOf(known, now, FILL, { request: { kind: 'replace', name: 'b' } });
    expect(kinds(reports)).toEqual([
      ['5', '0'],
      ['F', '1'],
    ]);
    expect(reports.map((one) => [get(one, TAG.ClOrdID), get(one, TAG.OrigClOrdID)])).toEqual([
      ['b', 'a'],
      ['b', undefined],
    ]);
    expect(get(reports[0], TAG.AvgPx)).toBe('0');
    expect(order.names).toEqual(['a', 'b']);
    expect(isAnswered).toBe(true);
  });

  test('a replacement by the same terms is answered too; the beginning of the order does not answer it', () => {
    const request = { kind: 'replace', name: 'b' };
    expect(kinds(reportsOf(known, ORDER, null, { request }).reports)).toEqual([['5', '0']]);
    const begun = reportsOf(undefined, ORDER, null, { request });
    expect([kinds(begun.reports), begun.isAnswered]).toEqual([[['0', '0']], false]);
  });

  test('a requested cancel carries the id of its request, any other end that of the order', () => {
    const gone = { ...ORDER, status: 2 as const, cancelled: 1 as const, cancel_reason: 'user' as const };
    const [mine] = reportsOf(known, gone, null, { request: { kind: 'cancel', name: 'c' } }).reports;
    expect([get(mine, TAG.ClOrdID), get(mine, TAG.OrigClOrdID)]).toEqual(['c', 'a']);
    const halted = { ...gone, cancel_reason: 'operator' as const };
    const [other] = reportsOf(known, halted, null, { request: { kind: 'cancel', name: 'c' } }).reports;
    expect([get(other, TAG.ClOrdID), get(other, TAG.OrigClOrdID)]).toEqual(['a', undefined]);
  });

  test('a stop that starts is triggered; copies are marked; orders without a name have their id', () => {
    const stop = { ...ORDER, order_type: 'stop_limit' as const, stop_price: '4.00', client_order_id: '' };
    const waiting = reportsOf(undefined, stop, null, { isCopy: true });
    expect(get(waiting.reports[0], TAG.OrdType)).toBe('4');
    expect(get(waiting.reports[0], TAG.ClOrdID)).toBe('7');
    expect(get(waiting.reports[0], TAG.CopyMsgIndicator)).toBe('Y');
    expect(kinds(reportsOf(waiting.order, { ...stop, triggered: 1 }, null).reports)).toEqual([['L', '0']]);
  });

  test('a status is that of the order', () => {
    expect(get(statusReport(PART, 'a', []), TAG.OrdStatus)).toBe('1');
    expect(get(statusReport({ ...ORDER, status: 2, cancelled: 1, cancel_reason: 'fok' }, 'a', []), TAG.OrdStatus)).toBe(
      'C',
    );
    expect(get(statusReport({ ...PART, status: 2 }, 'a', []), TAG.OrdStatus)).toBe('2');
    expect([statusOf(undefined), statusOf(known)]).toEqual(['8', '0']);
  });
});

describe('requests as calls [FIX-013]', () => {
  const message = (type: string, fields: Readonly<Record<number, string>>): Message =>
    new Message([[TAG.MsgType, type], ...Object.entries(fields).map(([tag, value]) => [Number(tag), value] as const)]);
  const base = { 11: 'a', 55: 'BTC/USDT', 54: '2', 38: '0.10' };
  const call = (fields: Readonly<Record<number, string>>) => {
    const one = message(TYPE.NewOrderSingle, { ...base, ...fields });
    checkFields(one);
    return placing(one, { legal_id: 3, currency_id: 1 });
  };
  const common = { legal_id: 3, currency_id: 1, type: 2, amount: '0.10', client_order_id: 'a' };
  const problem = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error instanceof Malformed ? [error.tag, error.reason] : error;
    }
  };

  test('each type of order is one of the exchange, with its prices as text', () => {
    expect(call({ 40: '1' })).toEqual({ ...common, order_type: 'market' });
    expect(call({ 40: '2', 44: '5.10', 59: '1', 18: '6' })).toEqual({
      ...common,
      order_type: 'limit',
      target_price: '5.10',
      time_in_force: 'GTC',
      post_only: 1,
    });
    expect(call({ 40: '3', 99: '4' })).toEqual({ ...common, order_type: 'stop_market', stop_price: '4' });
    expect(call({ 40: '4', 99: '4', 44: '5', 59: '4' })).toEqual({
      ...common,
      order_type: 'stop_limit',
      target_price: '5',
      stop_price: '4',
      time_in_force: 'FOK',
    });
  });

  test('a missing, empty, repeated, malformed or unsupported field is named with a reason', () => {
    const cases: [Readonly<Record<number, string>>, [number, number]][] = [
      [{ 40: '2' }, [44, 1]],
      [{ 40: '1', 44: '5' }, [44, 2]],
      [{ 40: '2', 44: '5', 99: '4' }, [99, 2]],
      [{ 40: '7' }, [40, 5]],
      [{ 40: '2', 44: '5', 59: '0' }, [59, 5]],
      [{ 40: '2', 44: '5', 18: 'G' }, [18, 5]],
      [{ 40: '2', 44: '5e3' }, [44, 6]],
      [{ 40: '2', 44: '-5' }, [44, 6]],
      [{ 40: '2', 44: '' }, [44, 4]],
      [{ 40: '2', 44: '5', 11: 'a b' }, [11, 6]],
      [{ 40: '2', 44: '5', 54: '5' }, [54, 5]],
      // A wish that the exchange does not know is never dropped: here an iceberg order, and an end of its validity.
      [{ 40: '2', 44: '5', 111: '1' }, [111, 2]],
      [{ 40: '2', 44: '5', 126: '20261128-10:00:00' }, [126, 2]],
    ];
    for (const [fields, expected] of cases) expect(problem(() => call(fields))).toEqual(expected);
    const twice = new Message([[35, 'D'], ...Object.entries(base).map(([t, v]) => [Number(t), v] as const), [38, '9']]);
    expect(problem(() => checkFields(twice))).toEqual([38, 13]);
    expect(problem(() => checkFields(message(TYPE.OrderCancelRequest, { 11: 'b' })))).toEqual([41, 1]);
  });

  test('a replacement names price or amount; the amount includes fills', () => {
    const replace = (fields: Readonly<Record<number, string>>) =>
      amending(message(TYPE.OrderCancelReplaceRequest, { 11: 'b', 41: 'a', ...fields }), { id: '7' });
    expect(replace({ 38: '2', 44: '5' })).toEqual({ id: '7', amount: '2', target_price: '5' });
    expect(replace({ 44: '5' })).toEqual({ id: '7', target_price: '5' });
    expect(problem(() => replace({}))).toEqual([38, 1]);
  });

  test('a refusal keeps its key and text; reasons that FIX defines have their number', () => {
    expect(refusalText({ key: 'quantity.rule', params: { min: '0.001' }, field: 'amount' })).toBe(
      'quantity.rule min=0.001 field=amount',
    );
    expect(['balance.insufficient', 'market.paused', 'pair.delisted', 'x.y'].map(orderReason)).toEqual([
      '3',
      '2',
      '1',
      '99',
    ]);
    expect(['common.notFound', 'trade.notOpen', 'trade.changed'].map(cancelReason)).toEqual(['1', '0', '99']);
  });
});
