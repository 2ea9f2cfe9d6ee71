import { expect, test } from '@jest/globals';
import type { ArgumentsHost } from '@nestjs/common';
import { RefusalFilter } from './refusal.filter.js';
import { Refused } from './refused.js';
import type { RouteTable } from './route-table.js';

const routes = { methodsOf: (path: string) => (path === '/api/time' || path === '/dev/clock' ? ['GET'] : []) } as unknown as RouteTable;

/** What the caller sees when a call ends with `error`. */
function answerOf(error: unknown, method: string, url: string): { status: number; headers: Record<string, string>; body: Record<string, unknown> } {
  const seen = { status: 0, headers: {} as Record<string, string>, body: {} as Record<string, unknown> };
  const reply = {
    sent: false,
    code(status: number) { seen.status = status; return reply; },
    header(name: string, value: string) { seen.headers[name] = value; return reply; },
    headers(more: Record<string, string>) { Object.assign(seen.headers, more); return reply; },
    send(body: Record<string, unknown>) { seen.body = body; return reply; },
  };
  const request = { id: 'r1', method, url, headers: { 'accept-language': 'xx' } };
  new RefusalFilter(routes).catch(error, { switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }) } as unknown as ArgumentsHost);
  return seen;
}

test('a known path under another method is 405 with the methods it knows; a call that is hidden is nowhere [EDGE-010]', () => {
  expect(answerOf(new Refused('common.noRoute'), 'POST', '/api/time?a=1')).toMatchObject({ status: 405, headers: { allow: 'GET' }, body: { key: 'common.noMethod', request_id: 'r1' } });
  for (const [method, url] of [['GET', '/api/time'], ['GET', '/dev/clock'], ['POST', '/dev/clock'], ['GET', '/nothing']] as const) {
    expect(answerOf(new Refused('common.noRoute'), method, url)).toMatchObject({ status: 404, body: { key: 'common.noRoute' } });
  }
});

test('a defect tells its request id and nothing else [EDGE-010]', () => {
  const { status, body } = answerOf(new Error('password of the database is x'), 'GET', '/api/time');
  expect(status).toBe(500);
  expect(Object.keys(body).sort()).toEqual(['key', 'message', 'request_id', 'type']);
  expect(JSON.stringify(body)).not.toContain('password');
});
