import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Config } from '../config/index.js';
import { SecurityLog } from './security-log.js';

const config = { service: 'test', logLevel: 'silent', dev: false, dataDir: '.data' } as unknown as Config;

describe('events that outsiders can cause without limit', () => {
  let now = 1_000;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const log = new SecurityLog(config);
  const record = jest.spyOn(log, 'record');
  afterEach(() => {
    log.onApplicationShutdown();
    record.mockClear();
    now += 1_000_000;
  });
  // The last test restores the clock of the suite.
  test('ten lines a minute for each event and address, then one with the number of the rest [HARD-206]', () => {
    for (let at = 0; at < 500; at += 1) log.recordFew('access.refused', '1.1.1.1', { at });
    log.recordFew('api_key.refused', '1.1.1.1');
    log.recordFew('access.refused', '1.1.1.2');
    expect(record).toHaveBeenCalledTimes(12);
    now += 61_000;
    log.recordFew('access.refused', '1.1.1.1', { at: 500 });
    expect(record.mock.calls.slice(12)).toEqual([
      ['access.refused', { ip: '1.1.1.1', more: 490 }],
      ['access.refused', { ip: '1.1.1.1', at: 500 }],
    ]);
  });

  test('a /64 of IPv6 is one address, and addresses without end do not write without end [HARD-206]', () => {
    for (let at = 0; at < 50; at += 1) log.recordFew('access.refused', `2001:db8::${at.toString(16)}`);
    expect(record).toHaveBeenCalledTimes(10);
    for (let at = 0; at < 20_000; at += 1)
      log.recordFew('access.refused', `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
    expect(record.mock.calls.length).toBeLessThanOrEqual(10 + 10_000 + 10);
    clock.mockRestore();
  });
});

test('every event is in the document, and no other one [HARD-206]', () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
  const [, union = ''] = /export type SecurityEvent =([^;]+);/.exec(read('./security-log.ts')) ?? [];
  const events = [...union.matchAll(/'([a-z_.]+)'/g)].map(([, name]) => name);
  const [, section = ''] = /\n## Security events\n([^]*?)\n## /.exec(read('../../../../docs/security.md')) ?? [];
  const told = [...section.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, name]) => name);
  expect(told.sort()).toEqual(events.sort());
  expect(events.length).toBeGreaterThan(30);
});
