import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from './index.js';
import { makeServiceKey, publicKeyOf } from '../security/service-keys.js';

const folder = mkdtempSync(join(tmpdir(), 'bourse-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** The secrets that a production install requires. */
const SECRETS: Record<string, string> = Object.fromEntries(
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
SECRETS['PRICE_FEED'] = 'live:binance';
const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('settings', () => {
  test.each([
    [{ PORT: 'eighty' }, /^PORT must be a port number \(it is "eighty"\)/],
    [{ PORT: '70000' }, /^PORT/],
    [{ BOURSE_DEV: 'yes' }, /^BOURSE_DEV must be 0 or 1/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be an address that starts with postgres:/],
    [{ PRICE_FEED: 'guess' }, /^PRICE_FEED/],
    [{ PRICE_FEED: 'live:' }, /^PRICE_FEED/],
    [{ PRICE_FEED: 'live:kraken,' }, /^PRICE_FEED/],
    [{ PRICE_FEED: 'live:kraken, okx' }, /^PRICE_FEED/],
    [{ PRICE_FEED: 'live:kraken,okx,kraken' }, /^PRICE_FEED names an exchange twice/],
    [{ RATE_SCALE: '0' }, /^RATE_SCALE must be a positive number/],
    [{ LEDGER_PARTITIONS: '0' }, /^LEDGER_PARTITIONS/],
    [{ SPOT_PARTITIONS: '65' }, /^SPOT_PARTITIONS/],
    [{ BOURSE_SERVICES: '{' }, /^BOURSE_SERVICES must be JSON/],
    [{ JWT_SECRET: 'short' }, /^JWT_SECRET must have at least 16 characters$/],
  ])('%j is refused by name and reason [EDGE-001]', (env, message) => {
    expect(problemsOf({ ...SECRETS, ...env })).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    [{ KAFKA_SASL_MECHANISM: 'gssapi' }, [/^KAFKA_SASL_MECHANISM must be plain, scram-sha-256 or scram-sha-512/]],
    [
      { KAFKA_SASL_MECHANISM: 'plain' },
      [/^KAFKA_SASL_USERNAME is missing/, /^KAFKA_SASL_PASSWORD or KAFKA_SASL_PASSWORD_FILE must be set/],
    ],
    [{ KAFKA_SASL_USERNAME: 'bourse' }, [/^KAFKA_SASL_MECHANISM is missing; .* set it to plain/]],
    [{ KAFKA_SASL_PASSWORD: 'pw' }, [/^KAFKA_SASL_MECHANISM is missing; KAFKA_SASL_PASSWORD says/]],
    [
      { KAFKA_SSL_CA_FILE: '/nowhere/ca.pem' },
      [/^KAFKA_SSL_CA_FILE is of no use without KAFKA_SSL=1/, /cannot be read/],
    ],
    [{ KAFKA_SSL: '1', KAFKA_SSL_CA_FILE: '/nowhere/ca.pem' }, [/^KAFKA_SSL_CA_FILE names a file that cannot be read/]],
    [{ TRUSTED_PROXIES: 'ingress' }, [/^TRUSTED_PROXIES must be addresses or networks, such as 10\.0\.0\.0\/8/]],
    [{ PUBLIC_ORIGINS: 'https://x.example/path' }, [/^PUBLIC_ORIGINS must be origins without a path, such as https:/]],
  ])('%j is refused with the way out [EDGE-001]', (env, messages) => {
    expect(problemsOf({ ...SECRETS, ...env })).toEqual(messages.map((message) => expect.stringMatching(message)));
  });

  test('production names every missing secret, and refuses settings of a demo install [EDGE-001]', () => {
    expect(problemsOf({})).toHaveLength(8);
    expect(problemsOf({ ...SECRETS, NODE_ENV: 'production', BOURSE_DEV: '1' })).toEqual([
      expect.stringContaining('BOURSE_DEV=1'),
    ]);
    expect(problemsOf({ ...SECRETS, NODE_ENV: 'Production', BOURSE_DEV: '1' })).toHaveLength(1);
    expect(problemsOf({ BOURSE_DEV: '' })).toHaveLength(8);
    expect(problemsOf({ ...SECRETS, BOURSE_RUN: 'distributed' })).toHaveLength(5);
  });

  test('the third party of points is named with its secret, by https and a strong one [EDGE-001]', () => {
    const given = { POINTS_URL: 'https://points.example', POINTS_SECRET: randomBytes(32).toString('base64url') };
    expect(loadConfig({ ...SECRETS, ...given }).pointsProgram).toEqual({
      url: given.POINTS_URL,
      secret: given.POINTS_SECRET,
    });
    expect(loadConfig(SECRETS).pointsProgram).toBeNull();
    for (const [name, value] of Object.entries(given))
      expect(problemsOf({ ...SECRETS, [name]: value })).toEqual([
        expect.stringMatching(/^POINTS_URL and POINTS_SECRET must be set together/),
      ]);
    expect(problemsOf({ ...SECRETS, ...given, POINTS_URL: 'http://points.example' })).toEqual([
      expect.stringMatching(/^POINTS_URL must begin with https:/),
    ]);
    expect(problemsOf({ ...SECRETS, ...given, POINTS_SECRET: 'a'.repeat(40) })).toEqual([
      expect.stringMatching(/^POINTS_SECRET has too few different characters/),
    ]);
  });

  test('production accepts live prices only, and the error names the setting [HARD-210]', () => {
    const { PRICE_FEED: _, ...without } = SECRETS;
    expect(problemsOf(without)).toEqual([expect.stringMatching(/^PRICE_FEED is missing; set it to live:<exchange>/)]);
    for (const feed of ['auto', 'recorded', 'simulated', 'scripted:prices.jsonl'])
      expect(problemsOf({ ...SECRETS, PRICE_FEED: feed })).toEqual([
        expect.stringMatching(
          new RegExp(`^PRICE_FEED=${feed.split(':')[0]} is for demo installs .* set it to live:<exchange>,…$`),
        ),
      ]);
    expect(loadConfig(SECRETS).priceFeed).toBe('live:binance');
    // Of the processes of a distributed run only the one that has the prices must know their exchange.
    const distributed = {
      BOURSE_RUN: 'distributed',
      DATABASE_URL: 'postgres://db/x',
      REDIS_URL: 'redis://r',
      KAFKA_BROKERS: 'k:9092',
      BOURSE_SERVICES: '{"auth":"http://auth"}',
    };
    const aboutPrices = (env: Record<string, string>): readonly string[] =>
      problemsOf({ ...without, ...distributed, ...env }).filter((problem) => problem.startsWith('PRICE_FEED'));
    expect(aboutPrices({ BOURSE_SERVICE: 'gateway' })).toEqual([]);
    expect(aboutPrices({ BOURSE_SERVICE: 'gateway', PRICE_FEED: 'recorded' })).toHaveLength(1);
    expect(aboutPrices({ BOURSE_SERVICE: 'market-data' })).toEqual([expect.stringMatching(/ is missing; /)]);
  });

  test('the house quotes in production only if configured, and never takes [HARD-210]', () => {
    const houseOf = (env: Record<string, string>): readonly boolean[] => {
      const { maker, taker } = loadConfig({ DATA_DIR: folder, ...env });
      return [maker, taker];
    };
    expect(houseOf(SECRETS)).toEqual([false, false]);
    expect(houseOf({ ...SECRETS, MAKER: 'off' })).toEqual([false, false]);
    expect(houseOf({ ...SECRETS, MAKER: 'on' })).toEqual([true, false]);
    expect(houseOf({ BOURSE_DEV: '1' })).toEqual([true, true]);
    expect(houseOf({ BOURSE_DEV: '1', MAKER: 'off' })).toEqual([false, false]);
  });

  test('the key of the wallets is demanded of the process that has the wallets, and of no other [EDGE-001]', () => {
    const { WALLET_KEY_SECRET: _, ...others } = SECRETS;
    const keys: Record<string, string> = {
      auth: makeServiceKey(),
      gateway: makeServiceKey(),
      'wallet-ledger': makeServiceKey(),
    };
    const distributed = {
      ...others,
      BOURSE_RUN: 'distributed',
      DATABASE_URL: 'postgres://db/x',
      REDIS_URL: 'redis://r',
      KAFKA_BROKERS: 'k:9092',
      BOURSE_SERVICES: '{"auth":"http://auth"}',
      INTERNAL_PUBLIC_KEYS: JSON.stringify(
        Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, publicKeyOf(key)])),
      ),
    };
    expect(problemsOf({ ...distributed, BOURSE_SERVICE: 'gateway', INTERNAL_KEY: keys['gateway'] ?? '' })).toEqual([]);
    const gateway = loadConfig({
      ...distributed,
      WALLET_KEY_SECRET: randomBytes(32).toString('hex'),
      BOURSE_SERVICE: 'gateway',
      INTERNAL_KEY: keys['gateway'],
    });
    // [HARD-209] A process takes no secret that is another service's, whatever it is given.
    expect([gateway.walletKeySecret, gateway.passwordPepper, gateway.walletMiddlewareSecret]).toEqual(['', '', '']);
    expect([gateway.jwtSecret, gateway.internalSecret, gateway.answerSecret]).not.toContain('');
    const ledger = { ...distributed, BOURSE_SERVICE: 'wallet-ledger', INTERNAL_KEY: keys['wallet-ledger'] ?? '' };
    expect(problemsOf(ledger)).toEqual([expect.stringMatching(/^WALLET_KEY_SECRET is missing/)]);
    // The key of another service: no receiver would accept it.
    expect(problemsOf({ ...distributed, BOURSE_SERVICE: 'gateway', INTERNAL_KEY: keys['auth'] ?? '' })).toEqual([
      expect.stringMatching(/^INTERNAL_KEY does not fit INTERNAL_PUBLIC_KEYS/),
    ]);
    const unknown = { ...distributed, BOURSE_SERVICES: '{"notices":"http://notices"}', BOURSE_SERVICE: 'gateway' };
    expect(problemsOf({ ...unknown, INTERNAL_KEY: keys['gateway'] ?? '' })).toEqual([
      'INTERNAL_PUBLIC_KEYS has no key of notices',
    ]);
  });

  test('a demo install stays on its own machine unless two settings allow more [HARD-202]', () => {
    const dev = { BOURSE_DEV: '1', DATA_DIR: folder };
    for (const host of ['0.0.0.0', '::', '192.0.2.7', 'exchange.lan', '127.0.0.1.evil.test'])
      expect(problemsOf({ ...dev, HOST: host })).toEqual([expect.stringMatching(/^HOST=.*BOURSE_DEV_PUBLIC=1/)]);
    for (const host of ['127.0.0.1', '127.8.8.8', 'localhost', '::1', '[::1]', '::ffff:127.0.0.1'])
      expect(problemsOf({ ...dev, HOST: host })).toEqual([]);
    expect(loadConfig({ ...dev, HOST: '0.0.0.0', BOURSE_DEV_PUBLIC: '1' })).toMatchObject({ devPublic: true });
    expect(loadConfig(dev)).toMatchObject({ devPublic: false, host: '127.0.0.1' });
    expect(problemsOf({ ...SECRETS, BOURSE_DEV_PUBLIC: '1' })).toEqual([expect.stringMatching(/^BOURSE_DEV_PUBLIC=1/)]);
  });

  test('nodes of chains and overrides of their networks are read [EDGE-001]', () => {
    const config = loadConfig({
      ...SECRETS,
      CHAIN_ETHEREUM_URL: 'http://127.0.0.1:8545',
      CHAIN_ETHEREUM_ID: '31337',
      NETWORK_OVERRIDES: '{"3":{"contract_address":"0x1","confirmations":2}}',
      COLD_ADDRESSES: '{"ethereum":"0x2"}',
      HOT_CEILINGS: '{"3":"1000"}',
    });
    expect([
      config.chainUrls,
      config.ethereumChainId,
      config.networkOverrides,
      config.coldAddresses,
      config.hotCeilings,
    ]).toEqual([
      { ethereum: 'http://127.0.0.1:8545' },
      31337,
      { 3: { contract_address: '0x1', confirmations: 2 } },
      { ethereum: '0x2' },
      { 3: '1000' },
    ]);
    expect(problemsOf({ ...SECRETS, CHAIN_BITCOIN_URL: 'ftp://node' })).toEqual([
      expect.stringMatching(/^CHAIN_BITCOIN_URL must be an address/),
    ]);
    expect(problemsOf({ ...SECRETS, NETWORK_OVERRIDES: '{"3":{"rate":"0"}}' })).toEqual([
      expect.stringMatching(/^NETWORK_OVERRIDES must be JSON of/),
    ]);
    expect(problemsOf({ ...SECRETS, HOT_CEILINGS: '{"3":"1e9"}' })).toEqual([
      expect.stringMatching(/^HOT_CEILINGS must be JSON of/),
    ]);
  });

  test('a tool takes the secrets of an install, and makes none [HARD-203]', () => {
    const elsewhere = join(folder, 'no-install');
    const problems = ((): readonly string[] => {
      try {
        loadConfig({ BOURSE_DEV: '1', DATA_DIR: elsewhere }, {}, { tool: ['JWT_SECRET', 'PASSWORD_PEPPER'] });
        return [];
      } catch (error) {
        if (error instanceof ConfigError) return error.problems;
        throw error;
      }
    })();
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^JWT_SECRET is missing, and .*no-install/);
    expect(existsSync(elsewhere)).toBe(false);
    const made = loadConfig({ BOURSE_DEV: '1', DATA_DIR: folder });
    expect(
      loadConfig({ BOURSE_DEV: '1', DATA_DIR: folder }, {}, { tool: ['JWT_SECRET', 'PASSWORD_PEPPER'] }).jwtSecret,
    ).toBe(made.jwtSecret);
  });

  test('a demo install makes its secrets once, for its owner only [EDGE-001]', () => {
    const first = loadConfig({ BOURSE_DEV: '1', DATA_DIR: folder });
    const second = loadConfig({ BOURSE_DEV: '1', DATA_DIR: folder });
    expect(first.jwtSecret).toHaveLength(43);
    expect(second.jwtSecret).toBe(first.jwtSecret);
    expect(new Set([first.jwtSecret, first.internalSecret, first.passwordPepper, first.answerSecret]).size).toBe(4);
    expect(statSync(join(folder, 'secrets', 'JWT_SECRET')).mode & 0o777).toBe(0o600);
    expect([
      first.rateScale,
      loadConfig(SECRETS).rateScale,
      loadConfig({ ...SECRETS, RATE_SCALE: '3' }).rateScale,
    ]).toEqual([100, 1, 3]);
  });
});
