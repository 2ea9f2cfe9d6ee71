import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { installFacts } from '@bourse/messaging';
import { checkInstall, InstallRefused } from '@bourse/persistence';
import { ConfigError, loadConfig, SECRET_NAMES_OF_INSTALL, SERVICE_NAMES } from '@bourse/platform';
import pg from 'pg';

jest.setTimeout(600_000);

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const MAIN = 'dist/exchange.js';
/** A start that is wrong by its settings alone, on a busy machine; a second on an idle one. */
const SETTINGS_MS_MAX = 60_000;
/** A program of these tests, from its start to its end, on a busy machine; told with what it said until then. */
const END_MS_MAX = 180_000;

const folder = mkdtempSync(join(tmpdir(), 'bourse-wrong-'));
const random = (): string => randomBytes(32).toString('base64');
const secrets = Object.fromEntries(SECRET_NAMES_OF_INSTALL.map((name) => [name, random()]));
const REAL = { ...secrets, NODE_ENV: 'production', PRICE_FEED: 'live:binance' };
const DEMO = { NODE_ENV: 'test', BOURSE_DEV: '1', PRICE_FEED: 'simulated' };

const running = new Set<ChildProcess>();
const databases: string[] = [];
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  for (const name of databases) await administer(`drop database if exists ${name} with (force)`);
  rmSync(folder, { recursive: true, force: true });
});

interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output(): string;
}
/** Runs a program of the clone with nothing in its environment but `env`. */
function run(args: readonly string[], env: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, [...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PORT: '0',
      METRICS_PORT: '0',
      DATA_DIR: join(folder, 'data'),
      ...env,
    },
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  const late = sleep(END_MS_MAX, undefined, { ref: false }).then(() => {
    throw new Error(`${args.join(' ')} has not ended within ${END_MS_MAX / 1_000} s, and said:\n${output}`);
  });
  late.catch(() => undefined); // nobody may wait for its end
  return { child, ended: Promise.race([closed, late]), output: () => output };
}

/** A start that must fail: what it says, which is for a person and no stack. */
async function refusedStart(env: Readonly<Record<string, string>>): Promise<string> {
  const program = run([MAIN], env);
  const code = await program.ended;
  expect([code, program.output()]).toEqual([1, expect.not.stringMatching(/BOURSE READY|^\s+at /m)]);
  return program.output();
}

/** Settings that must be refused: what the start says of them. */
function refusedSettings(env: Readonly<Record<string, string>>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('these settings are taken');
}

/** What a start with these settings says of the marks in its database, before it begins; empty: nothing. */
async function refusedInstall(env: Readonly<Record<string, string>>): Promise<string> {
  const config = loadConfig({ DATA_DIR: join(folder, 'data'), ...env });
  try {
    await checkInstall(env['DATABASE_URL'] ?? '', installFacts(config));
    return '';
  } catch (error) {
    if (error instanceof InstallRefused) return error.message;
    throw error;
  }
}

/** A start that must succeed as far as `seen`; then it is ended in order. */
async function startedUntil(
  env: Readonly<Record<string, string>>,
  seen: (output: string) => boolean | Promise<boolean>,
): Promise<void> {
  const program = run([MAIN], env);
  let over: string | undefined;
  program.ended.then(
    () => (over = `it ended too soon:\n${program.output()}`),
    (error: unknown) => (over = String(error)),
  );
  while (!(await seen(program.output()))) {
    if (over !== undefined) throw new Error(over);
    await sleep(100);
  }
  program.child.kill('SIGTERM');
  const code = await program.ended;
  // One that did not serve yet may be in the middle of anything.
  if (isReady(program.output())) expect(code).toBe(0);
}
const isReady = (output: string): boolean => /^BOURSE READY /m.test(output);

async function administer(sql: string): Promise<void> {
  await ask(process.env['TEST_DATABASE_URL'] ?? '', sql);
}
async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return ((await client.query(sql)) as pg.QueryResult<Record<string, unknown>>).rows;
  } finally {
    await client.end();
  }
}
/** An empty database, or one as `of` is, which nobody may be connected to: no start has to migrate and seed it anew. */
async function newDatabase(of?: string): Promise<string> {
  const name = `wrong_start_${process.pid}_${databases.length}`;
  databases.push(name);
  await administer(`create database ${name}${of === undefined ? '' : ` template ${new URL(of).pathname.slice(1)}`}`);
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = `/${name}`;
  return url.href;
}

describe('settings', () => {
  const without = (name: string): Readonly<Record<string, string>> => ({ ...REAL, [name]: '' });
  const MAKE_ONE = 'openssl rand -base64 32';
  const empty = join(folder, 'empty');
  beforeAll(() => writeFileSync(empty, '\n'));
  test.each([
    ['dev on all addresses [HARD-202]', { ...DEMO, HOST: '0.0.0.0' }, ['HOST=0.0.0.0', 'Leave HOST unset']],
    ['dev in production [HARD-202]', { ...REAL, BOURSE_DEV: '1' }, ['BOURSE_DEV=1', 'must not be set in production']],
    [
      'an empty BOURSE_DEV and nothing else [HARD-202]',
      { BOURSE_DEV: '' },
      ['PASSWORD_PEPPER is missing', 'TICK_KEY_SECRET is missing', MAKE_ONE, 'PRICE_FEED is missing'],
    ],
    ['BOURSE_DEV=0 and nothing else [HARD-202]', { BOURSE_DEV: '0' }, ['JWT_SECRET is missing', MAKE_ONE]],
    ['a missing secret [HARD-203]', without('JWT_SECRET'), ['JWT_SECRET is missing', MAKE_ONE, 'JWT_SECRET_FILE']],
    [
      'a placeholder [HARD-203]',
      { ...REAL, PASSWORD_PEPPER: 'replace-me-by-32-random-bytes' },
      ['PASSWORD_PEPPER is a placeholder', MAKE_ONE],
    ],
    [
      'a placeholder in an address [HARD-203]',
      { ...REAL, DATABASE_URL: 'postgres://bourse:change-me@127.0.0.1/exchange' },
      ['DATABASE_URL has a placeholder for its password'],
    ],
    [
      'equal secrets [HARD-203]',
      { ...REAL, ANSWER_SECRET: secrets['JWT_SECRET'] ?? '' },
      ['ANSWER_SECRET is the same as JWT_SECRET', 'each secret must be one of its own'],
    ],
    [
      'a short secret [HARD-203]',
      { ...REAL, WALLET_MIDDLEWARE_SECRET: 'Zx8-q2Lp' },
      ['WALLET_MIDDLEWARE_SECRET must have at least 32 bytes', MAKE_ONE],
    ],
    [
      'one short text again and again [HARD-203]',
      { ...REAL, TICK_KEY_SECRET: 'h7Kq2-Zx9wPm'.repeat(4) },
      ['TICK_KEY_SECRET is one short text again and again', MAKE_ONE],
    ],
    [
      'a secret of before that everybody could guess [HARD-203]',
      { ...REAL, JWT_SECRETS_OLD: 'replace-me-by-32-random-bytes' },
      ['JWT_SECRETS_OLD has one that is a placeholder'],
    ],
    [
      'a file of a secret that is not there [HARD-203]',
      { ...without('JWT_SECRET'), JWT_SECRET_FILE: '/nowhere/jwt' },
      ['JWT_SECRET_FILE names a file that cannot be read'],
    ],
    [
      'an empty file of a secret [HARD-203]',
      { ...without('JWT_SECRET'), JWT_SECRET_FILE: empty },
      ['JWT_SECRET_FILE names an empty file'],
    ],
    [
      'a secret and its file at once [HARD-203]',
      { ...REAL, JWT_SECRET_FILE: empty },
      ['JWT_SECRET and JWT_SECRET_FILE are both set; only one of them can hold'],
    ],
    [
      'a scripted feed [HARD-210]',
      { ...REAL, PRICE_FEED: 'scripted:prices.jsonl' },
      ['PRICE_FEED=scripted is for demo installs', 'live:<exchange>'],
    ],
    [
      'a proxy by its name [HARD-208]',
      { ...REAL, TRUSTED_PROXIES: 'ingress' },
      ['TRUSTED_PROXIES must be addresses or networks, such as 10.0.0.0/8'],
    ],
    [
      'a broker that asks who we are, by half of it [EDGE-001]',
      { ...REAL, KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SSL: '1', KAFKA_SSL_CA_FILE: '/nowhere/ca.pem' },
      ['KAFKA_SASL_USERNAME is missing', 'KAFKA_SASL_PASSWORD_FILE must be set', 'KAFKA_SSL_CA_FILE names a file that'],
    ],
    [
      'a service without its key and its servers [EDGE-001]',
      { ...REAL, BOURSE_RUN: 'distributed', BOURSE_SERVICE: 'gateway' },
      ['DATABASE_URL is missing', 'KAFKA_BROKERS is missing', 'INTERNAL_KEY is missing', 'npx bourse keys'],
    ],
  ])('%s is refused by name, before anything is made', (_what, env, words) => {
    const dataDir = join(folder, 'untouched');
    const text = refusedSettings({ ...env, DATA_DIR: dataDir });
    for (const one of words) expect(text).toContain(one);
    expect(existsSync(dataDir)).toBe(false);
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  });

  // What the settings are refused for is decided before anything else is loaded: the process says it, and ends.
  test.each([
    ['a demo', { ...DEMO, HOST: '0.0.0.0' }],
    ['an exchange without settings', { BOURSE_DEV: '' }],
    ['a real exchange', { ...REAL, ANSWER_SECRET: secrets['JWT_SECRET'] ?? '' }],
  ])('the start of %s tells them at once, and ends [HARD-202] [HARD-203]', async (_what, env) => {
    const began = Date.now();
    const dataDir = join(folder, 'untouched');
    const text = await refusedStart({ ...env, DATA_DIR: dataDir });
    expect(Date.now() - began).toBeLessThan(SETTINGS_MS_MAX);
    const refused = refusedSettings({ ...env, DATA_DIR: dataDir });
    // A line of JSON tells them too.
    for (const problem of refused.split('\n')) expect(text).toContain(JSON.stringify(problem).slice(1, -1));
    expect(existsSync(dataDir)).toBe(false);
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  });
});

describe('what is there already', () => {
  let demo: string;
  /** A token of a person, signed at the first start under this secret. */
  let token = '';
  const tokenSecret = random();
  const dataKey = `k1:${random()}`;
  /** Settings of the demo as it was made. */
  const kept = (): Readonly<Record<string, string>> => ({
    ...DEMO,
    DATABASE_URL: demo,
    MAKER: 'off',
    DATA_KEYS: dataKey,
    JWT_SECRET: tokenSecret,
  });
  /** A copy of the demo, in a data folder with the same secrets: what is acknowledged is remembered by install. */
  const copied = async (name: string): Promise<Readonly<Record<string, string>>> => {
    const dataDir = join(folder, name);
    cpSync(join(folder, 'data', 'secrets'), join(dataDir, 'secrets'), { recursive: true });
    return { ...kept(), DATABASE_URL: await newDatabase(demo), DATA_DIR: dataDir };
  };
  const call = async (output: string, path: string, init: RequestInit): Promise<Record<string, unknown>> => {
    const { url } = JSON.parse(/^BOURSE READY (.*)$/m.exec(output)?.[1] ?? '{}') as { url: string };
    return (await (await fetch(`${url}${path}`, init)).json()) as Record<string, unknown>;
  };
  // The one database that is migrated and seeded for a demo; tests that change what is in it take a copy.
  beforeAll(async () => {
    demo = await newDatabase();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const login = { method: 'POST', headers: form, body: 'user_string=trader1@demo.bourse&password=Harbor-2468' };
    await startedUntil(kept(), async (output) => {
      if (isReady(output)) token = String((await call(output, '/api/user/login', login))['message']);
      return isReady(output);
    });
  });

  test('a port in use is told in one sentence, with the way out, and nothing was begun [START-010]', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const dataDir = join(folder, 'port');
    const text = await refusedStart({ ...DEMO, PORT: String(port), DATA_DIR: dataDir });
    expect(text.trim()).toMatch(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use\\. .*PORT=9000$`));
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  });

  test('a database that nobody answers for is told in one sentence [START-010]', async () => {
    const text = await refusedStart({ ...DEMO, DATABASE_URL: 'postgres://bourse:pw@127.0.0.1:9/exchange' });
    expect(text).toMatch(/The database 127\.0\.0\.1:9\/exchange cannot be used: .*Check DATABASE_URL/);
    expect(text).not.toContain('pw@');
  });

  test('a demo database is none of production, told in a line of JSON [HARD-102] [DEPLOY-009]', async () => {
    const text = await refusedStart({ ...REAL, DATABASE_URL: demo });
    expect(text).toContain(`A demo install lies in the database ${new URL(demo).host}`);
    expect(text).toContain('DATABASE_URL');
    const line = text.split('\n').find((one) => one.startsWith('{')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ level: 'fatal', service: 'exchange', msg: expect.stringMatching(/demo/) });
  });

  test('a database of before there was a mark is known by its seeds [HARD-102]', async () => {
    const own = await newDatabase(demo);
    for (const schema of ['auth', 'ledger', 'notices', 'spot', 'market', 'gateway'])
      await ask(own, `delete from ${schema}.meta where name = 'kind'`);
    expect(await refusedInstall({ ...REAL, DATABASE_URL: own })).toContain('A demo install lies in');
  });

  test('an unmigrated schema under MIGRATE=off is told in one sentence, with the way out [DEPLOY-006]', async () => {
    const text = await refusedStart({ ...DEMO, DATABASE_URL: await newDatabase(), MIGRATE: 'off' });
    expect(text.trim()).toMatch(/^Schema \w+ lacks \d+ of this version's migrations .*`bourse migrate --apply`/m);
  });

  test('addresses and logins of tools may lie in files [DEPLOY-023]', async () => {
    const own = await newDatabase();
    const file = (name: string, content: string): string => {
      writeFileSync(join(folder, name), `${content}\n`);
      return join(folder, name);
    };
    const address = { DATABASE_URL_FILE: file('address', own), DATA_DIR: join(folder, 'files') };
    const password = random();
    const migrate = run(['tools/migrate.mjs', '--apply', '--json'], {
      DATABASE_OWNER_URL_FILE: file('owner', own),
      DATABASE_LOGINS_FILE: file('logins', JSON.stringify({ notices: password })),
      DATABASE_ROLE_PREFIX: 'files_',
    });
    const lines = [await migrate.ended, migrate.output()];
    expect(lines).toEqual([0, expect.stringContaining('"ready":[')]);
    const login = new URL(own);
    [login.username, login.password] = ['files_notices', encodeURIComponent(password)];
    expect(await ask(login.href, 'select current_user as name')).toEqual([{ name: 'files_notices' }]);
    // It compiles the sources, and the compiler keeps its parts in no home that others may write above.
    const replay = run(['tools/replay.mjs', '--all', '--json'], { ...address, HOME: homedir() });
    expect([await replay.ended, replay.output()]).toEqual([0, '']);
    const both = run(['tools/migrate.mjs', '--plan'], { ...address, DATABASE_URL: own });
    expect([await both.ended, both.output()]).toEqual([1, expect.stringContaining('are both set')]);
  });

  test("another pepper than the install's is refused by name; the old one beside it is not [HARD-203]", async () => {
    const text = await refusedInstall({ ...kept(), PASSWORD_PEPPER: random() });
    expect(text).toContain('PASSWORD_PEPPER is not the one this install was made with');
    expect(text).toContain('PASSWORD_PEPPERS_OLD');
    expect(text.match(/is not the one/g)).toHaveLength(1);
    const old = readFileSync(join(folder, 'data', 'secrets', 'PASSWORD_PEPPER'), 'utf8').trim();
    const both = { ...kept(), PASSWORD_PEPPER: random(), PASSWORD_PEPPERS_OLD: old };
    expect(await refusedInstall(both)).toBe('');
  });

  test('another data key under an id that is known is refused by that id; a new id is not [HARD-203]', async () => {
    const wrong = { ...kept(), DATA_KEYS: `k2:${random()},k1:${random()}` };
    expect(await refusedInstall({ ...wrong, PASSWORD_PEPPER: random() })).toContain('PASSWORD_PEPPER is not the one');
    const keys = await refusedInstall(wrong);
    expect(keys).toContain('DATA_KEYS:k1 is not the one this install was made with');
    expect(keys).toContain('put a new one with an id of its own before it');
    expect(keys).not.toContain('k2');
    expect(await refusedInstall({ ...kept(), DATA_KEYS: `k2:${random()},${dataKey}` })).toBe('');
  });

  test('a schema of a newer version is told in one sentence [START-010]', async () => {
    await ask(demo, `insert into spot.migration (id, hash) values ('9999-tomorrow', 'x')`);
    const text = await refusedStart(kept());
    expect(text).toContain('Schema spot was migrated by a newer version (9999-tomorrow)');
    await ask(demo, `delete from spot.migration where id = '9999-tomorrow'`);
  });

  test('a real exchange is not made a demo, and a tool without its secrets makes none [HARD-102]', async () => {
    const real = await newDatabase();
    const dataDir = join(folder, 'real');
    const marked = async (): Promise<boolean> =>
      (
        await ask(
          real,
          `select count(*)::int as n
            from pg_class c
            join pg_namespace s on s.oid = c.relnamespace
            where c.relname = 'meta'`,
        )
      )[0]?.['n'] === SERVICE_NAMES.length &&
      (await ask(real, `select 1 from auth.meta where name = 'kind' and value = 'real'`)).length === 1;
    await startedUntil({ ...REAL, DATABASE_URL: real, DATA_DIR: dataDir }, marked);
    const text = await refusedStart({ ...DEMO, DATABASE_URL: real, DATA_DIR: join(folder, 'another') });
    expect(text).toContain('A real exchange lies in the database');
    const tool = run(['tools/operator.mjs', 'add', 'alice', '--roles', 'admin'], {
      DATABASE_URL: real,
      DATA_DIR: dataDir,
    });
    expect([await tool.ended, tool.output()]).toEqual([1, expect.stringContaining('PASSWORD_PEPPER is missing')]);
    const foreign = run(['tools/operator.mjs', 'add', 'alice', '--roles', 'admin'], {
      ...REAL,
      PASSWORD_PEPPER: random(),
      DATABASE_URL: real,
      DATA_DIR: dataDir,
    });
    expect([await foreign.ended, foreign.output()]).toEqual([
      1,
      expect.stringContaining('PASSWORD_PEPPER is not the one'),
    ]);
    expect(existsSync(join(dataDir, 'secrets'))).toBe(false);
    const right = run(['tools/operator.mjs', 'add', 'alice', '--roles', 'admin'], {
      ...REAL,
      DATABASE_URL: real,
      DATA_DIR: dataDir,
    });
    expect([await right.ended, right.output()]).toEqual([0, expect.stringContaining('Operator alice')]);
  });

  test('the token secret is changed beside the old one, and nobody is signed out [HARD-203] [HARD-320]', async () => {
    const next = random();
    const install = await copied('tokens');
    const whoIs = (output: string): Promise<Record<string, unknown>> =>
      call(output, '/api/user/info', { headers: { authorization: token } });
    expect(token.split('.')).toHaveLength(3);
    const text = await refusedStart({ ...install, JWT_SECRET: next });
    expect(text).toContain('JWT_SECRET is not the one this install was made with');
    expect(text).toContain('set the old one as JWT_SECRETS_OLD beside the new one');
    let known: unknown;
    const seen = async (output: string): Promise<boolean> => {
      if (isReady(output)) known = (await whoIs(output))['type'];
      return isReady(output);
    };
    await startedUntil({ ...install, JWT_SECRET: next, JWT_SECRETS_OLD: tokenSecret }, seen);
    expect(known).toBe('ok');
    await startedUntil({ ...install, JWT_SECRET: next }, seen);
    expect(known).toBe('999');
    expect(await refusedInstall({ ...install, JWT_SECRET: tokenSecret })).toContain('JWT_SECRET is not the one');
  });

  test('the console takes another secret on purpose, where nothing is kept under it [HARD-203]', async () => {
    const install = await copied('accepted');
    const accept = async (names: string): Promise<[number | null, string]> => {
      const tool = run(['tools/secrets.mjs', '--accept', names], install);
      return [await tool.ended, tool.output()];
    };
    const other = { ...install, ANSWER_SECRET: random() };
    expect(await refusedInstall(other)).toContain('npx bourse secrets --accept ANSWER_SECRET');
    // Which ones it does not take is proved beside the rule; that it asks the rule for each of them, here.
    expect(await accept('ANSWER_SECRET,PASSWORD_PEPPER')).toEqual([
      1,
      expect.stringContaining('PASSWORD_PEPPER opens what lies in the database'),
    ]);
    expect(await refusedInstall(other)).toContain('ANSWER_SECRET is not the one');
    expect(await accept('ANSWER_SECRET,WALLET_MIDDLEWARE_SECRET')).toEqual([
      0,
      expect.stringMatching(/^ANSWER_SECRET, WALLET_MIDDLEWARE_SECRET: forgotten in \d+ schemas/m),
    ]);
    await startedUntil(other, isReady);
    expect(await refusedInstall(install)).toContain('ANSWER_SECRET is not the one');
  });

  test('a folder that was a demo is no production folder, and its server stops [HARD-102] [START-011]', async () => {
    // As in a clone in a closed home: nobody else may pass through, and root's PostgreSQL runs as somebody else.
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const dataDir = join(folder, 'demo-folder');
    await startedUntil({ ...DEMO, DATA_DIR: dataDir, MAKER: 'off' }, isReady);
    const text = await refusedStart({ ...REAL, DATA_DIR: dataDir });
    expect(text).toContain(`A demo install lies in the data folder ${dataDir}`);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    // What it was, it may still be.
    await startedUntil({ ...DEMO, DATA_DIR: dataDir, MAKER: 'off' }, isReady);
  });
});
