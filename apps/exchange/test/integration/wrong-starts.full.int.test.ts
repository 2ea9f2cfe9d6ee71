import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SERVICE_NAMES } from '@bourse/platform';
import { testTimeoutMs } from '@bourse/testing';
import {
  ask,
  cleanUp,
  DEMO,
  folder,
  isReady,
  newDatabase,
  random,
  REAL,
  refusedInstall,
  refusedStart,
  run,
  startedUntil,
} from './wrong-starts.js';

jest.setTimeout(testTimeoutMs(120_000));
afterAll(cleanUp);

describe('existing data', () => {
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
  /** A copy of the demo, in a data folder with the same secrets: acknowledged positions are recorded per install. */
  const copied = async (name: string): Promise<Readonly<Record<string, string>>> => {
    const dataDir = join(folder, name);
    cpSync(join(folder, 'data', 'secrets'), join(dataDir, 'secrets'), { recursive: true });
    return { ...kept(), DATABASE_URL: await newDatabase(demo), DATA_DIR: dataDir };
  };
  const call = async (output: string, path: string, init: RequestInit): Promise<Record<string, unknown>> => {
    const { url } = JSON.parse(/^BOURSE READY (.*)$/m.exec(output)?.[1] ?? '{}') as { url: string };
    return (await (await fetch(`${url}${path}`, init)).json()) as Record<string, unknown>;
  };
  // The one database that is migrated and seeded for a demo; tests that change its contents take a copy.
  beforeAll(async () => {
    demo = await newDatabase();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const login = { method: 'POST', headers: form, body: 'user_string=trader1@demo.bourse&password=Harbor-2468' };
    await startedUntil(kept(), async (output) => {
      if (isReady(output)) token = String((await call(output, '/api/user/login', login))['message']);
      return isReady(output);
    });
  });

  test('production refuses a demo database, in a line of JSON [HARD-102] [DEPLOY-009]', async () => {
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

  test('a schema of a newer version is reported in one sentence [START-010]', async () => {
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

  test('the token secret is changed beside the old one, and no session ends [HARD-203] [HARD-320]', async () => {
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
    // As in a clone in a private home: no other user may enter, and root's PostgreSQL runs as another user.
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const dataDir = join(folder, 'demo-folder');
    await startedUntil({ ...DEMO, DATA_DIR: dataDir, MAKER: 'off' }, isReady);
    const text = await refusedStart({ ...REAL, DATA_DIR: dataDir });
    expect(text).toContain(`A demo install lies in the data folder ${dataDir}`);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    // The original kind of install may still start.
    await startedUntil({ ...DEMO, DATA_DIR: dataDir, MAKER: 'off' }, isReady);
  });
});
