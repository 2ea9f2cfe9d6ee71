import { describe, expect, test } from '@jest/globals';
import { deviceName, inviteLink, levelName, mayTrade, steps } from './security.js';

describe('how safe an account is', () => {
  test('the level has a name, and four parts of 25 [ACCOUNTVIEW-001]', () => {
    expect(([25, 50, 75, 100] as const).map(levelName)).toEqual(['low', 'middle', 'high', 'strong']);
    const done = (phone: string, email: string, review_status: 0 | 1 | 2): string[] =>
      steps({ phone, email }, { review_status })
        .filter((step) => step.done)
        .map(({ id }) => id);
    expect(done('', 'a@b.co', 1)).toEqual(['start', 'email']);
    expect(done('5550100003', 'a@b.co', 2)).toEqual(['start', 'phone', 'email', 'identity']);
  });

  test('the invitation is a registration that carries the code [ACCOUNTVIEW-002]', () => {
    expect(inviteLink('https://bourse.example', 'AB&1')).toBe('https://bourse.example/register?extension_code=AB%261');
  });
});

test('devices are called as their owners call them; programs keep their own name [ACCOUNTVIEW-004]', () => {
  expect(
    deviceName(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like ' +
        'Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    ),
  ).toBe('Edge, Windows');
  expect(
    deviceName(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 ' +
        '(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari, iOS');
  expect(
    deviceName(
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    ),
  ).toBe('Chrome, Android');
  expect(deviceName('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox, Linux');
  expect([deviceName('trading-bot/2.1'), deviceName('')]).toEqual(['trading-bot/2.1', '']);
});

test('a key that may trade shows it [ACCOUNTVIEW-005]', () => {
  expect([mayTrade({ permissions: 'read' }), mayTrade({ permissions: 'read,trade' })]).toEqual([false, true]);
});
