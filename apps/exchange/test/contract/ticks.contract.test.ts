import { createHash, createPublicKey, verify } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { MessageOf } from '@bourse/contract';
import { eventually } from '@bourse/testing/eventually';
import { BASE, get } from './client.js';

const BTC = 1;
interface Tick {
  readonly id: string;
  readonly symbol: string;
  readonly time: number;
  readonly price: string;
  readonly at: number;
  readonly prev_hash: string;
  readonly hash: string;
}
type Key = MessageOf<'GET /api/market/tick_keys'>['keys'][number];

const now = async (): Promise<number> => Number((await get('/api/time')).body.message);
const keys = async (): Promise<Key[]> => (await get('/api/market/tick_keys')).body.message.keys;
const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Downloads a public day: its lines, and the headers. */
async function day(
  pair: number,
  text: string,
): Promise<{ ticks: Tick[]; end: { public_key: string; signature: string }; headers: Headers }> {
  const answer = await fetch(`${BASE}/api/market/ticks/day?match_id=${pair}&day=${text}`);
  expect(answer.status).toBe(200);
  const lines = gunzipSync(Buffer.from(await answer.arrayBuffer()))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  return {
    ticks: lines.slice(0, -1) as Tick[],
    end: lines.at(-1) as { public_key: string; signature: string },
    headers: answer.headers,
  };
}

describe('recorded prices', () => {
  test('a day is a chain that the published key verifies [TICK-013, HARD-481]', async () => {
    await eventually(async () => (await keys()).length > 0);
    const today = dayText(await now());
    await eventually(async () => (await day(BTC, today)).ticks.length >= 3);
    const { ticks, end, headers } = await day(BTC, today);
    expect(headers.get('content-type')).toBe('application/gzip');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="BTC-USDT-${today}.ndjson.gz"`);
    expect(headers.get('cache-control')).toBe('no-store');
    for (const [index, { id, symbol, time, price, at, prev_hash: previous, hash }] of ticks.entries()) {
      expect(createHash('sha256').update([previous, id, symbol, time, price, at].join('|')).digest('hex')).toBe(hash);
      expect(at).toBeLessThanOrEqual(time);
      expect(time - at).toBeLessThanOrEqual(5_000);
      expect(symbol).toBe('BTC/USDT');
      expect(time % 1_000).toBe(0);
      expect(price).toMatch(/^\d+(\.\d*[1-9])?$/);
      const before = ticks[index - 1];
      if (!before) continue;
      expect([Number(id), previous]).toEqual([Number(before.id) + 1, before.hash]);
      expect(time).toBeGreaterThan(before.time);
    }
    const last = ticks.at(-1)!;
    const published = (await keys()).find(({ from, until }) => from <= last.time && (until ?? Infinity) > last.time);
    expect(end.public_key).toBe(published!.public_key);
    const x = Buffer.from(end.public_key, 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, Buffer.from(last.hash, 'hex'), key, Buffer.from(end.signature, 'base64'))).toBe(true);
  });

  test('a second of each market later is one tick more, at the feed’s price [TICK-013]', async () => {
    const today = dayText(await now());
    const before = (await day(BTC, today)).ticks.at(-1)!;
    await eventually(async () => Number((await day(BTC, today)).ticks.at(-1)!.id) >= Number(before.id) + 2);
    const { ticks } = await day(BTC, today);
    const since = ticks.filter(({ time }) => time > before.time);
    expect(since.length).toBeGreaterThanOrEqual(2);
    expect(new Set(since.map(({ time }) => time)).size).toBe(since.length);
  });

  test('no pair, no day, a day without ticks: refused by field or key', async () => {
    const ask = async (fields: Record<string, string>): Promise<unknown> => {
      const { body } = await get('/api/market/ticks/day', fields);
      return [body.key, body.field];
    };
    const today = dayText(await now());
    expect(await ask({ day: today })).toEqual(['common.fieldRequired', 'match_id']);
    expect(await ask({ match_id: '1' })).toEqual(['common.fieldRequired', 'day']);
    for (const wrong of ['2026-1-1', '2026-02-30', '20260101', 'today', '2026-01-01T00:00:00Z'])
      expect(await ask({ match_id: '1', day: wrong })).toEqual(['common.fieldInvalid', 'day']);
    expect(await ask({ match_id: '999', day: today })).toEqual(['pair.delisted', undefined]);
    expect(await ask({ match_id: '1', day: '2019-12-31' })).toEqual(['common.notFound', undefined]);
  });
});
