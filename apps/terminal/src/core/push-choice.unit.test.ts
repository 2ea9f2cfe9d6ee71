import { expect, test } from '@jest/globals';
import { alertsOfDevice } from './push-choice.js';

test('the newest fifty alerts are sent, each with its page, and nothing that is no alert [PUSH-010]', () => {
  const alert = (id: string, link?: string) => ({ id, symbol: 'BTC/USDT', price: '60000', above: true, link });
  const stored = Array.from({ length: 60 }, (_, at) => alert(`a${at}`));
  expect(alertsOfDevice([null, 'x', ...stored]).map(({ id }) => id)).toEqual(stored.slice(10).map(({ id }) => id));
  expect(
    alertsOfDevice([alert('a', '/dealCenter?legalId=1&currencyId=2'), alert('b')]).map(({ link }) => link),
  ).toEqual(['/dealCenter?legalId=1&currencyId=2', '/dealCenter']);
  expect(alertsOfDevice(undefined)).toEqual([]);
});
