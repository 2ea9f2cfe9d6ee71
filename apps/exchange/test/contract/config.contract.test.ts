import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import type { Check } from './audit.js';
import { BASE, get, post, signIn, trader } from './client.js';

describe('settings and time', () => {
  test('a client learns its configuration before the sign-in [EDGE-015]', async () => {
    expect((await get('/api/config')).body.message).toEqual({
      languages: ['en', 'tr', 'th', 'ar', 'vi', 'ko', 'zh', 'pt', 'hk', 'jp', 'es', 'de', 'fr', 'it', 'sv', 'cr'],
      default_locale: 'en',
      theme: 'dark',
      login_need_code: 0,
      invite_code_must: 0,
      is_open_CTbi: 1,
      socket_path: '/socket.io',
      socket_port: expect.any(Number),
      support_url: expect.any(String),
      source_url: expect.any(String),
      app: { ios: expect.any(String), android: expect.any(String), mobile_path: expect.any(String) },
      dev: 1,
      server_time: expect.any(Number),
    });
  });

  test('status shows modes, the age of the feed, and how fast orders are [EDGE-015, HARD-485]', async () => {
    const { body } = await get('/api/status');
    expect(body.message).toMatchObject({
      modes: expect.any(Object),
      feed: expect.stringMatching(/^(recorded|simulated)$/),
      feed_age_ms: expect.any(Number),
      feeds: { 'BTC/USDT': { sources: 1, fresh: 1, at: expect.any(Number) } },
      database: 'ok',
      audit: expect.stringMatching(/^(ok|alarm)$/),
      latency_ms: {
        submit_to_ack: { p50: expect.any(Number), p99: expect.any(Number) },
        ack_to_push: { p50: expect.any(Number), p99: expect.any(Number) },
      },
    });
  });

  test('status has the version and the breakers of products [EDGE-039]', async () => {
    const { version, breakers } = (await get('/api/status')).body.message;
    const manifest = new URL('../../../../package.json', import.meta.url);
    expect(version).toBe((JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version);
    expect(breakers).toMatchObject({ withdraw: 'normal', c2c: 'normal', lever: 'normal', micro: 'normal' });
    expect(Object.values(breakers).filter((mode) => mode !== 'normal')).toEqual([]);
  });

  test('status has auditors, markets, volume and trades of the day [EDGE-038]', async () => {
    const told = await eventuallySatisfied(
      async () => (await get('/api/status')).body.message,
      (status) => status['audit_time'] !== null && status['volume_24h'] !== null,
    );
    expect(told).toMatchObject({
      audit_time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      audit_age_ms: expect.any(Number),
      audit_checks: expect.any(Number),
      markets: 9,
      volume_24h: expect.stringMatching(/^\d+\.\d\d$/),
      trades_today: expect.any(Number),
    });
    expect(Number(told['audit_age_ms'])).toBeGreaterThanOrEqual(0);
    expect(Number(told['audit_checks'])).toBeGreaterThan(10);
  });
});

interface Audit {
  readonly ok: number;
  readonly checked_at: string;
  readonly checks: readonly Check[];
  readonly breakers: readonly unknown[];
}

describe('a demo install', () => {
  test('every message sent is in the inbox, newest first, by address and scene [EDGE-016]', async () => {
    const address = `inbox-${Date.now()}@example.com`;
    expect((await post('/api/sms_mail', { user_string: address, scene: 'register' })).body.type).toBe('ok');
    const { body } = await get('/dev/inbox', { to: address, scene: 'register', limit: 5 });
    expect(body.message).toEqual([
      {
        to: address,
        scene: 'register',
        code: expect.stringMatching(/^\d{6}$/),
        text: expect.any(String),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    ]);
    expect((await get('/dev/inbox', { to: 'nobody@example.com' })).body.message).toEqual([]);
  });

  test('the audit joins the checks of the services [EDGE-016]', async () => {
    // The delay of a stream, which a busy machine has for a moment, passes.
    const sound = async (): Promise<Audit> => (await get('/dev/audit')).body.message as Audit;
    const {
      ok,
      checked_at: at,
      checks,
      breakers,
    } = await eventuallySatisfied(sound, (audit) => audit.ok === 1, 10_000);
    expect(at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(checks.some(({ name }) => name.startsWith('wallet-ledger.'))).toBe(true);
    expect(checks.some(({ name }) => name.startsWith('spot-matching.'))).toBe(true);
    expect(checks.filter((check) => check.ok !== 1)).toEqual([]);
    expect(ok).toBe(1);
    expect(Array.isArray(breakers)).toBe(true);
  });
});

describe('the terminal', () => {
  test.each([
    '/',
    '/dealCenter?legalId=3&currencyId=1',
    '/account/accountEntrust',
    '/accountEntrust',
    '/components/login?type=1',
    '/new_account/dealFinance',
    '/noticeDetail?id=1',
  ])('%s answers the page [EDGE-017]', async (path) => {
    const response = await fetch(`${BASE}${path}`);
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(await response.text()).toContain('<div id="root">');
  });

  test('files with a hash in their name are kept for ever and travel packed [EDGE-017]', async () => {
    const page = await (await fetch(`${BASE}/`)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    const response = await fetch(`${BASE}${script}`, { headers: { 'accept-encoding': 'br' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('br');
    const again = await fetch(`${BASE}${script}`, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  test.each([
    '/assets/missing.js',
    '/../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/package.json',
    '/package.json',
    '/.env',
    '/assets/',
  ])('%s is not served [EDGE-017]', async (path) => {
    expect((await fetch(`${BASE}${path}`, { headers: { accept: '*/*' } })).status).toBe(404);
  });

  test('an address that is none shows the page, with 404 [EDGE-017]', async () => {
    const response = await fetch(`${BASE}/no/such/page`, { headers: { accept: 'text/html' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

test('only the owner can query missed events of the private stream [SOCKET-007]', async () => {
  expect((await get('/api/stream/since', { user_seq: 1 })).body.type).toBe('999');
  const token = await trader(2);
  const old = (await get('/api/stream/since', { user_seq: 1 }, { token })).body.message;
  expect(old.complete).toBe(0);
  const now = (await get('/api/stream/since', { user_seq: old.user_seq }, { token })).body.message;
  expect([now.complete, now.events]).toEqual([1, []]);
  expect((await get('/api/stream/since', {}, { token: await signIn('nopay@demo.bourse') })).body).toMatchObject({
    key: 'common.fieldRequired',
    field: 'user_seq',
  });
});
