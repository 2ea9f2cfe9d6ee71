import { Asks, authAsks, createServiceApp, gatewayAsks, InfraModule, Views, walletLedgerAsks } from '@bourse/messaging';
import { Clock, loadConfig, loggingModule, InternalCalls, type CallContext, type Caller } from '@bourse/platform';
import { callDeadline, testDatabases, type TestDatabases } from '@bourse/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Passwords } from '../../src/shared/application/ports/passwords.js';
import { AuthModule } from '../../src/index.js';
import { AUTH_SPEC } from '../../src/shared/persistence/auth-database-spec.js';

export interface Answered {
  readonly type: string;
  readonly message: unknown;
  readonly key?: string;
  readonly params?: Record<string, number>;
  readonly [extra: string]: unknown;
}
export interface Device {
  readonly ip?: string;
  readonly agent?: string;
  /** Hash of the id that the browser has of its own. */
  readonly device?: string;
  readonly caller?: Caller | null;
}
export interface AuthProcess {
  readonly asks: Asks;
  readonly views: Views;
  readonly clock: Clock;
  readonly databases: TestDatabases;
  /** Images that the gateway would have: each of one person and one scene. */
  readonly uploads: Map<string, { readonly userId: number; readonly scene: string }>;
  /** A provider of the process, for inspection. */
  get$<T>(token: abstract new (...args: never[]) => T): T;
  /** Whether passwords are hashed at the cost of a real install; unrelated tests hash cheaply. */
  hashesDearly(dearly: boolean): void;
  /** Sets how long each later call may be accepted, ms; null: the long limit of tests. */
  limitCalls(ms: number | null): void;
  /** A call as the gateway would pass it on. */
  post(path: string, fields?: Record<string, string>, device?: Device): Promise<Answered>;
  get(path: string, device?: Device): Promise<Answered>;
  remove(path: string, fields?: Record<string, string>, device?: Device): Promise<Answered>;
  /** The newest code in the demo inbox. */
  code(to: string, scene: string): Promise<string>;
  end(): Promise<void>;
}

export const PEPPER = 'a pepper for tests only';

/** Auth alone, on a database of its own, behind the internal guard. */
export async function startAuth(env: Readonly<Record<string, string>> = {}): Promise<AuthProcess> {
  const databases = await testDatabases({ shape: AUTH_SPEC });
  const dataDir = mkdtempSync(join(tmpdir(), 'bourse-auth-'));
  const config = loadConfig({
    BOURSE_DEV: '1',
    BOURSE_SERVICE: 'auth',
    DATA_DIR: dataDir,
    DATABASE_URL: databases.url,
    LOG_LEVEL: 'error',
    PASSWORD_PEPPER: PEPPER,
    // The same at each start, as on an install: the database contains data made with them.
    JWT_SECRET: 'signs tokens in tests only',
    INTERNAL_SECRET: 'signs what services tell, in tests only',
    ANSWER_SECRET: 'hashes of repeated requests in tests',
    WALLET_MIDDLEWARE_SECRET: 'signs withdrawal addresses in tests',
    WALLET_KEY_SECRET: 'seals the seed of wallets in tests',
    TICK_KEY_SECRET: 'seals the key of the ticks in tests',
    ...env,
  });
  const app = await createServiceApp({
    config,
    edge: false,
    imports: [loggingModule(config), InfraModule.forRoot({ config, embedded: true }), AuthModule],
  });
  // Before the demo's people get their passwords: a dozen hashes each.
  const passwords = app.get<{ cost: object; dummy?: unknown }>(Passwords as never);
  const [dear, cheap] = [passwords.cost, { memoryCost: 64, timeCost: 1, parallelism: 1 }];
  passwords.cost = cheap;
  await app.listen(0, '127.0.0.1');
  const base = await app.getUrl();
  // As the gateway of the same install would.
  const gateway = new InternalCalls(
    loadConfig({ BOURSE_DEV: '1', DATA_DIR: config.dataDir, BOURSE_SERVICE: 'gateway' }).keys,
  );
  let callMs: number | null = null;
  const ask = async (
    method: string,
    path: string,
    fields: Record<string, string>,
    { ip = '192.0.2.1', agent = 'test', caller = null, device }: Device,
  ): Promise<Answered> => {
    const context: CallContext = {
      requestId: 'r',
      lang: 'en',
      ip,
      agent,
      ...(device === undefined ? {} : { device }),
      caller,
      commandId: null,
      hasKey: false,
      bodyHash: null,
      validUntil: callMs === null ? callDeadline() : Date.now() + callMs,
    };
    const body = method === 'GET' ? '' : new URLSearchParams(fields).toString();
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...gateway.sign(config.service, { method, url: path, body }, Date.now(), context),
        ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(method === 'GET' ? {} : { body }),
    });
    return (await response.json()) as Answered;
  };
  const asks = app.get(Asks);
  const uploads = new Map<string, { userId: number; scene: string }>();
  asks.handle(gatewayAsks.upload, ({ name, userId, scene }) =>
    Promise.resolve({ ok: uploads.get(name)?.userId === userId && uploads.get(name)?.scene === scene }),
  );
  asks.handle(gatewayAsks.demoPicture, ({ userId }) => {
    const name = `demo_picture_of_${userId}_${uploads.size}.png`;
    uploads.set(name, { userId, scene: 'pay' });
    return Promise.resolve({ address: `/api/upload/${name}?e=0&s=none` });
  });
  asks.handle(walletLedgerAsks.balances, () =>
    Promise.resolve([{ currency: 3, product: 'change', available: '5.00000000', held: '0.00000000' }]),
  );
  asks.handle(walletLedgerAsks.holds, () => Promise.resolve([]));
  return {
    uploads,
    get$: (token) => app.get(token),
    hashesDearly(dearly) {
      passwords.cost = dearly ? dear : cheap;
      // The dummy hash that unknown accounts are compared with has a cost, too.
      delete passwords.dummy;
    },
    limitCalls(ms) {
      callMs = ms;
    },
    remove: (path, fields = {}, device = {}) => ask('DELETE', path, fields, device),
    asks,
    views: app.get(Views),
    clock: app.get(Clock),
    databases,
    post: (path, fields = {}, device = {}) => ask('POST', path, fields, device),
    get: (path, device = {}) => ask('GET', path, {}, device),
    async code(to, scene) {
      const [letter] = await asks.ask(authAsks.outbox, { to, scene, limit: 1 });
      if (!letter) throw new Error(`no ${scene} letter to ${to}`);
      return letter.code;
    },
    async end() {
      await app.close();
      await databases.end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
