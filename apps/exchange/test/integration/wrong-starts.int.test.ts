import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing';
import { cleanUp, DEMO, folder, newDatabase, REAL, refusedSettings, refusedStart, secrets } from './wrong-starts.js';

jest.setTimeout(testTimeoutMs(120_000));
afterAll(cleanUp);

/** The longest start that is wrong by its settings alone, on an idle machine. */
const SETTINGS_MS_MAX = 12_000;

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
      'an incomplete login of a broker [EDGE-001]',
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

  // Settings are validated before anything else is loaded: the process reports the errors, and exits.
  test.each([
    ['a demo', { ...DEMO, HOST: '0.0.0.0' }],
    ['an exchange without settings', { BOURSE_DEV: '' }],
    ['a real exchange', { ...REAL, ANSWER_SECRET: secrets['JWT_SECRET'] ?? '' }],
  ])('the start of %s reports them at once, and exits [HARD-202] [HARD-203]', async (_what, env) => {
    const began = Date.now();
    const dataDir = join(folder, 'untouched');
    const text = await refusedStart({ ...env, DATA_DIR: dataDir });
    expect(Date.now() - began).toBeLessThan(testTimeoutMs(SETTINGS_MS_MAX));
    const refused = refusedSettings({ ...env, DATA_DIR: dataDir });
    // A line of JSON has them too.
    for (const problem of refused.split('\n')) expect(text).toContain(JSON.stringify(problem).slice(1, -1));
    expect(existsSync(dataDir)).toBe(false);
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  });
});

describe('requirements of a start on its machine', () => {
  test('a port in use is reported in one sentence, with the remedy, before anything starts [START-010]', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const dataDir = join(folder, 'port');
    const text = await refusedStart({ ...DEMO, PORT: String(port), DATA_DIR: dataDir });
    expect(text.trim()).toMatch(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use\\. .*PORT=9000$`));
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  });

  test('a database that does not answer is reported in one sentence [START-010]', async () => {
    const text = await refusedStart({ ...DEMO, DATABASE_URL: 'postgres://bourse:pw@127.0.0.1:9/exchange' });
    expect(text).toMatch(/The database 127\.0\.0\.1:9\/exchange cannot be used: .*Check DATABASE_URL/);
    expect(text).not.toContain('pw@');
  });

  test('an unmigrated schema under MIGRATE=off is reported in one sentence, with the remedy [DEPLOY-006]', async () => {
    const text = await refusedStart({ ...DEMO, DATABASE_URL: await newDatabase(), MIGRATE: 'off' });
    expect(text.trim()).toMatch(/^Schema \w+ lacks \d+ of this version's migrations .*`bourse migrate --apply`/m);
  });
});
