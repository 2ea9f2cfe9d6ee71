import { expect, test } from '@jest/globals';
import { clampPanel, panelLimits, PRESETS, readLayout, type PanelName } from './panel-layout.js';

test('no size hides a panel, and an invalid stored layout falls back [SPOTVIEW-040]', () => {
  expect([clampPanel('book', 10), clampPanel('orders', 9_999), clampPanel('ticket', 300.4)]).toEqual([268, 560, 300]);
  expect(readLayout(undefined)).toEqual(PRESETS.standard);
  expect(readLayout({ book: 'wide', ticket: Number.NaN, orders: 1 })).toEqual({ book: 290, ticket: 310, orders: 120 });
});

test('every preset is within the limits [SPOTVIEW-040]', () => {
  for (const preset of Object.values(PRESETS)) {
    for (const [name, size] of Object.entries(preset)) expect(clampPanel(name as PanelName, size)).toBe(size);
  }
  expect(panelLimits('book').min).toBeLessThan(panelLimits('book').max);
});
