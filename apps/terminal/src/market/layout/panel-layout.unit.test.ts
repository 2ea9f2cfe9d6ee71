import { expect, test } from '@jest/globals';
import { DESK_LAYOUT } from '@bourse/contract';
import {
  clampPanel,
  COLUMN_ORDERS,
  layoutText,
  panelLimits,
  PRESETS,
  readLayout,
  type PanelName,
} from './panel-layout.js';

const PANELS: readonly PanelName[] = ['book', 'ticket', 'orders'];

test('no size hides a panel, and an invalid stored layout falls back [SPOTVIEW-040]', () => {
  expect([clampPanel('book', 10), clampPanel('orders', 9_999), clampPanel('ticket', 300.4)]).toEqual([268, 560, 300]);
  expect(readLayout(undefined)).toEqual(PRESETS.standard);
  // The form of an earlier version.
  expect(readLayout({ book: 300, ticket: 320, orders: 200 })).toEqual({
    ...PRESETS.standard,
    book: 300,
    ticket: 320,
    orders: 200,
  });
  expect(readLayout({ book: 'wide', ticket: Number.NaN, orders: 1, columns: ['book', 'book', 'chart'] })).toEqual({
    ...PRESETS.standard,
    orders: 120,
  });
});

test('every preset is within the limits [SPOTVIEW-040]', () => {
  for (const preset of Object.values(PRESETS)) {
    for (const name of PANELS) expect(clampPanel(name, preset[name])).toBe(preset[name]);
  }
  expect(panelLimits('book').min).toBeLessThan(panelLimits('book').max);
});

test('the columns can stand in each of six orders [SPOTVIEW-041]', () => {
  expect(new Set(COLUMN_ORDERS.map(String)).size).toBe(6);
  for (const columns of COLUMN_ORDERS) expect(readLayout({ columns: [...columns] }).columns).toEqual(columns);
});

test('every layout survives its text, and a foreign text gets defaults [SPOTVIEW-041]', () => {
  for (const columns of COLUMN_ORDERS)
    for (const across of [true, false]) {
      const layout = { ...PRESETS.ladder, columns, across };
      expect(layoutText(layout)).toMatch(DESK_LAYOUT);
      expect(readLayout(layoutText(layout))).toEqual(layout);
    }
  expect(readLayout('book chart ticket 9999 1 x')).toEqual({
    ...PRESETS.standard,
    columns: ['book', 'chart', 'ticket'],
    book: 460,
    ticket: 260,
  });
});
