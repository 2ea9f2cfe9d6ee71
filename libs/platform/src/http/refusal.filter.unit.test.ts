import { expect, test } from '@jest/globals';
import type { ArgumentsHost } from '@nestjs/common';
import type { SecurityLog } from '../security/security-log.js';
import { RefusalAnswers, RefusalFilter } from './refusal.filter.js';
import { Refused } from './refused.js';
import type { RouteTable } from './route-table.js';

const routes = {
  methodsOf: (path: string) => (path === '/api/time' || path === '/dev/clock' ? ['GET'] : []),
} as unknown as RouteTable;

const written: unknown[][] = [];
const security = { recordFew: (...line: unknown[]) => written.push(line) } as unknown as SecurityLog;

/** The caller's answer when a call ends with `error`. */
function answerOf(
  error: unknown,
  method: string,
  url: string,
): { status: number; headers: Record<string, string>; body: Record<string, unknown> } {
  const seen = { status: 0, headers: {} as Record<string, string>, body: {} as Record<string, unknown> };
  const reply = {
    sent: false,
    code(status: number) {
      seen.status = status;
      return reply;
    },
    header(name: string, value: string) {
      seen.headers[name] = value;
      return reply;
    },
    headers(more: Record<string, string>) {
      Object.assign(seen.headers, more);
      return reply;
    },
    send(body: Record<string, unknown>) {
      seen.body = body;
      return reply;
    },
  };
  const request = { id: 'r1', ip: '::ffff:1.2.3.4', method, url, headers: { 'accept-language': 'xx' } };
  new RefusalFilter(new RefusalAnswers(routes, security)).catch(error, {
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }),
  } as unknown as ArgumentsHost);
  return seen;
}

test('a known path under another method is 405 with the methods it knows; a hidden call is nowhere [EDGE-010]', () => {
  expect(answerOf(new Refused('common.noRoute'), 'POST', '/api/time?a=1')).toMatchObject({
    status: 405,
    headers: { allow: 'GET' },
    body: { key: 'common.noMethod', request_id: 'r1' },
  });
  for (const [method, url] of [
    ['GET', '/api/time'],
    ['GET', '/dev/clock'],
    ['POST', '/dev/clock'],
    ['GET', '/nothing'],
  ] as const) {
    expect(answerOf(new Refused('common.noRoute'), method, url)).toMatchObject({
      status: 404,
      body: { key: 'common.noRoute' },
    });
  }
});

test('a defect shows only its request id [EDGE-010]', () => {
  const { status, body } = answerOf(new Error('password of the database is x'), 'GET', '/api/time');
  expect(status).toBe(500);
  expect(Object.keys(body).sort()).toEqual(['key', 'message', 'request_id', 'type']);
  expect(JSON.stringify(body)).not.toContain('password');
});

test('the wallet middleware refuses in its own shape; with a status the envelope is used [ADDRESS-003]', () => {
  expect(answerOf(new Refused('auth.expired'), 'GET', '/walletMiddle/GetDrawAddress?user_id=1')).toMatchObject({
    status: 200,
    body: { code: 999, msg: expect.any(String), data: null },
  });
  expect(Object.keys(answerOf(new Refused('auth.expired'), 'POST', '/upi/usdt/account').body).sort()).toEqual([
    'code',
    'data',
    'msg',
  ]);
  expect(
    answerOf(new Refused('common.tooMany', { seconds: 7 }), 'GET', '/walletMiddle/SendVerificationcode'),
  ).toMatchObject({
    status: 429,
    headers: { 'retry-after': '7' },
    body: { code: 6, data: { seconds: 7 }, type: 'error', key: 'common.tooMany' },
  });
  expect(answerOf(new Refused('common.badRequest'), 'POST', '/walletMiddle/BindDrawAddress')).toMatchObject({
    status: 400,
    body: { code: 1, key: 'common.badRequest', request_id: 'r1' },
  });
  expect(answerOf(new Refused('auth.expired'), 'POST', '/api/wallet/out').body).toMatchObject({
    type: '999',
    key: 'auth.expired',
  });
});

test('forbidden calls are in the security log with address, call and key; faulty ones are not [HARD-206]', () => {
  written.length = 0;
  answerOf(new Refused('common.forbidden'), 'POST', `/api/admin/${'x'.repeat(500)}?token=secret`);
  answerOf(new Refused('apikey.signature'), 'GET', '/api/time?a=1');
  answerOf(new Refused('common.notFound'), 'GET', '/api/time');
  expect(written).toEqual([
    [
      'access.refused',
      '1.2.3.4',
      expect.objectContaining({ request_id: 'r1', method: 'POST', key: 'common.forbidden' }),
    ],
    ['api_key.refused', '1.2.3.4', expect.objectContaining({ path: '/api/time', key: 'apikey.signature' })],
  ]);
  expect(JSON.stringify(written)).not.toContain('secret');
  expect(JSON.stringify(written).length).toBeLessThan(500);
});
