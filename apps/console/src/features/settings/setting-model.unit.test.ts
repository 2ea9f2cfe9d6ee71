import { describe, expect, test } from '@jest/globals';
import { boundsText, choicesOf, valueText, type Setting } from './setting-model.js';

const t = (key: string, values: Record<string, unknown>): string =>
  [key, ...Object.values(values).map(String)].join(' ');
const setting = (change: Partial<Setting>): Setting => ({
  key: 'address_wait',
  owner: 'wallet-ledger',
  type: 'integer',
  bounds: { min: 0, max: 240 },
  value: '24',
  default: '24',
  help: '',
  guarded: 1,
  pending: null,
  ...change,
});

describe('a setting in words [CONSOLE-332]', () => {
  test('has its unit at the value and at both bounds', () => {
    expect(valueText(t, setting({}), '24')).toBe('setting.unit.hours 24');
    expect(boundsText(t, setting({}))).toBe('setting.between setting.unit.hours 0 setting.unit.hours 240');
    expect(valueText(t, setting({ key: 'two_person', type: 'decimal' }), '10000')).toBe('setting.unit.USD 10,000');
    expect(valueText(t, setting({ key: 'shop_limit.verified', type: 'decimal' }), '5000')).toBe(
      'setting.unit.USDT 5,000',
    );
    expect(valueText(t, setting({ key: 'micro_min.HAP', type: 'decimal' }), '100')).toBe('100 HAP');
    expect(valueText(t, setting({ key: 'lever.muit', type: 'list' }), '5 10')).toBe('5×, 10×');
    expect(valueText(t, setting({ key: 'micro_numbers.HAP', type: 'list' }), '1000 2000')).toBe('1,000, 2,000 HAP');
    expect(valueText(t, setting({ key: 'jpy_per_usdt', type: 'decimal' }), '150')).toBe('150 JPY');
  });

  test('is on or off instead of 1 or 0, and is chosen', () => {
    const flag = setting({ key: 'admin_totp', type: 'flag', bounds: { choices: ['0', '1'] } });
    expect([valueText(t, flag, '1'), valueText(t, flag, '0')]).toEqual(['setting.on', 'setting.off']);
    expect(boundsText(t, flag)).toBe('setting.off, setting.on');
    expect(choicesOf(flag)).toEqual(['0', '1']);
    expect(choicesOf(setting({}))).toBeUndefined();
  });

  test('keeps a text as it is written, and a count without a unit', () => {
    expect(valueText(t, setting({ key: 'site_title', type: 'text' }), '1000')).toBe('1000');
    expect(valueText(t, setting({ key: 'notice.max' }), '1000')).toBe('1,000');
    expect(valueText(t, setting({ key: 'site_title', type: 'text' }), '')).toBe('setting.emptyValue');
  });
});
