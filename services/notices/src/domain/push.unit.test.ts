import { describe, expect, test } from '@jest/globals';
import { hasKeyForm, isPushEndpoint, outcomeOf, pauseAfter } from './push.js';

describe('the address of a push service [PUSH-002]', () => {
  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAAA',
    'https://web.push.apple.com/QAbc',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYA',
  ])('%s is taken', (endpoint) => {
    expect(isPushEndpoint(endpoint, null)).toBe(true);
  });

  test.each([
    ['plain http', 'http://fcm.googleapis.com/x'],
    ['another port', 'https://fcm.googleapis.com:8443/x'],
    ['a sign-in', 'https://user:word@fcm.googleapis.com/x'],
    ['this machine', 'https://localhost/x'],
    ['an address', 'https://127.0.0.1/x'],
    ['an address as one number', 'https://2130706433/x'],
    ['an address in hexadecimal', 'https://0x7f000001/x'],
    ['an address of IPv6', 'https://[::1]/x'],
    ['an address of the cloud', 'https://169.254.169.254/latest/meta-data'],
    ['a public address', 'https://8.8.8.8/x'],
    ['a name without a dot', 'https://postgres/x'],
    ['a name of a cluster', 'https://auth.bourse.svc.cluster.local/x'],
    ['a name of the own network', 'https://db.internal/x'],
    ['a name that ends in a dot', 'https://localhost./x'],
    ['another protocol', 'ftp://fcm.googleapis.com/x'],
    ['no address', 'fcm.googleapis.com'],
    ['a long one', `https://fcm.googleapis.com/${'x'.repeat(1_000)}`],
  ])('%s is refused', (_, endpoint) => {
    expect(isPushEndpoint(endpoint, null)).toBe(false);
  });

  test('only the origin of the tests is taken beside them', () => {
    expect(isPushEndpoint('http://127.0.0.1:4000/p', 'http://127.0.0.1')).toBe(true);
    expect(isPushEndpoint('http://127.0.0.2:4000/p', 'http://127.0.0.1')).toBe(false);
    expect(isPushEndpoint('https://127.0.0.1:4000/p', 'http://127.0.0.1')).toBe(false);
  });
});

test('keys of a device have the length and form of RFC 8291 [PUSH-002]', () => {
  const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
  const auth = Buffer.alloc(16, 1).toString('base64url');
  expect(hasKeyForm({ p256dh, auth })).toBe(true);
  expect(hasKeyForm({ p256dh: auth, auth })).toBe(false);
  expect(hasKeyForm({ p256dh, auth: 'AAAA' })).toBe(false);
  expect(hasKeyForm({ p256dh: Buffer.alloc(65, 2).toString('base64url'), auth })).toBe(false);
});

test('a device that is gone is forgotten, a busy service is asked four times at most [PUSH-003]', () => {
  expect([201, 200, 404, 410, 403, 413, 400, 302, 429, 500, 503].map(outcomeOf)).toEqual([
    ...['sent', 'sent', 'gone', 'gone', 'refused', 'refused', 'refused', 'refused'],
    ...['later', 'later', 'later'],
  ]);
  expect([1, 2, 3, 4].map(pauseAfter)).toEqual([5, 30, 120, null]);
});
