import { describe, expect, test } from '@jest/globals';
import type { MicroOrder } from '@bourse/contract';
import { netResult } from '../../../core/micro-result.js';
import { closedPage, remaining, stageOf, withOrder, withoutOrder, wouldBeText } from './orders.js';

const ORDER: MicroOrder = {
  id: '7',
  match_id: 1,
  symbol_name: 'BTC/USDT',
  currency_id: 3,
  currency_name: 'USDT',
  type: 1,
  seconds: 60,
  number: '100.00000000',
  fee: '0.20000000',
  profit_ratio: '50',
  open_price: '60000.00',
  end_price: '',
  status: 1,
  result: '',
  fact_profits: '0.00000000',
  remain_milli_seconds: 60_000,
  insured: 0,
  create_time: '2026-11-22 12:00:00',
  open_time: '2026-11-22 12:00:01',
  expire_time: '2026-11-22 12:01:01',
  handle_time: '',
  ts: Date.UTC(2026, 10, 22, 12),
  updated_ts: Date.UTC(2026, 10, 22, 12, 0, 1),
};
const at = (time: string): number => Date.parse(`2026-11-22T${time}Z`);

describe('a running contract', () => {
  test('shows win or loss after its fee, as the price is above, below or equal, in its direction [MICROUI-010]', () => {
    expect(wouldBeText(ORDER, '60000.01')).toBe('49.80000000');
    expect(wouldBeText(ORDER, '59999.99')).toBe('-100.20000000');
    expect(wouldBeText(ORDER, '60000')).toBe('-0.20000000');
    expect(wouldBeText({ ...ORDER, type: 2 }, '59999.99')).toBe('49.80000000');
    expect(wouldBeText({ ...ORDER, open_price: '' }, '1')).toBe('');
    expect(wouldBeText(ORDER, '')).toBe('');
  });

  test('ends with the result that its row showed; only a void contract returns the fee [MICROUI-013]', () => {
    const net = (result: MicroOrder['result'], fact_profits: string): string =>
      netResult({ ...ORDER, result, fact_profits });
    expect([net('win', '50'), net('loss', '-100'), net('tie', '0'), net('void', '0')]).toEqual([
      wouldBeText(ORDER, '60000.01'),
      wouldBeText(ORDER, '59999.99'),
      wouldBeText(ORDER, '60000'),
      '0.00000000',
    ]);
  });

  test('counts down by the exchange`s clock: opening, running, settling, closed [MICROUI-011]', () => {
    const unopened = { ...ORDER, open_price: '', expire_time: '' };
    expect([remaining(unopened, at('12:00:00')), stageOf(unopened, at('12:00:00'))]).toEqual([60_000, 'opening']);
    expect([remaining(ORDER, at('12:00:31')), stageOf(ORDER, at('12:00:31'))]).toEqual([30_000, 'running']);
    expect([remaining(ORDER, at('12:02:00')), stageOf(ORDER, at('12:02:00'))]).toEqual([0, 'settling']);
    expect(stageOf({ ...ORDER, status: 3 }, at('12:02:00'))).toBe('closed');
  });
});

describe('the lists', () => {
  const closed: MicroOrder = { ...ORDER, status: 3, result: 'win', fact_profits: '50.00000000' };

  test('add a new contract on top once, and keep closed ones closed after late events [MICROUI-012]', () => {
    const other = { ...ORDER, id: '8' };
    expect(withOrder([ORDER], other).map(({ id }) => id)).toEqual(['8', '7']);
    expect(withOrder([ORDER], closed)).toEqual([closed]);
    expect(withOrder([closed], ORDER)).toEqual([closed]);
    expect(withOrder([other], closed)).toEqual([other]);
    expect(withoutOrder([other, closed], '7')).toEqual([other]);
  });

  test('a closed contract is on top of the closed ones, once [MICROUI-012]', () => {
    const page = { data: [], page: 1, page_size: 20, total: 0, has_more: 0 } as const;
    const once = closedPage({ ...page, data: [] }, closed);
    expect([once.data, once.total]).toEqual([[closed], 1]);
    expect(closedPage(once, closed)).toBe(once);
  });
});
