import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { liquidationPrice, percent, profitsAt } from '@bourse/formulas';
import { formatUnits, toUnits } from '@bourse/money';
import { scalesOf } from './offer.js';
import type { LeverPosition, LeverTradePush } from '@bourse/contract';
import { LEVER_PAIR, leverRow } from './lever-samples.js';
import {
  averageEntry,
  contractsOf,
  expected,
  gaugeAt,
  liquidationAfter,
  partOf,
  readContracts,
  riskLevel,
  roiOf,
  stopsFault,
  without,
  withRow,
  withTrade,
  type Board,
} from './positions.js';

const ROW = leverRow();
const BOARD: Board = { rows: [ROW], hazard_rate: '330.00', profits: '0', profits_total: '0', balance: '696.697' };
const ALL = { legalId: 0, currencyId: 0 };
const push = (more: Partial<LeverTradePush>): LeverTradePush => ({
  type: 'lever_trade',
  legal_id: 3,
  trades_all: [],
  trades_entrust: [],
  hazard_rate: '363.30',
  profits_all: '94',
  profits: '94',
  ts: 1,
  user_seq: 1,
  ...more,
});
const ids = ({ rows }: Board): string[] => rows.map(({ id }) => id);
const PAIR = LEVER_PAIR;

describe('lists of positions', () => {
  test('a push replaces rows by id, adds new ones and moves an entrust that opened [LEVERUI-010]', () => {
    const second = { ...ROW, id: '2', profits: '5' };
    const told = withTrade(BOARD, ALL, 'open', push({ trades_all: [{ ...ROW, profits: '94.5' }, second] }));
    expect(told.rows.map(({ id, profits }) => [id, profits])).toEqual([
      ['2', '5'],
      ['1', '94.5'],
    ]);
    expect([told.hazard_rate, told.profits_total]).toEqual(['363.30', '94']);
    const waiting: Board = { ...BOARD, rows: [{ ...ROW, id: '3', status: 0 }] };
    expect(ids(withTrade(waiting, ALL, 'pending', push({ trades_all: [{ ...ROW, id: '3' }] })))).toEqual([]);
    // What is closing does not come back as open.
    expect(ids(withTrade(without(BOARD, ['1']), ALL, 'open', push({ trades_all: [{ ...ROW, status: 2 }] })))).toEqual(
      [],
    );
  });

  test('a push that names no pending orders leaves their list as it is [LEVERUI-016]', () => {
    const waiting: Board = { ...BOARD, rows: ['3', '4'].map((id) => ({ ...ROW, id, status: 0 as const })) };
    const told = withTrade(waiting, ALL, 'pending', push({ trades_all: [ROW] }));
    expect(ids(told)).toEqual(['3', '4']);
    const added = push({ trades_all: [ROW], trades_entrust: [{ ...ROW, id: '5', status: 0 }] });
    expect(ids(withTrade(told, ALL, 'pending', added))).toEqual(['5', '3', '4']);
  });

  test('a list of another quote or pair is left as it is [LEVERUI-011]', () => {
    expect(withTrade(BOARD, { legalId: 1, currencyId: 0 }, 'open', push({ trades_all: [ROW] }))).toBe(BOARD);
    const other = withTrade(BOARD, { legalId: 3, currencyId: 2 }, 'open', push({ trades_all: [{ ...ROW, id: '9' }] }));
    expect(ids(other)).toEqual(['1']);
  });

  test('an answer puts a row where its state belongs, and takes it away elsewhere [LEVERUI-012]', () => {
    expect(ids(withRow(BOARD, 'open', { ...ROW, status: 2 }))).toEqual([]);
    expect(ids(withRow(BOARD, 'open', { ...ROW, id: '2' }))).toEqual(['2', '1']);
    expect(ids(withRow(BOARD, 'pending', { ...ROW, status: 4 }))).toEqual([]);
  });
});

describe('risk and stops', () => {
  test('the rate is shown in words, and the gauge runs from the liquidation on [LEVERUI-013]', () => {
    expect(['0.00', '110.00', '132.00', '132.01', '220.01'].map((rate) => riskLevel(rate, '110'))).toEqual([
      'none',
      'danger',
      'danger',
      'watch',
      'safe',
    ]);
    expect([gaugeAt('110.00', '110'), gaugeAt('50', '110'), gaugeAt('9999', '110')]).toEqual([0, 0, 100]);
  });

  test('expected profit and loss of stops, floored at zero; the right side by the mark price [LEVERUI-014]', () => {
    expect(expected('target', ROW, '61000', PAIR)).toBe('94');
    expect(expected('target', ROW, '60000', PAIR)).toBe('0');
    expect(expected('stop', ROW, '60000', PAIR)).toBe('6');
    expect(expected('stop', ROW, '60100', PAIR)).toBe('0');
    expect(expected('stop', ROW, '', PAIR)).toBe('');
    expect(expected('target', { ...ROW, type: 2 }, '60000', PAIR)).toBe('6');
    expect(stopsFault(ROW, { target: '61000', stop: '' }, PAIR)).toBe('side');
    expect(stopsFault(ROW, { target: '61000.01', stop: '53393.33' }, PAIR)).toBe('beyond_liquidation');
    expect(stopsFault(ROW, { target: '', stop: '53393.34' }, PAIR)).toBeNull();
  });
});

test('the average entry of several positions is weighted by their size [LEVERUI-040]', () => {
  const at = (price: string, number: string) => ({ price, number });
  expect(averageEntry([at('100.00', '1'), at('130.00', '0.5')], 2)).toBe('110.00');
  expect(averageEntry([at('100.00', '1')], 2)).toBeUndefined();
  expect(averageEntry([], 2)).toBeUndefined();
});

describe('a part close', () => {
  test('a percentage is whole contracts, down, at least one [LEVERUI-026]', () => {
    expect([25, 50, 100].map((percent) => contractsOf({ share: 10 }, percent))).toEqual([2, 5, 10]);
    expect([25, 50, 100].map((percent) => contractsOf({ share: 1 }, percent))).toEqual([1, 1, 1]);
  });

  test('contracts are whole and at most those of the position [LEVERUI-026]', () => {
    for (const text of ['', '0', '1.5', '-1', 'x']) expect(readContracts(text, ROW)).toEqual({ fault: 'shareInteger' });
    expect(readContracts('11', ROW)).toEqual({ fault: 'shareMax' });
    expect(readContracts('10', ROW)).toEqual({ contracts: 10 });
  });

  test('the part has its size and its result, rounded as by the server [LEVERUI-026]', () => {
    expect(partOf({ share: 10, number: '0.100000', profits: '94.00000000' }, 3)).toEqual({
      number: '0.030000',
      profits: '28.20000000',
    });
    expect(partOf({ share: 3, number: '0.000003', profits: '-0.00000001' }, 1)).toEqual({
      number: '0.000001',
      profits: '-0.00000001',
    });
  });
});

test('the return is the result in percent of the margin at the opening, cut towards zero [LEVERUI-041]', () => {
  expect(roiOf(ROW)).toBe('31.30');
  expect(roiOf({ profits: '-0.00000001', origin_caution_money: '300.3' })).toBe('0.00');
  expect(roiOf({ profits: '-100.1', origin_caution_money: '300.3' })).toBe('-33.33');
  expect(roiOf({ profits: '90071992547409.93000001', origin_caution_money: '0.00000003' })).toBe(
    '300239975158033100000033.33',
  );
  expect(roiOf({ profits: '5', origin_caution_money: '0' })).toBe('');
});

test('a night fee lowers the margin that is left, and not the return [LEVERUI-041]', () => {
  expect(roiOf({ ...ROW, caution_money: '200', overnight_money: '100.3' } as LeverPosition)).toBe(roiOf(ROW));
});

test('a transfer moves the liquidation price as the engine counts it, never too far away [LEVERUI-046]', () => {
  // 1,000 USDT over 0.1 BTC are 10,000.
  expect(liquidationAfter(ROW, '1000', PAIR)).toBe('43393.33');
  expect(liquidationAfter(ROW, '-100', PAIR)).toBe('54393.33');
  expect(liquidationAfter({ ...ROW, type: 2 }, '1000', PAIR)).toBe('63393.33');
  expect(liquidationAfter(ROW, '9000', PAIR)).toBe('0.00');
  expect(liquidationAfter({ ...ROW, liquidation_price: '0' }, '1', PAIR)).toBe('0.00');
  expect(liquidationAfter({ ...ROW, liquidation_price: '0' }, '-1', PAIR)).toBe('');
  const scales = scalesOf(PAIR);
  const mark = 6_100_000n;
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 9n }),
      fc.bigInt({ min: -(10n ** 10n), max: 10n ** 12n }),
      fc.constantFrom(1 as const, 2 as const),
      (lots, transfer, type) => {
        const direction = type === 1 ? 'long' : 'short';
        const position = { direction, price: 6_006_000n, lots, margin: 30_030_000_000n } as const;
        const priceAt = (balance: bigint): bigint => {
          const profits = profitsAt(scales, position, mark);
          const account = { balance, margin: position.margin, initialMargin: position.margin, profits };
          return liquidationPrice(scales, position, account, mark, percent('110'));
        };
        const [before, exact] = [priceAt(10n ** 11n), priceAt(10n ** 11n + transfer)];
        if (before === 0n) return;
        const row = { type, number: formatUnits(lots, 6), liquidation_price: formatUnits(before, 2) };
        const shown = toUnits(liquidationAfter(row, formatUnits(transfer, 8), PAIR), 2);
        const nearer = type === 1 ? shown - exact : exact - shown;
        expect(nearer === 0n || nearer === 1n).toBe(true);
      },
    ),
  );
});
