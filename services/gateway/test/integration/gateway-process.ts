import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SEED_CURRENCIES, SEED_PAIRS } from '@bourse/contract';
import { ReferenceRowV1 } from '@bourse/events';
import {
  Asks,
  AskUnavailable,
  authAsks,
  Counters,
  createServiceApp,
  InfraModule,
  serviceAsks,
  Views,
  type ServiceDescription,
} from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import {
  Call,
  CurrentCaller,
  loadConfig,
  loggingModule,
  Notice,
  Readiness,
  Refused,
  type Caller,
  type Config,
} from '@bourse/platform';
import { testDatabases } from '@bourse/testing';
import { GatewayModule } from '../../src/index.js';
import { MIGRATIONS } from '../../src/shared/persistence/gateway-database.js';

/** A double of a service that describes itself. */
export function describeService(asks: Asks, description: ServiceDescription): void {
  asks.handle(serviceAsks.describe(description.service), () => description);
}

/** Calls that show the edge's work around a handler. */
@Controller()
class ProbeController {
  @Call({ method: 'POST', path: '/api/probe/money', auth: 'user', money: true })
  money(@CurrentCaller() caller: Caller): Notice {
    return new Notice('common.success', { user: caller.userId });
  }
  @Call({ method: 'POST', path: '/api/probe/cancel', auth: 'user', money: true, whileFrozen: true })
  cancel(): string {
    return 'cancelled';
  }

  @Call({ method: 'POST', path: '/api/probe/slow_money', auth: 'user', money: true })
  slowMoney(): Promise<never> {
    return new Promise(() => undefined);
  }
  @Call({ method: 'POST', path: '/api/probe/slow', auth: 'user' })
  slow(): Promise<never> {
    return new Promise(() => undefined);
  }
  @Call({ method: 'POST', path: '/api/probe/trade', auth: 'user', gates: ['trade'] })
  trade(): string {
    return 'traded';
  }
  @Call({ method: 'POST', path: '/api/probe/new_order', auth: 'user', gates: ['trade'], money: true })
  newOrder(): string {
    return 'taken';
  }
  @Call({ method: 'POST', path: '/api/probe/out', auth: 'user', gates: ['out'], money: true })
  out(): string {
    return 'sent';
  }
  @Call({ method: 'POST', path: '/api/probe/lever', auth: 'user', breaker: 'lever' })
  lever(): string {
    return 'opened';
  }
  @Call({ method: 'POST', path: '/api/probe/down', auth: 'user' })
  down(): never {
    throw new AskUnavailable('ledger is down');
  }
  @Call({ method: 'POST', path: '/api/probe/defect', auth: 'public' })
  defect(): never {
    throw new Error('the password is swordfish');
  }
  @Call({ method: 'POST', path: '/api/probe/order', auth: 'user', rate: 'order' })
  order(): string {
    return 'placed';
  }
  @Call({ method: 'GET', path: '/api/probe/points', auth: 'points' })
  points(): string {
    return 'points';
  }
  @Call({ method: 'POST', path: '/api/probe/keyed', auth: 'user', money: true, apiKey: 'trade' })
  keyed(@CurrentCaller() caller: Caller): Notice {
    return new Notice('common.success', { user: caller.userId, number: (this.done += 1) });
  }
  @Call({ method: 'GET', path: '/api/probe/own', auth: 'user' })
  own(@CurrentCaller() caller: Caller): number {
    return caller.userId;
  }
  @Call({ method: 'GET', path: '/api/user/probe', auth: 'user' })
  personal(): string {
    return 'nothing for programs';
  }
  @Call({ method: 'POST', path: '/api/probe/keyed_out', auth: 'user', gates: ['out'], money: true, apiKey: 'trade' })
  keyedOut(): string {
    return 'never';
  }
  @Call({ method: 'GET', path: '/api/probe/operator', auth: 'operator', role: 'support', apiKey: 'read' })
  operator(): string {
    return 'never';
  }
  private done = 0;
  @Call({ method: 'POST', path: '/api/probe/sign_in', auth: 'public', rate: 'signIn', account: 'user_string' })
  signIn(): never {
    throw new Refused('auth.wrong');
  }
  @Post('/api/probe/bare')
  bare(): string {
    return 'nobody may see this';
  }
}
@Module({ controllers: [ProbeController] })
class ProbeModule {}

/** A window of a rate is so many times as long while calls must fall into one. */
const WINDOWS_IN_ONE = 600;

export interface GatewayProcess {
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly views: Views;
  /** People as auth knows them; tests change them. */
  readonly people: Map<number, Caller>;
  /** API keys as auth knows them. */
  readonly keys: Map<string, { caller: Caller; secret: string; permissions: string[]; ips: string[] }>;
  /** Number of questions to auth for a session, and for a key. */
  readonly asked: { sessions: number; keys: number };
  token(userId: number, claims?: object): string;
  /** All calls that are made meanwhile fall into one window of the person's rate, however slow the machine is. */
  inOneWindow<T>(userId: number, run: () => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

export const person = (userId: number, more: Partial<Caller> = {}): Caller => ({
  userId,
  sessionId: `s${userId}`,
  kind: 'user',
  lang: 'en',
  reviewStatus: 2,
  hasFundPassword: true,
  fundMustReset: false,
  hasPayment: true,
  frozen: 'none',
  isSeller: false,
  isAcceptor: false,
  region: '',
  accountNumber: '',
  roles: [],
  permissions: [],
  ...more,
});

/** A production gateway alone, with auth played by the test; `env` are settings beside the usual ones. */
export async function startGateway(env: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> {
  const databases = await testDatabases({ shape: { schema: 'gateway', migrations: MIGRATIONS } });
  const dataDir = mkdtempSync(join(tmpdir(), 'bourse-gateway-'));
  const secrets = Object.fromEntries(
    [
      'JWT_SECRET',
      'INTERNAL_SECRET',
      'PASSWORD_PEPPER',
      'ANSWER_SECRET',
      'WALLET_MIDDLEWARE_SECRET',
      'WALLET_KEY_SECRET',
      'TICK_KEY_SECRET',
    ].map((name) => [name, randomBytes(32).toString('base64url')]),
  );
  const config: Config = loadConfig({
    ...secrets,
    PRICE_FEED: 'live:binance',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    METRICS_PORT: '0',
    ...env,
  });
  const app = await createServiceApp({
    config,
    edge: true,
    imports: [
      loggingModule(config),
      InfraModule.forRoot({ config, embedded: true, databaseUrl: databases.url }),
      GatewayModule,
      ProbeModule,
    ],
  });
  const people = new Map<number, Caller>();
  const keys: GatewayProcess['keys'] = new Map();
  const asked = { sessions: 0, keys: 0 };
  const asks = app.get(Asks);
  asks.handle(authAsks.session, ({ token }) => {
    asked.sessions += 1;
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { sub: string };
    return Promise.resolve(people.get(Number(sub)) ?? null);
  });
  asks.handle(authAsks.apiKey, ({ key }) => {
    asked.keys += 1;
    return Promise.resolve(keys.get(key) ?? null);
  });
  asks.handle(authAsks.activeSessions, ({ sessionIds }) => {
    const active = [...people.values(), ...[...keys.values()].map(({ caller }) => caller)];
    return sessionIds.filter((id) => active.some(({ sessionId }) => sessionId === id));
  });
  asks.handle(authAsks.caller, ({ userId }) => Promise.resolve(people.get(userId) ?? null));
  const market = await app.get(Databases).open({ schema: 'market', migrations: [] });
  await market.transaction((tx) => {
    for (const row of SEED_CURRENCIES)
      tx.emit(
        'reference',
        0,
        ReferenceRowV1.encode({ kind: 'currency', id: String(row.id), version: 1, row: { ...row } }),
      );
    for (const row of SEED_PAIRS)
      tx.emit('reference', 0, ReferenceRowV1.encode({ kind: 'pair', id: String(row.id), version: 1, row: { ...row } }));
    return Promise.resolve();
  });
  await app.listen(0, '127.0.0.1');
  await app.get(Readiness).whenReady();
  const { port } = app.getHttpServer().address() as AddressInfo;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    url: `http://127.0.0.1:${port}`,
    app,
    views: app.get(Views),
    people,
    keys,
    asked,
    token(userId, claims = {}) {
      const payload = { sub: String(userId), sid: `s${userId}`, exp: 4_000_000_000, ...claims };
      const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}`;
      return `${head}.${createHmac('sha256', config.jwtSecret).update(head).digest('base64url')}`;
    },
    async inOneWindow(userId, run) {
      const counters = app.get(Counters);
      const hit = counters.hit.bind(counters);
      const window = randomBytes(8).toString('hex');
      // Counted under a name of its own: a window of an earlier call may be open, and end between these.
      counters.hit = (key, windowMs, times) =>
        key.startsWith(`rate:user:${userId}:`)
          ? hit(`${key}:${window}`, WINDOWS_IN_ONE * windowMs, times)
          : hit(key, windowMs, times);
      try {
        return await run();
      } finally {
        counters.hit = hit;
      }
    },
    async end() {
      await app.close();
      await databases.end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
