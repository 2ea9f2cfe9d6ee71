import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';

const PROGRAM = fileURLToPath(new URL('../bin/bourse-verify-day.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bourse-day-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Tick {
  id: string;
  symbol: string;
  time: number;
  price: string;
  at?: number;
  prev_hash: string;
  hash: string;
}
const hashOf = ({ prev_hash: previous, id, symbol, time, price, at }: Omit<Tick, 'hash'>): string =>
  createHash('sha256')
    .update([previous, id, symbol, time, price, ...(at === undefined ? [] : [at])].join('|'))
    .digest('hex');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url').toString('base64');
const OTHER_KEY = Buffer.alloc(32, 7).toString('base64');

/** Ticks of some seconds behind another one; of version 1 without `at`. */
function chain(length: number, before?: Tick, version: 1 | 2 = 2): Tick[] {
  const ticks: Tick[] = [];
  for (let n = 0; n < length; n += 1) {
    const last = ticks.at(-1) ?? before;
    const time = (last?.time ?? 1_620_777_599_000) + 1_000;
    const tick = {
      id: String(BigInt(last?.id ?? 0) + 1n),
      symbol: 'BTC/USDT',
      time,
      ...(version === 2 && { at: time - 400 }),
      price: `${60_000 + n}.5`,
      prev_hash: last?.hash ?? '0'.repeat(64),
    };
    ticks.push({ ...tick, hash: hashOf(tick) });
  }
  return ticks;
}
const endOf = (ticks: readonly Tick[]): object => ({
  public_key: KEY,
  signature: sign(null, Buffer.from(ticks.at(-1)!.hash, 'hex'), privateKey).toString('base64'),
});
let files = 0;
function written(lines: readonly object[], pack = true): string {
  const path = join(folder, `${(files += 1)}.ndjson${pack ? '.gz' : ''}`);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(path, pack ? gzipSync(text) : text);
  return path;
}
function check(paths: readonly string[], ...keys: string[]): { status: number | null; told: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [PROGRAM, ...paths, ...keys.flatMap((key) => ['--key', key])],
    { encoding: 'utf8' },
  );
  return { status, told: stdout + stderr };
}

describe('a day of recorded prices, checked without the server [TICK-014]', () => {
  const ticks = chain(5);
  const day = [...ticks, endOf(ticks)];

  test('holds, packed or not, and continues into the next day', () => {
    expect(check([written(day)], KEY)).toMatchObject({ status: 0, told: expect.stringContaining('5 ticks') });
    expect(check([written(day, false)], OTHER_KEY, KEY).status).toBe(0);
    const next = chain(3, ticks.at(-1));
    expect(check([written(day), written([...next, endOf(next)])], KEY).status).toBe(0);
    const later = chain(3, next.at(-1));
    expect(check([written(day), written([...later, endOf(later)])], KEY)).toMatchObject({
      status: 1,
      told: expect.stringContaining('ticks are missing'),
    });
  });

  test('a day within which version 2 begins holds; one that goes back to version 1 does not [HARD-481]', () => {
    const old = chain(3, undefined, 1);
    const both = [...old, ...chain(3, old.at(-1))];
    expect(check([written([...both, endOf(both)])], KEY).status).toBe(0);
    const back = [...both, ...chain(1, both.at(-1), 1)];
    expect(check([written([...back, endOf(back)])], KEY)).toMatchObject({
      status: 1,
      told: expect.stringContaining('does not say when its price was given'),
    });
  });

  test.each<[string, readonly object[], string]>([
    ['another time of a price', day.with(2, { ...ticks[2]!, at: ticks[2]!.at! + 1 }), 'it was changed'],
    ['a changed price', day.with(2, { ...ticks[2]!, price: '1' }), 'it was changed'],
    ['a removed tick', day.toSpliced(2, 1), 'ticks are missing'],
    [
      'a price with its hash made again',
      day.with(2, { ...ticks[2]!, price: '1', hash: hashOf({ ...ticks[2]!, price: '1' }) }),
      'the chain is broken',
    ],
    ['no last line', ticks, 'not whole'],
    ['a day cut off and signed as it was', [...ticks.slice(0, -1), endOf(ticks)], 'the signature is not of tick 4'],
  ])('%s is named', (_what, lines, fault) => {
    expect(check([written(lines)], KEY)).toMatchObject({ status: 1, told: expect.stringContaining(fault) });
  });

  test('another key than the published one is named; without one nothing is checked', () => {
    expect(check([written(day)], OTHER_KEY)).toMatchObject({ status: 1, told: expect.stringContaining('another key') });
    expect(check([written(day)]).status).toBe(2);
    expect(check([join(folder, 'none')], KEY).status).toBe(2);
  });
});
