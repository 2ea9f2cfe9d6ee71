import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { isSigned, signatureOf } from './api-signature.js';

const digest = (body: string): string => createHash('sha256').update(body).digest('hex');
const CALL = {
  method: 'POST',
  path: '/api/coin/trade',
  timestamp: '1767225600000',
  bodyDigest: digest('legal_id=3&currency_id=1&type=1&target_price=56000&amount=0.01'),
};
const NOW = 1_767_225_600_000;

describe('signed calls', () => {
  test('the check value of the contract [APIKEY-001]', () => {
    expect(signatureOf('demo-secret', CALL)).toBe('e4062579788def45d2f277c94e703985c82114774eb50a9fab12a956553d78ca');
  });

  test('a call without a body signs the digest of nothing [APIKEY-001]', () => {
    expect(signatureOf('s', { method: 'GET', path: '/api/wallet/list', timestamp: '1767225600000' })).toBe(
      signatureOf('s', { method: 'GET', path: '/api/wallet/list', timestamp: '1767225600000', bodyDigest: digest('') }),
    );
  });

  test.each<[string, object]>([
    ['method', { method: 'GET' }],
    ['path', { path: '/api/coin/trade?x=1' }],
    ['timestamp', { timestamp: '1767225600001' }],
    ['body', { bodyDigest: digest('legal_id=3') }],
  ])('another %s is another signature [APIKEY-001]', (_, change) => {
    const signature = signatureOf('demo-secret', CALL);
    expect(isSigned('demo-secret', CALL, signature, NOW)).toBe(true);
    expect(isSigned('demo-secret', { ...CALL, ...change }, signature, NOW)).toBe(false);
    expect(isSigned('another-secret', CALL, signature, NOW)).toBe(false);
  });

  test.each([-5_001, 5_001, 86_400_000])('%i ms away is not now [APIKEY-002]', (away) => {
    expect(isSigned('demo-secret', CALL, signatureOf('demo-secret', CALL), NOW + away)).toBe(false);
  });
  test.each([-5_000, 0, 5_000])('%i ms away is now [APIKEY-002]', (away) => {
    expect(isSigned('demo-secret', CALL, signatureOf('demo-secret', CALL), NOW + away)).toBe(true);
  });

  test.each(['', '0', '1767225600', '1767225600000.0', '1.767225600e12', '+1767225600000', ' 1767225600000', 'NaN'])(
    '%j is no time [APIKEY-002]',
    (timestamp) => {
      const call = { ...CALL, timestamp };
      expect(isSigned('demo-secret', call, signatureOf('demo-secret', call), NOW)).toBe(false);
    },
  );
});
