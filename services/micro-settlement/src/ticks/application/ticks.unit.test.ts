import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { MarketTickV1, type MarketTick, type Message } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import { Alarms, SystemClock } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import type { TickHead } from '../domain/tick.js';
import { CHAIN_ALARM, Ticks } from './ticks.js';
import { TickStore, type SignedTick } from './ports.js';

const AT = Date.UTC(2026, 10, 22, 12, 0, 0);
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64');

/** Keeps what it is given. */
class KeptTicks extends TickStore {
  readonly stored: SignedTick[] = [];
  readonly marks = new Map<string, TickHead>();
  async heads(): Promise<readonly TickHead[]> {
    return [...this.marks.values()];
  }
  async append(_: Tx, ticks: readonly SignedTick[]): Promise<void> {
    this.stored.push(...ticks);
    for (const tick of ticks) this.marks.set(tick.symbol, { ...tick, broken: false });
  }
  async markBroken(_: Tx, symbols: readonly string[]): Promise<void> {
    for (const symbol of symbols) {
      const head = this.marks.get(symbol);
      if (head) this.marks.set(symbol, { ...head, broken: true });
    }
  }
  within = (): Promise<never[]> => Promise.resolve([]);
  kept = (): Promise<never[]> => Promise.resolve([]);
  keep = (): Promise<void> => Promise.resolve();
  maintain = (): Promise<void> => Promise.resolve();
}

type Unhashed = Pick<MarketTick, 'prev_hash' | 'id' | 'symbol' | 'time' | 'price' | 'at'>;
/** Version 1 is without `at`. */
const hashed = ({ prev_hash: previous, id, symbol, time, price, at }: Unhashed, version: 1 | 2 = 2): string =>
  createHash('sha256')
    .update([previous, id, symbol, time, price, ...(version === 1 ? [] : [at])].join('|'))
    .digest('hex');
function chain(symbol: string, count: number): MarketTick[] {
  const ticks: MarketTick[] = [];
  for (let second = 0; second < count; second += 1) {
    const time = AT + second * 1_000;
    const tick = {
      id: String(second + 1),
      symbol,
      time,
      at: time - 100,
      price: '60000',
      prev_hash: ticks.at(-1)?.hash ?? '0'.repeat(64),
    };
    ticks.push(signed({ ...tick, hash: hashed(tick) }));
  }
  return ticks;
}
const signed = (tick: Unhashed & Pick<MarketTick, 'hash'>): MarketTick => ({
  ...tick,
  signature: sign(null, Buffer.from(tick.hash, 'hex'), privateKey).toString('base64'),
  public_key: KEY,
  kind: 'simulated',
  tick_version: 2,
});

function consumer() {
  const [store, alarms] = [new KeptTicks(), new Alarms()];
  const ticks = new Ticks(store, alarms, new FixedSettings(), new SystemClock());
  const take = async (...taken: readonly MarketTick[]): Promise<void> => {
    const after: (() => void)[] = [];
    const tx = { afterCommit: (run: () => void) => after.push(run) } as unknown as Tx;
    await ticks.take(
      taken.map((tick) => MarketTickV1.encode(tick) as Message),
      tx,
    );
    for (const run of after) run();
  };
  return { store, alarms, take };
}

describe('the own copy of the ticks [MICRO-005]', () => {
  test('a chain is stored whole, and repeated ticks are ignored', async () => {
    const { store, alarms, take } = consumer();
    const ticks = chain('BTC/USDT', 4);
    await take(ticks[0]!, ticks[1]!);
    await take(ticks[1]!, ticks[2]!, ticks[3]!);
    expect(store.stored.map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n]);
    expect(alarms.list()).toEqual([]);
  });

  const forged: Readonly<Record<string, (tick: MarketTick) => MarketTick>> = {
    'another price under the same hash': (tick) => ({ ...tick, price: '1' }),
    'another price with its hash, which nobody signed': (tick) => {
      const changed = { ...tick, price: '1' };
      return { ...changed, hash: hashed(changed) };
    },
    'another time of its price under the same hash': (tick) => ({ ...tick, at: tick.at + 50 }),
    'version 1 under a hash of version 2': ({ tick_version: _, ...tick }) => tick,
    'a signature of another key': (tick) => ({
      ...tick,
      public_key: Buffer.alloc(32, 1).toString('base64'),
    }),
    'a time between two seconds': (tick) => {
      const changed = { ...tick, time: tick.time + 1 };
      return signed({ ...changed, hash: hashed(changed) });
    },
  };
  test.each(Object.entries(forged))('%s is not stored, nor its successors: an alarm is raised', async (_, forge) => {
    const { store, alarms, take } = consumer();
    const [first, second, third] = chain('BTC/USDT', 3) as [MarketTick, MarketTick, MarketTick];
    const other = chain('ETH/USDT', 3);
    await take(first, other[0]!);
    await take(forge(second), third, other[1]!);
    await take(third, other[2]!);
    expect(store.stored.map(({ symbol, id }) => `${symbol} ${id}`)).toEqual([
      'BTC/USDT 1',
      'ETH/USDT 1',
      'ETH/USDT 2',
      'ETH/USDT 3',
    ]);
    expect(store.marks.get('BTC/USDT')?.broken).toBe(true);
    expect(store.marks.get('ETH/USDT')?.broken).toBe(false);
    expect(alarms.list().map(({ name }) => name)).toEqual([`${CHAIN_ALARM}BTC/USDT`]);
    // The true ticks, sent again, repair it.
    await take(second, third);
    expect(store.stored.filter(({ symbol }) => symbol === 'BTC/USDT')).toHaveLength(3);
    expect(store.marks.get('BTC/USDT')?.broken).toBe(false);
    expect(alarms.list()).toEqual([]);
  });

  test('a chain of version 1 continues in version 2, across an upgrade [HARD-481]', async () => {
    const { store, alarms, take } = consumer();
    const [first, second] = chain('BTC/USDT', 2) as [MarketTick, MarketTick];
    const { tick_version: _, ...before } = first;
    const old = signed({ ...before, hash: hashed(first, 1) });
    const next = { ...second, prev_hash: old.hash };
    await take({ ...old, tick_version: undefined }, signed({ ...next, hash: hashed(next) }));
    expect(store.stored.map(({ at }) => at)).toEqual([null, second.at]);
    expect(alarms.list()).toEqual([]);
  });

  test('a missing tick breaks only the chain of its market', async () => {
    const { store, alarms, take } = consumer();
    const ticks = chain('BTC/USDT', 3);
    await take(ticks[0]!, ticks[2]!);
    expect(store.stored).toHaveLength(1);
    expect(alarms.list().map(({ detail }) => detail)).toEqual([expect.stringContaining('missing')]);
  });
});
