import { createServer, type AddressInfo } from 'node:net';
import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Counters, InProcessCounters } from '@bourse/messaging';
import { SecurityLog } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { person, startGateway, type GatewayProcess } from './gateway-process.js';

jest.setTimeout(testTimeoutMs(24_000));

/* Attacks on the edge of a production exchange, with the rates of production. */
interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}
/** One request as given: `fetch` would not let us name the host. */
function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString('utf8'),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const raw: Duplex[] = [];
/** Opens a websocket and never says hello: whether it was taken. */
function knock(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      hostname,
      port,
      path: '/socket.io/?EIO=4&transport=websocket',
      agent: false,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    request.on('upgrade', (_response, socket) => {
      raw.push(socket);
      socket.on('error', () => undefined);
      resolve(true);
    });
    request.on('response', (response) => {
      response.resume();
      resolve(false);
    });
    request.on('error', reject);
    request.end();
  });
}
async function knocks(url: string, count: number, headers: (at: number) => Record<string, string>): Promise<number> {
  let taken = 0;
  for (let at = 0; at < count; at += 1) if (await knock(url, headers(at))) taken += 1;
  return taken;
}
const hangUp = (): void => {
  for (const socket of raw.splice(0)) socket.destroy();
};
afterEach(hangUp);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a production gateway without named proxies', () => {
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await startGateway({ LOG_LEVEL: 'silent' });
  });
  afterAll(() => gateway.end());

  test('refused sign-ins with names of 94 kB leave a handful of short counters behind [HARD-204]', async () => {
    const counters = gateway.app.get(Counters) as InProcessCounters;
    const hits = jest.spyOn(counters, 'hit');
    const before = counters.size;
    const statuses: number[] = [];
    for (let at = 0; at < 60; at += 1)
      statuses.push(
        (
          await send(
            gateway.url,
            'POST',
            '/api/probe/sign_in',
            FORM,
            new URLSearchParams({ user_string: `${at}-`.repeat(94_000).slice(0, 94_000), password: 'x' }).toString(),
          )
        ).status,
      );
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    // The address, its sign-ins, and one for each account that was let in.
    expect(counters.size - before).toBeLessThanOrEqual(2 + 20);
    expect(Math.max(...hits.mock.calls.map(([key]) => key.length))).toBeLessThan(120);
    // Of a refused one the address and its sign-ins are counted, and nothing after that.
    expect(hits.mock.calls.length).toBe(20 * 3 + 40 * 2);
    hits.mockRestore();
  });

  test('websockets that never say hello are twenty of an address, and give their places back [HARD-312]', async () => {
    expect(await knocks(gateway.url, 26, () => ({}))).toBe(20);
    hangUp();
    await eventually(() => knock(gateway.url));
  });

  test('without a list no foreign page is admitted, even under the host name of the request [HARD-313]', async () => {
    for (const host of ['exchange.example', 'localhost:8080', 'evil.test'])
      for (const origin of [`http://${host}`, `https://${host}`]) {
        expect([origin, await knock(gateway.url, { host, origin })]).toEqual([origin, false]);
        const { headers } = await send(gateway.url, 'GET', '/api/time', { host, origin });
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
  });

  test('forwarded addresses of unnamed proxies are ignored and logged [HARD-208]', async () => {
    const spoofed = (at: number): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${at}` });
    expect(await knocks(gateway.url, 26, spoofed)).toBe(20);
    const text = (await send(gateway.url, 'GET', '/metrics', { host: 'localhost' })).text;
    expect(Number(/^bourse_forwarded_unnamed_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(26);
  });

  test('a missing role is logged in the security log, with the id, ten times a minute at most [HARD-206]', async () => {
    gateway.people.set(9, person(9));
    const record = jest.spyOn(gateway.app.get(SecurityLog), 'record');
    for (let at = 0; at < 15; at += 1)
      expect((await send(gateway.url, 'GET', '/api/probe/operator', { authorization: gateway.token(9) })).status).toBe(
        403,
      );
    expect((await send(gateway.url, 'GET', '/api/probe/own', { 'x-api-key': 'nobodys-key' })).status).toBe(401);
    const written = record.mock.calls;
    expect(written.filter(([event]) => event === 'access.refused')).toHaveLength(10);
    expect(written[0]).toEqual([
      'access.refused',
      expect.objectContaining({
        ip: '127.0.0.1',
        user_id: 9,
        path: '/api/probe/operator',
        key: 'common.forbidden',
        request_id: expect.any(String),
      }),
    ]);
    expect(written.filter(([event]) => event === 'api_key.refused')).toHaveLength(1);
    record.mockRestore();
  });
});

describe('a production gateway behind a network of proxies, under a name, with a port for metrics', () => {
  let gateway: GatewayProcess;
  let metricsPort: number;
  beforeAll(async () => {
    metricsPort = await freePort();
    gateway = await startGateway({
      TRUSTED_PROXIES: '10.0.0.0/8,127.0.0.0/8',
      PUBLIC_ORIGINS: 'https://exchange.example',
      METRICS_PORT: String(metricsPort),
    });
  });
  afterAll(() => gateway.end());

  test('thirty people behind it have thirty sockets and calls of their own [HARD-208]', async () => {
    const own = (at: number): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${at}` });
    expect(await knocks(gateway.url, 30, own)).toBe(30);
    for (let at = 0; at < 30; at += 1)
      expect((await send(gateway.url, 'GET', '/api/time', { 'x-forwarded-for': `203.0.113.${at}` })).status).toBe(200);
  });

  test("a client's own forwarded address, or claim to be a proxy, is ignored [HARD-208]", async () => {
    const spoofed = (at: number): Record<string, string> => ({
      'x-forwarded-for': `203.0.113.${at}, 10.0.0.${at}, 198.51.100.7`,
    });
    expect(await knocks(gateway.url, 26, spoofed)).toBe(20);
    hangUp();
    const through = (at: number): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.9, 10.0.0.${at}` });
    expect(await knocks(gateway.url, 26, through)).toBe(20);
  });

  test('the addresses of one IPv6 /64 are one, for sockets and calls [HARD-314]', async () => {
    const site = (at: number): Record<string, string> => ({ 'x-forwarded-for': `2001:db8:0:7::${at.toString(16)}` });
    expect(await knocks(gateway.url, 26, site)).toBe(20);
    const statuses: number[] = [];
    for (let at = 0; at < 24; at += 1)
      statuses.push((await send(gateway.url, 'POST', '/api/probe/sign_in', { ...FORM, ...site(at) }, 'a=1')).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  });

  test('our page opens sockets and reads, a foreign one that was led here does not [HARD-313]', async () => {
    const allowed = async (headers: Record<string, string>): Promise<unknown> =>
      (await send(gateway.url, 'GET', '/api/time', headers)).headers['access-control-allow-origin'];
    expect(await knock(gateway.url, { origin: 'https://exchange.example' })).toBe(true);
    expect(await allowed({ origin: 'https://exchange.example' })).toBe('https://exchange.example');
    const rebound = { host: 'evil.test', origin: 'https://evil.test' };
    expect(await knock(gateway.url, rebound)).toBe(false);
    expect(await allowed(rebound)).toBeUndefined();
  });

  test('metrics and details are on their own port; the public one shows only the status [HARD-308]', async () => {
    const own = `http://127.0.0.1:${metricsPort}`;
    expect((await send(gateway.url, 'GET', '/metrics')).status).toBe(404);
    expect(JSON.parse((await send(gateway.url, 'GET', '/readyz')).text)).toEqual({ status: 'ok' });
    expect(JSON.parse((await send(own, 'GET', '/readyz')).text)).toEqual({ status: 'ok', alarms: [] });
    expect(JSON.parse((await send(own, 'GET', '/healthz')).text)).toEqual({ status: 'ok' });
    const metrics = await send(own, 'GET', '/metrics');
    expect([metrics.status, String(metrics.headers['content-type'])]).toEqual([
      200,
      expect.stringContaining('text/plain'),
    ]);
    expect(metrics.text).toContain('bourse_ready 1');
    expect([(await send(own, 'GET', '/api/time')).status, (await send(own, 'POST', '/metrics')).status]).toEqual([
      404, 405,
    ]);
    const paths = Object.keys(
      (JSON.parse((await send(gateway.url, 'GET', '/api/openapi.json')).text) as { paths: object }).paths,
    );
    expect(paths.filter((path) => /^\/(dev|api\/admin)\//.test(path))).toEqual([]);
  });
});
