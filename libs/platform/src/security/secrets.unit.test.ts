import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from '../config/index.js';
import { acceptRefusal, SECRET_NAMES_OF_INSTALL, weaknessOf } from './secrets.js';

const folder = mkdtempSync(join(tmpdir(), 'bourse-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const strong = (): string => randomBytes(32).toString('base64');
const production: Readonly<Record<string, string>> = {
  PRICE_FEED: 'live:binance',
  ...Object.fromEntries(SECRET_NAMES_OF_INSTALL.map((name) => [name, strong()])),
};
const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig({ ...production, ...env });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('secrets of a production install', () => {
  test.each([
    ['a placeholder', 'replace-me-by-32-random-bytes', /placeholder/],
    ['a longer placeholder', 'replace-me-by-32-random-bytes-and-do-it-today', /placeholder/],
    ['changeme', 'changemechangemechangemechangeme99', /placeholder/],
    ['what tests use', 'demo-secret-demo-secret-demo-secret', /placeholder/],
    ['its own name', 'JWT_SECRET-of-our-exchange-2026-11-22', /placeholder/],
    ['a short one', randomBytes(20).toString('base64url'), /at least 32 bytes/],
    ['one letter', 'x'.repeat(64), /too few different/],
    ['few letters', 'abcabdabcabcabdabcabcabcabdabcaab', /too few different/],
    ['a text again and again', 'Kx7!pQ2zVb'.repeat(5), /again and again/],
  ])('%s is refused by name, and not repeated [HARD-203]', (_what, secret, reason) => {
    const problems = problemsOf({ JWT_SECRET: secret });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^JWT_SECRET /);
    expect(problems[0]).toMatch(reason);
    expect(problems[0]).not.toContain(secret);
  });

  test('random ones pass, as base64, as hex, and a thousand of them [HARD-203]', () => {
    for (let round = 0; round < 1_000; round++) {
      expect(weaknessOf('JWT_SECRET', strong())).toBeNull();
      expect(weaknessOf('JWT_SECRET', randomBytes(32).toString('hex'))).toBeNull();
    }
    expect(problemsOf({})).toEqual([]);
  });

  test('one text for two purposes is refused, and both are named [HARD-203]', () => {
    const same = strong();
    expect(problemsOf({ JWT_SECRET: same, WALLET_MIDDLEWARE_SECRET: same })).toEqual([
      expect.stringMatching(/^WALLET_MIDDLEWARE_SECRET is the same as JWT_SECRET/),
    ]);
  });

  test('a placeholder in an address is refused too [HARD-203]', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres://bourse:replace-me@db/exchange' })).toEqual([
      expect.stringMatching(/^DATABASE_URL has a placeholder/),
    ]);
  });

  test('the example of the cluster is refused unchanged [HARD-203]', () => {
    const example = readFileSync(new URL('../../../../k8s/secret.example.yaml', import.meta.url), 'utf8');
    const values = Object.fromEntries(
      [...example.matchAll(/^ {2}([A-Z_]+): '?([^\s']+)'?$/gm)].map(([, name, value]) => [
        name as string,
        value as string,
      ]),
    );
    const problems = problemsOf(values).join('\n');
    const named = Object.keys(values).filter((name) => /SECRET|PEPPER|DATA_KEYS|_URL$/.test(name));
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(problems).toContain(name);
  });

  test('a demo install may have short ones [HARD-203]', () => {
    expect(
      loadConfig({ BOURSE_DEV: '1', DATA_DIR: folder, WALLET_MIDDLEWARE_SECRET: 'demo-secret' }).walletMiddlewareSecret,
    ).toBe('demo-secret');
  });
});

describe('secrets in files', () => {
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const { JWT_SECRET: _, ...others } = production;
  const load = (env: Record<string, string>) => loadConfig({ ...others, ...env });

  test('a secret and an address may each lie in a file; its line end does not count [HARD-203]', () => {
    const secret = strong();
    const config = load({
      JWT_SECRET_FILE: file('jwt', `${secret}\n`),
      DATABASE_URL_FILE: file('database', 'postgres://bourse:pw@db/exchange\n'),
    });
    expect([config.jwtSecret, config.databaseUrl]).toEqual([secret, 'postgres://bourse:pw@db/exchange']);
  });

  test('a file beside the plain setting, an empty and a missing one are refused by name [HARD-203]', () => {
    expect(problemsOf({ JWT_SECRET_FILE: file('other', strong()) })).toEqual([
      expect.stringMatching(/^JWT_SECRET and JWT_SECRET_FILE are both set/),
    ]);
    expect(() => load({ JWT_SECRET_FILE: file('empty', '\n') })).toThrow(/JWT_SECRET_FILE names an empty file/);
    expect(() => load({ JWT_SECRET_FILE: join(folder, 'nowhere') })).toThrow(
      /JWT_SECRET_FILE names a file that cannot be read/,
    );
    expect(() => load({ JWT_SECRET_FILE: file('weak', 'replace-me-by-32-random-bytes') })).toThrow(/placeholder/);
  });
});

test('check values differ by secret and by name, and list old ones [HARD-203]', () => {
  const old = strong();
  const one = loadConfig({ ...production, PASSWORD_PEPPERS_OLD: `${old}, ` }).secretChecks;
  const other = loadConfig({ ...production, PASSWORD_PEPPER: old }).secretChecks;
  expect(Object.keys(one).sort()).toEqual([...SECRET_NAMES_OF_INSTALL].sort());
  expect(one['PASSWORD_PEPPER']?.old).toEqual([other['PASSWORD_PEPPER']?.value]);
  expect(one['PASSWORD_PEPPER']?.value).not.toBe(other['PASSWORD_PEPPER']?.value);
  expect(one['JWT_SECRET']).toEqual(other['JWT_SECRET']);
  expect(JSON.stringify(one)).not.toContain(production['JWT_SECRET']);
});

test('each data key has a check value under its id, of which no old one is taken [HARD-203]', () => {
  const [first, second] = [strong(), strong()];
  const checks = (keys: string) => loadConfig({ ...production, DATA_KEYS: keys }).secretChecks;
  const both = checks(`k2:${second},k1:${first}`);
  expect(both['DATA_KEYS:k1']).toEqual(checks(`k1:${first}`)['DATA_KEYS:k1']);
  expect(both['DATA_KEYS:k1']?.old).toEqual([]);
  expect(checks(`k1:${second}`)['DATA_KEYS:k1']?.value).not.toBe(both['DATA_KEYS:k1']?.value);
  // The same secret under two ids has two values, which do not show that it is the same.
  expect(checks(`k1:${second}`)['DATA_KEYS:k1']?.value).not.toBe(both['DATA_KEYS:k2']?.value);
  expect(JSON.stringify(both)).not.toContain(first);
});

test('old token secrets are listed with commas, in a file too, and a weak one is refused [HARD-203]', () => {
  const [one, two] = [strong(), strong()];
  const { jwtSecretsOld, secretChecks } = loadConfig({ ...production, JWT_SECRETS_OLD: `${one}, ${two}` });
  expect(jwtSecretsOld).toEqual([one, two]);
  expect(secretChecks['JWT_SECRET']?.old).toHaveLength(2);
  const file = join(folder, 'old-tokens');
  writeFileSync(file, `${one}\n`);
  expect(loadConfig({ ...production, JWT_SECRETS_OLD_FILE: file }).jwtSecretsOld).toEqual([one]);
  const problems = problemsOf({ JWT_SECRETS_OLD: 'changemechangemechangemechangeme99' });
  expect(problems).toEqual([expect.stringMatching(/^JWT_SECRETS_OLD has one that is a placeholder/)]);
});

test('a data key is as good a secret as any other, and none that has another purpose [HARD-203]', () => {
  const shared = strong();
  expect(problemsOf({ DATA_KEYS: `k2:${strong()},k1:${'a'.repeat(40)}` })).toEqual([
    expect.stringMatching(/^DATA_KEYS has k1, which has too few different characters/),
  ]);
  expect(problemsOf({ DATA_KEYS: `k1:${shared}`, INTERNAL_SECRET: shared })).toEqual([
    expect.stringMatching(/^DATA_KEYS has k1, which is the same as INTERNAL_SECRET/),
  ]);
});

test('the replacement of a data key is changed as a sealing secret is: the old one beside it [HARD-203]', () => {
  const old = strong();
  const { internalSecretsOld, secretChecks } = loadConfig({ ...production, INTERNAL_SECRETS_OLD: old });
  expect(internalSecretsOld).toEqual([old]);
  expect(secretChecks['INTERNAL_SECRET']?.old).toEqual([
    loadConfig({ ...production, INTERNAL_SECRET: old }).secretChecks['INTERNAL_SECRET']?.value,
  ]);
});

test('another secret is taken on purpose only where nothing is kept under it [HARD-203]', () => {
  for (const name of ['PASSWORD_PEPPER', 'WALLET_KEY_SECRET', 'JWT_SECRET', 'INTERNAL_SECRET', 'DATA_KEYS:k1'])
    expect(acceptRefusal(name)).toContain(`${name} opens what lies in the database`);
  expect(acceptRefusal('NO_SECRET')).toBe('There is no secret NO_SECRET.');
  for (const name of ['ANSWER_SECRET', 'TICK_KEY_SECRET', 'WALLET_MIDDLEWARE_SECRET'])
    expect(acceptRefusal(name)).toBeNull();
});
