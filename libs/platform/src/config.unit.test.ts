import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from './config.js';

const folder = mkdtempSync(join(tmpdir(), 'bourse-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const SECRETS = Object.fromEntries(['JWT_SECRET', 'INTERNAL_SECRET', 'PASSWORD_PEPPER', 'ANSWER_SECRET', 'WALLET_MIDDLEWARE_SECRET'].map((name) => [name, `${name}-0123456789`]));
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
    [{ PORT: 'eighty' }, /^PORT must be a port number \(it is "eighty"\)/], [{ PORT: '70000' }, /^PORT/], [{ BOURSE_DEV: 'yes' }, /^BOURSE_DEV must be 0 or 1/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be an address that starts with postgres:/], [{ PRICE_FEED: 'guess' }, /^PRICE_FEED/], [{ RATE_SCALE: '0' }, /^RATE_SCALE must be a positive number/],
    [{ LEDGER_PARTITIONS: '0' }, /^LEDGER_PARTITIONS/], [{ BOURSE_SERVICES: '{' }, /^BOURSE_SERVICES must be JSON/], [{ JWT_SECRET: 'short' }, /^JWT_SECRET must have at least 16 characters$/],
  ])('%j is refused by name and reason [EDGE-001]', (env, message) => {
    expect(problemsOf({ ...SECRETS, ...env })).toEqual([expect.stringMatching(message)]);
  });

  test('production names every missing secret, and refuses what belongs to a demo install [EDGE-001]', () => {
    expect(problemsOf({})).toHaveLength(5);
    expect(problemsOf({ ...SECRETS, NODE_ENV: 'production', BOURSE_DEV: '1' })).toEqual([expect.stringContaining('BOURSE_DEV=1')]);
    expect(problemsOf({ ...SECRETS, MAKER: 'off' })).toEqual([expect.stringContaining('MAKER=off')]);
    expect(problemsOf({ ...SECRETS, PRICE_FEED: 'scripted:prices.jsonl' })).toEqual([expect.stringContaining('scripted')]);
    expect(problemsOf({ ...SECRETS, BOURSE_RUN: 'distributed' })).toHaveLength(4);
  });

  test('a demo install makes its secrets once, for its owner only [EDGE-001]', () => {
    const first = loadConfig({ BOURSE_DEV: '1', DATA_DIR: folder });
    const second = loadConfig({ BOURSE_DEV: '1', DATA_DIR: folder });
    expect(first.jwtSecret).toHaveLength(43);
    expect(second.jwtSecret).toBe(first.jwtSecret);
    expect(new Set([first.jwtSecret, first.internalSecret, first.passwordPepper, first.answerSecret]).size).toBe(4);
    expect(statSync(join(folder, 'secrets', 'JWT_SECRET')).mode & 0o777).toBe(0o600);
    expect([first.rateScale, loadConfig(SECRETS).rateScale, loadConfig({ ...SECRETS, RATE_SCALE: '3' }).rateScale]).toEqual([100, 1, 3]);
  });
});
