import type { IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { LedgerReply } from '@bourse/events';
import {
  INTERNAL_REQUESTS_MAX,
  InternalCalls,
  InternalPort,
  loadConfig,
  loggingModule,
  Readiness,
  Refused,
  ServiceKeys,
  type ServiceName,
} from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import {
  AskUnavailable,
  Asks,
  closeApp,
  Counters,
  createServiceApp,
  defineAsk,
  InfraModule,
  Marks,
  Replies,
  shape,
  Views,
  watchConnections,
  type Ask,
} from '../../src/index.js';

/** An ask of notices about a number. */
const number = (what: string, ...askedBy: readonly ServiceName[]): Ask<{ n: number }, number> =>
  defineAsk(`notices.${what}`, { question: shape(), answer: shape(), askedBy });

jest.setTimeout(testTimeoutMs(24_000));

const PATH = '/internal/ask/notices.count';
const BODY = '{"question":{},"timeoutMs":2000}';

@Module({})
class Nothing {}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}

describe('two processes of the distributed run', () => {
  let databases: TestDatabases;
  let apps: NestFastifyApplication[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'bourse-test-'));

  beforeAll(async () => {
    databases = await testDatabases();
    const ports = [await freePort(), await freePort()];
    const services = JSON.stringify({
      gateway: `http://127.0.0.1:${ports[0]}`,
      notices: `http://127.0.0.1:${ports[1]}`,
    });
    apps = await Promise.all(
      ['gateway', 'notices'].map(async (name, index) => {
        const config = loadConfig({
          BOURSE_DEV: '1',
          BOURSE_RUN: 'distributed',
          BOURSE_SERVICE: name,
          BOURSE_SERVICES: services,
          DATA_DIR: dataDir,
          LOG_LEVEL: 'error',
          DATABASE_URL: databases.url,
          REDIS_URL: process.env.TEST_REDIS_URL,
          KAFKA_BROKERS: process.env.TEST_KAFKA_BROKERS,
        });
        const app = await createServiceApp({
          config,
          edge: false,
          imports: [loggingModule(config), InfraModule.forRoot({ config, embedded: false }) as DynamicModule, Nothing],
        });
        watchConnections(app);
        await app.listen(ports[index] as number, '127.0.0.1');
        return app;
      }),
    );
    await Promise.all(apps.map((app) => app.get(Readiness).whenReady()));
  });
  afterAll(async () => {
    for (const app of apps) await closeApp(app);
    await databases?.end();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const [of, other] = [
    <T>(token: abstract new (...args: never[]) => T): T => apps[0]!.get(token as never),
    <T>(token: abstract new (...args: never[]) => T): T => apps[1]!.get(token as never),
  ];

  test('an ask crosses processes, with refusals as refusals and failures as unavailable [LOG-010]', async () => {
    other(Asks).handle(number('double', 'gateway'), ({ n }) => 2 * n);
    other(Asks).handle(number('refuse', 'gateway'), () => {
      throw new Refused('fund.wrong', { left: 2 }, { type: 'error', field: 'pay_password' });
    });
    other(Asks).handle(number('fail', 'gateway'), () => {
      throw new Error('broken');
    });
    other(Asks).handle(number('private', 'auth'), () => 1);
    other(Asks).handle(number('forgotten'), () => 2);
    await expect(of(Asks).ask(number('double'), { n: 21 })).resolves.toBe(42);
    await expect(of(Asks).ask(number('refuse'), { n: 1 })).rejects.toMatchObject({
      key: 'fund.wrong',
      params: { left: 2 },
      options: { field: 'pay_password' },
    });
    await expect(of(Asks).ask(number('refuse'), { n: 1 })).rejects.toBeInstanceOf(Refused);
    await expect(of(Asks).ask(number('fail'), { n: 1 })).rejects.toBeInstanceOf(AskUnavailable);
    await expect(of(Asks).ask(number('nobody'), { n: 1 }, 300)).rejects.toBeInstanceOf(AskUnavailable);
    // [HARD-209] A service that is not on the list of an ask is refused; an empty list allows no other service.
    await expect(of(Asks).ask(number('private'), { n: 1 })).rejects.toMatchObject({ key: 'common.forbidden' });
    await expect(of(Asks).ask(number('forgotten'), { n: 1 })).rejects.toMatchObject({ key: 'common.forbidden' });
    await expect(other(Asks).ask(number('forgotten'), { n: 1 })).resolves.toBe(2);
    await expect(of(Asks).ask({ ...number('any'), name: 'auth.any' }, { n: 1 })).rejects.toBeInstanceOf(AskUnavailable);
  });

  test('callers meet a new connection after some hundred calls, and lose none [EDGE-046]', async () => {
    other(Asks).handle(number('same', 'gateway'), ({ n }) => n);
    const sockets = new Set<Socket>();
    const server = apps[1]!.getHttpServer();
    const note = ({ socket }: IncomingMessage): void => void sockets.add(socket);
    server.on('request', note);
    try {
      const calls = 2 * INTERNAL_REQUESTS_MAX + 10;
      for (let n = 0; n < calls; n += 1) expect(await of(Asks).ask(number('same'), { n })).toBe(n);
      expect(sockets.size).toBeGreaterThanOrEqual(2);
      // Many at once, each connection at another count.
      const all = Array.from({ length: calls }, (_, n) => n);
      for (let at = 0; at < calls; at += 50) {
        const some = all.slice(at, at + 50);
        expect(await Promise.all(some.map((n) => of(Asks).ask(number('same'), { n })))).toEqual(some);
      }
    } finally {
      server.removeListener('request', note);
    }
  });

  test('an ask without the signature is refused [LOG-010]', async () => {
    const response = await fetch(new URL('/internal/ask/notices.double', await apps[1]!.getUrl()), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"question":{"n":1}}',
    });
    expect(await response.text()).not.toContain('double');
    expect(response.status).not.toBe(200);
  });

  test('the edge answers services at a port of theirs, and no internal call at the public one [EDGE-047]', async () => {
    const port = await freePort();
    const config = loadConfig({
      BOURSE_DEV: '1',
      BOURSE_RUN: 'distributed',
      BOURSE_SERVICE: 'gateway',
      BOURSE_SERVICE_PORT: String(port),
      BOURSE_SERVICES: JSON.stringify({ gateway: `http://127.0.0.1:${port}` }),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      DATABASE_URL: databases.url,
      REDIS_URL: process.env.TEST_REDIS_URL,
      KAFKA_BROKERS: process.env.TEST_KAFKA_BROKERS,
    });
    const edge = await createServiceApp({
      config,
      edge: true,
      imports: [loggingModule(config), InfraModule.forRoot({ config, embedded: false }) as DynamicModule, Nothing],
    });
    watchConnections(edge);
    try {
      await edge.listen(0, '127.0.0.1');
      await edge.get(InternalPort).listen();
      edge.get(Asks).handle({ ...number('same', 'notices'), name: 'gateway.same' }, ({ n }) => n);
      const [url, body] = ['/internal/ask/gateway.same', '{"question":{"n":7},"timeoutMs":2000}'];
      const send = async (base: string, headers: Readonly<Record<string, string>> = {}): Promise<[number, string]> => {
        const answer = await fetch(new URL(url, base), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
        });
        return [answer.status, await answer.text()];
      };
      const signed = (): Readonly<Record<string, string>> =>
        other(InternalCalls).sign('gateway', { method: 'POST', url, body }, Date.now());
      const [open, internal] = [await edge.getUrl(), `http://127.0.0.1:${port}`];
      expect(await send(internal, signed())).toEqual([200, '{"answer":7}']);
      const [status, text] = await send(open, signed());
      expect([status, text]).toEqual([404, expect.stringContaining('common.noRoute')]);
      expect((await send(internal))[0]).toBe(404);
      for (const path of ['/healthz', '/readyz', '/metrics', '/api/config', '/'])
        expect([path, (await fetch(new URL(path, internal))).status]).toEqual([path, 404]);
      expect((await fetch(new URL('/healthz', open))).status).toBe(200);
    } finally {
      await closeApp(edge);
    }
    await expect(fetch(`http://127.0.0.1:${port}/internal/routes`)).rejects.toThrow();
  });

  test('a captured ask is not answered again, nor with another body, address or name [HARD-209]', async () => {
    let answered = 0;
    other(Asks).handle(number('count', 'gateway'), () => (answered += 1));
    const base = await apps[1]!.getUrl();
    const send = async (
      headers: Readonly<Record<string, string>>,
      { body = BODY, path = PATH }: { body?: string; path?: string } = {},
    ): Promise<number> =>
      (
        await fetch(new URL(path, base), {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
        })
      ).status;
    const signed = (calls = of(InternalCalls)): Readonly<Record<string, string>> =>
      calls.sign('notices', { method: 'POST', url: PATH, body: BODY }, Date.now());
    const captured = signed();
    expect(await send(captured)).toBe(200);
    expect(await send(captured)).toBe(403);
    expect(await send(signed(), { body: BODY.replace('{}', '{"all":1}') })).toBe(403);
    expect(await send(signed(), { body: '' })).toBe(403);
    expect(await send(signed(), { path: `${PATH}?all=1` })).toBe(403);
    expect(await send(signed(), { path: PATH.replace('count', 'double') })).toBe(403);
    // The key of one service, and the name of another.
    const { keys } = loadConfig({ BOURSE_DEV: '1', DATA_DIR: dataDir, BOURSE_SERVICE: 'market-data' });
    const forged = new InternalCalls(() =>
      Object.assign(Object.create(ServiceKeys.prototype) as ServiceKeys, keys(), { service: 'gateway' }),
    );
    expect(await send(signed(forged))).toBe(403);
    expect(answered).toBe(1);
  });

  test('views reach subscribers of channel and prefix; late ones get a kept value [LOG-011]', async () => {
    const got: [string, unknown][] = [];
    const end = of(Views).subscribe('depth/', (payload, channel) => got.push([channel, payload]));
    await eventually(() => {
      other(Views).publish('depth/BTC/USDT', { seq: 1 }, true);
      return got.length > 0;
    });
    expect(got[0]).toEqual(['depth/BTC/USDT', { seq: 1 }]);
    await expect(of(Views).kept('depth/BTC/USDT')).resolves.toEqual({ seq: 1 });
    const late: unknown[] = [];
    of(Views).subscribe('depth/BTC/USDT', (payload) => late.push(payload));
    await eventually(() => late.length > 0);
    expect(late[0]).toEqual({ seq: 1 });
    end();
  });

  test('a reply reaches the waiting process; a lost one is read from the store [LOG-012]', async () => {
    const reply = (commandId: string): LedgerReply => ({
      commandId,
      ok: true,
      answer: { type: 'ok' },
      repeated: false,
    });
    const waiting = of(Replies).wait('c1', 5_000);
    other(Replies).publish(of(Replies).instance, reply('c1'));
    await expect(waiting).resolves.toEqual(reply('c1'));
    const since = Date.now();
    await expect(of(Replies).wait('c2', 5_000, async () => reply('c2'))).resolves.toEqual(reply('c2'));
    expect(Date.now() - since).toBeGreaterThanOrEqual(290);
    await expect(of(Replies).wait('c3', 100)).resolves.toBeNull();
  });

  test('a mark that one process sets is found by the other until it expires [LOG-025]', async () => {
    const name = `m${Date.now()}`;
    expect(await other(Marks).find([name])).toBeNull();
    of(Marks).leave(name, 1_500);
    await eventually(async () => (await other(Marks).find(['x', name])) === name);
    expect(await of(Marks).find([name])).toBe(name);
    await eventually(async () => (await other(Marks).find([name])) === null, 5_000);
    expect(await other(Marks).find([])).toBeNull();
  });

  test('counters are shared [LOG-013]', async () => {
    const key = `t${Date.now()}`;
    expect((await of(Counters).hit(key, 10_000)).count).toBe(1);
    const second = await other(Counters).hit(key, 10_000);
    expect(second.count).toBe(2);
    expect(second.resetsInMs).toBeGreaterThan(0);
    expect(second.resetsInMs).toBeLessThanOrEqual(10_000);
  });
});
