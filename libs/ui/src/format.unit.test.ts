import { describe, expect, test } from '@jest/globals';
import {
  arrowOf,
  atMost,
  clockTime,
  fixed,
  formatAmount,
  formatBookPrice,
  formatChange,
  formatFitting,
  formatTickPrice,
  formatTurnover,
  grouped,
  localTime,
  masked,
  shortAddress,
  timeOf,
} from './format.js';
import { showTimesInUtc, zonedMillis } from './time-zone.js';

describe('numbers on screens', () => {
  test('are cut, padded and grouped on the text, with every digit kept [UI-001]', () => {
    expect(fixed('56637.5', 4)).toBe('56637.5000');
    expect(fixed('0.99999999', 4)).toBe('0.9999');
    expect(fixed('12', 0)).toBe('12');
    expect(fixed('-0.00001', 2)).toBe('0.00');
    expect(fixed('', 4)).toBe('–');
    expect(grouped('123456789012345678.12345678')).toBe('123,456,789,012,345,678.12345678');
    expect(grouped('-1234.5')).toBe('-1,234.5');
    expect(atMost('0.50000000', 8)).toBe('0.5');
    expect(atMost('100', 4)).toBe('100');
  });

  test('a price has the decimals of its pair; one that decides a contract keeps all it has [UI-002]', () => {
    expect(formatBookPrice('56637.5', 2)).toBe('56,637.50');
    expect(formatBookPrice('56637.5678', 2)).toBe('56,637.56');
    expect(formatBookPrice('0.00002609', 8)).toBe('0.00002609');
    expect(formatTickPrice('56637.5', 2)).toBe('56,637.50');
    expect(formatTickPrice('56637.567800', 2)).toBe('56,637.5678');
  });

  test('an amount too small for four decimals does not read as nothing [UI-003]', () => {
    expect(formatAmount('1234.5', 6)).toBe('1,234.5000');
    expect(formatAmount('0.000012', 6)).toBe('0.000012');
    expect(formatAmount('0', 6)).toBe('0.0000');
  });

  test('direction has sign and arrow, not colour alone [UI-004]', () => {
    expect(formatChange('2.41')).toBe('+2.41%');
    expect(formatChange('-0.4')).toBe('-0.40%');
    expect(formatChange('0.00')).toBe('0.00%');
    expect([arrowOf('0.1'), arrowOf('-0.1'), arrowOf('0.00')]).toEqual(['▲', '▼', '']);
  });

  test('a small turnover keeps its first three digits, a large one two decimals [UI-044]', () => {
    expect(['16549.238', '1.005', '0.13452', '0.00412345', '0.5', '0', '0.0000'].map(formatTurnover)).toEqual([
      '16,549.23',
      '1.00',
      '0.134',
      '0.00412',
      '0.500',
      '0.00',
      '0.00',
    ]);
  });

  test('people are masked and addresses shortened [UI-005]', () => {
    expect(masked('13812345678')).toBe('138****5678');
    expect(masked('trader1@demo.bourse')).toBe('tra****@demo.bourse');
    expect(shortAddress('0x00000000000000000000000000000000000000a1')).toBe('0x0000…0000a1');
  });

  test('server times are UTC [UI-006]', () => {
    expect(timeOf('2026-01-01 00:00:00')).toBe(1_767_225_600_000);
    expect(timeOf('')).toBeUndefined();
  });

  test('times are shown and read in the zone that the reader has chosen, at first that of the device [UI-043]', () => {
    const at = Date.UTC(2026, 5, 30, 23, 5, 9);
    const device = new Date(at);
    const two = (value: number): string => String(value).padStart(2, '0');
    const local = `${two(device.getHours())}:${two(device.getMinutes())}:09`;
    expect([clockTime(at), zonedMillis(localTime(at).replace(' ', 'T'))]).toEqual([local, at]);
    showTimesInUtc(true);
    expect([localTime(at), clockTime(at), zonedMillis('2026-06-30T23:05:09')]).toEqual([
      '2026-06-30 23:05:09',
      '23:05:09',
      at,
    ]);
    showTimesInUtc(false);
    expect(clockTime(at)).toBe(local);
  });
});

describe('a figure in little room [UI-033]', () => {
  test('keeps as many decimals as fit', () => {
    expect(['3403.6805', '35122.4281', '0.25', '12'].map((text) => formatFitting(text, 4, 8))).toEqual([
      '3,403.68',
      '35,122.4',
      '0.2500',
      '12.0000',
    ]);
  });

  test('goes to thousands and millions, cut and never rounded up', () => {
    expect(['35122.4281', '999999', '1299999.5', '20480000000'].map((text) => formatFitting(text, 4, 6))).toEqual([
      '35,122',
      '0.99M',
      '1.29M',
      '20.48B',
    ]);
  });

  test('does not make nothing of a small one', () => {
    expect(formatFitting('0.00002609', 8, 8)).toBe('0.000026');
    expect(['0.000040', '0.00004012', '0.00000001', '-0.00004'].map((text) => formatFitting(text, 4, 8))).toEqual([
      '0.00004',
      '0.00004',
      '0.00000001',
      '-0.00004',
    ]);
    expect([formatFitting('0.4', 0, 8), formatFitting('0', 4, 8)]).toEqual(['0.4', '0.0000']);
  });
});
