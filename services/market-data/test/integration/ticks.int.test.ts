import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SEED_PAIRS, type PairRow } from '@bourse/contract';
import { decode, MarketTickV1, TOPICS, type MarketTick, type Message } from '@bourse/events';
import { Fenced, leaseUnder, type AuditCheck, type Lease, type Replies } from '@bourse/messaging';
import { formatTrimmed } from '@bourse/money';
import { LEASE_MS, type Database, type PostgresDatabases } from '@bourse/persistence';
import { Metrics, RETENTION_DEFAULT_DAYS } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { KEY_REQUEST, PostgresTickStore } from '../../src/adapters/persistence/postgres-tick-store.js';
import type { FeedPrice } from '../../src/application/ports.js';
import { TickAudit } from '../../src/application/tick-audit.js';
import { TickDays } from '../../src/application/tick-days.js';
import { TickRecorder } from '../../src/application/tick-recorder.js';
import type { StoredTick } from '../../src/application/tick-store.js';
import { FIRST_PREVIOUS_HASH, tickFault, tickHash } from '../../src/domain/tick-chain.js';
import { askForTickKey, listTickKeys } from '../../src/tick-keys.js';

jest.setTimeout(testTimeoutMs(36_000));

const START = Date.UTC(2026, 0, 1, 12);
const SECOND = 1_000;
const DAY = 86_400_000;
const SECRET = randomBytes(32).toString('base64url');
const INSTALL = { databaseRolePrefix: 'bourse_' };
const PAIRS: readonly PairRow[] = SEED_PAIRS.slice(0, 3);
const [BTC, ETH] = PAIRS as readonly [PairRow, PairRow, PairRow];

/** The feed as the recorder uses it: announces full seconds, returns prices. */
class FakeFeed {
  readonly prices = new Map<string, FeedPrice>();
  private readonly listeners: ((now: number) => void)[] = [];
  onTick(listener: (now: number) => void): void {
    this.listeners.push(listener);
  }
  price(symbol: string): FeedPrice | undefined {
    return this.prices.get(symbol);
  }
  set(pair: PairRow, price: bigint, at: number): void {
    this.prices.set(pair.symbol, { price, at, kind: 'live', fresh: 3 });
  }
  tell(now: number): void {
    for (const listener of this.listeners) listener(now);
  }
}

interface Instance {
  readonly recorder: TickRecorder;
  readonly store: PostgresTickStore;
  readonly feed: FakeFeed;
  readonly database: Database;
  readonly databases: PostgresDatabases;
  /** The messages that it has sent, as its own log would deliver them. */
  readonly sent: MarketTick[];
}

describe('the recorder of ticks', () => {
  let world: TestDatabases;
  let now: number;
  const instances: Instance[] = [];

  beforeEach(async () => {
    world = await testDatabases({ shape: { schema: 'market', migrations: MIGRATIONS } });
    now = START;
  });
  afterEach(async () => {
    for (const { recorder } of instances.splice(0)) await recorder.stop();
    await world.end();
  });

  async function instance(name: string, secret = SECRET): Promise<Instance> {
    const databases = world.another();
    const sent: MarketTick[] = [];
    databases.onRows((rows) => {
      for (const { messages } of rows)
        for (const message of (messages ?? []) as readonly Message[]) {
          const decoded = decode(MarketTickV1, message);
          if (decoded.ok) sent.push(decoded.body);
        }
    });
    const database = await databases.open({ schema: 'market', migrations: MIGRATIONS });
    const store = new PostgresTickStore(database, { instance: name } as Replies);
    const feed = new FakeFeed();
    const config = { tickKeySecret: secret, retentionDays: RETENTION_DEFAULT_DAYS, dev: false };
    const recorder = new TickRecorder(feed, { pairs: PAIRS }, store, config, { now: () => now }, new Metrics());
    recorder.start();
    const one = { recorder, store, feed, database, databases, sent };
    instances.push(one);
    return one;
  }

  const stored = async (pair: PairRow, from = 0, to = 4_000_000_000_000): Promise<StoredTick[]> =>
    instances[0]!.store.range(pair.id, from, to, 100_000);
  const count = async (): Promise<number> =>
    Number((await world.query<{ count: string }>('select count(*) from market.tick'))[0]!.count);
  /** All feeds reach a second; a price of BTC that moves with it, one of ETH that does not change. */
  const tell = (...which: Instance[]): void => {
    now += SECOND;
    for (const { feed } of which) {
      feed.set(BTC, BigInt(5_663_756 + ((now - START) / SECOND) * 10), now);
      feed.set(ETH, 417_340n, now);
      feed.tell(now);
    }
  };
  /** Seconds pass until one of them is recorded: an instance that has just begun does not lead at once. */
  const begin = async (...which: Instance[]): Promise<void> => {
    const before = await count();
    await eventually(async () => {
      tell(...which);
      return (await count()) > before;
    });
    // From the first on none is left out: the last one comes too.
    await eventually(async () => (await stored(BTC, now, now + 1)).length === 1);
  };
  const passed = async (seconds: number, ...which: Instance[]): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      tell(...which);
      const time = now;
      await eventually(async () => (await stored(BTC, time, time + 1)).length === 1);
    }
  };

  /** The whole chain of a market: every link, every signature, no second twice, the head at its end. */
  async function expectChain(pair: PairRow): Promise<StoredTick[]> {
    const ticks = await stored(pair);
    for (const [index, tick] of ticks.entries()) {
      expect(tickFault(ticks[index - 1], { ...tick, symbol: pair.symbol })).toBeNull();
      expect(isSigned(tick)).toBe(true);
    }
    expect(ticks[0]?.id).toBe(1);
    expect((await instances[0]!.store.heads()).get(pair.id)).toMatchObject({
      id: ticks.at(-1)!.id,
      time: ticks.at(-1)!.time,
      hash: ticks.at(-1)!.hash,
    });
    return ticks;
  }

  test('a tick a second and market: numbered, chained, signed, sent with the rows [TICK-004]', async () => {
    const one = await instance('one');
    await begin(one);
    await passed(5, one);
    const ticks = await expectChain(BTC);
    await expectChain(ETH);
    const { price } = one.feed.price(BTC.symbol)!;
    expect(ticks.at(-1)).toMatchObject({ time: now, kind: 'live', price: formatTrimmed(price, BTC.priceScale) });
    // A pair without a price has none.
    expect(await stored(PAIRS[2]!)).toEqual([]);
    // Prices as text have no trailing zeros: ETH remains at 4173.40.
    expect((await stored(ETH)).every(({ price }) => price === '4173.4')).toBe(true);
    const events = one.sent.filter(({ symbol }) => symbol === BTC.symbol);
    expect(
      events.map(({ id, time, hash, prev_hash }) => ({ id: Number(id), time, hash, prevHash: prev_hash })),
    ).toEqual(ticks.map(({ id, time, hash, prevHash }) => ({ id, time, hash, prevHash })));
    expect(events.at(-1)).toMatchObject({
      signature: ticks.at(-1)!.signature,
      public_key: ticks.at(-1)!.publicKey,
      at: now,
    });
    const [rows] = await world.query<{ topic: string }>('select distinct topic from market.outbox');
    expect(rows).toEqual({ topic: TOPICS.marketTicks });
  });

  test('a tick has the time of its price, and the chain continues after ticks that do not [HARD-481]', async () => {
    const one = await instance('one');
    // A tick as the version before stored it.
    await one.store.makeRoom(START, START);
    const old = { id: 1, symbol: BTC.symbol, time: START, price: '56637.56', at: null, prevHash: FIRST_PREVIOUS_HASH };
    const hash = tickHash(old);
    await world.query(`
      insert into market.tick_key (public_key, sealed, valid_from)
        values (decode('${'00'.repeat(32)}', 'hex'), '', to_timestamp(0));
      update market.tick_key set valid_until = to_timestamp(1);
      insert into market.tick (pair_id, time, id, price, kind, prev_hash, hash, signature, key_id)
        select ${BTC.id}, to_timestamp(${START} / 1000), 1, 56637.56, 'live', decode('${FIRST_PREVIOUS_HASH}', 'hex'),
          decode('${hash}', 'hex'), decode('${'00'.repeat(64)}', 'hex'), id from market.tick_key;
      insert into market.tick_head values (${BTC.id}, 1, to_timestamp(${START} / 1000), decode('${hash}', 'hex'));
    `);
    await one.recorder.stop();
    const two = await instance('two');
    await eventually(async () => {
      now += SECOND;
      two.feed.set(BTC, 5_663_756n, now - 300);
      two.feed.tell(now);
      return (await stored(BTC)).length >= 3;
    });
    const ticks = await stored(BTC);
    expect(ticks.map(({ at }) => at)).toEqual([null, ...ticks.slice(1).map(({ time }) => time - 300)]);
    for (const [index, tick] of ticks.entries())
      expect(tickFault(ticks[index - 1], { ...tick, symbol: BTC.symbol })).toBeNull();
    expect(ticks[1]).toMatchObject({ id: 2, prevHash: hash });
  });

  test('a price that the feed gave more than five seconds ago makes no tick [TICK-005]', async () => {
    const one = await instance('one');
    await begin(one);
    const last = now;
    one.feed.set(ETH, 417_340n, last);
    for (let second = 1; second <= 7; second += 1) {
      now = last + second * SECOND;
      one.feed.set(BTC, 5_663_756n, now);
      one.feed.tell(now);
      await eventually(async () => (await stored(BTC, now, now + 1)).length === 1);
    }
    expect((await stored(ETH)).at(-1)?.time).toBe(last + 5 * SECOND);
    // It returns, and its chain continues where it ended.
    await passed(1, one);
    expect((await expectChain(ETH)).at(-1)?.time).toBe(now);
  });

  test('the same second, an earlier one, a clock moved forward: one tick each, or none [TICK-006]', async () => {
    const one = await instance('one');
    await begin(one);
    const before = await count();
    const back = now;
    one.feed.tell(now);
    one.feed.tell(now - 3 * SECOND);
    now += 3 * DAY + 7 * SECOND;
    await passed(2, one);
    expect(await count()).toBe(before + 4);
    const ticks = await expectChain(BTC);
    expect(ticks.at(-2)!.time - back).toBe(3 * DAY + 8 * SECOND);
    // Days of the business clock that are over go whole.
    now += 40 * DAY;
    await passed(1, one);
    expect((await stored(BTC)).map(({ time }) => time)).toEqual([now]);
    expect((await stored(BTC))[0]!.prevHash).toBe(ticks.at(-1)!.hash);
  });

  test('of two instances one records; the one that takes over continues the same chain [TICK-007]', async () => {
    const one = await instance('one');
    await begin(one);
    const two = await instance('two');
    await passed(3, one, two);
    expect(two.sent).toEqual([]);
    await one.recorder.stop();
    await begin(one, two);
    expect(two.sent.length).toBeGreaterThan(0);
    await passed(3, one, two);
    await expectChain(BTC);
    await expectChain(ETH);
    // The first one comes back and takes over in turn.
    await two.recorder.stop();
    const again = await instance('one');
    await begin(again);
    await expectChain(BTC);
  });

  test('an instance that is cut off commits nothing after it, and its successor continues [TICK-007]', async () => {
    const one = await instance('one');
    await begin(one);
    await passed(2, one);
    const known = await one.store.heads();
    // As SIGKILL and a partition of the network would: the process is there and does not renew its lease.
    await world.query(
      `update market.owner set lease_until = now() - interval '1 second' where consumer = 'market.ticks'`,
    );
    const epochs = await world.query<{ epoch: string }>(
      `select epoch from market.owner where consumer = 'market.ticks'`,
    );
    const old = leaseOf(one, Number(epochs[0]!.epoch));
    const [taken] = await world.query<{ epoch: string }>(
      `update market.owner set owner = 'two', epoch = epoch + 1, lease_until = now() + interval '${LEASE_MS} ms'
        where consumer = 'market.ticks' returning epoch`,
    );
    const before = await count();
    tell(one);
    await eventually(async () => {
      try {
        await one.store.transaction(async (tx) => old.fence(tx));
        return false;
      } catch (error) {
        return error instanceof Fenced;
      }
    });
    expect(await count()).toBe(before);
    expect(await one.store.heads()).toEqual(known);
    expect(Number(taken!.epoch)).toBeGreaterThan(Number(epochs[0]!.epoch));
    // Its lease runs out as well; the next one begins after it.
    const two = await instance('three');
    await begin(one, two);
    await passed(2, one, two);
    await expectChain(BTC);
  });

  test('a head moves only from the predecessor of its tick, even without a lease [TICK-008]', async () => {
    const one = await instance('one');
    await begin(one);
    await one.recorder.stop();
    const [last] = (await stored(BTC)).slice(-1);
    const [key] = await world.query<{ id: number }>('select id from market.tick_key');
    const fork = { ...last!, symbol: BTC.symbol, at: now, id: last!.id + 1, time: now + SECOND };
    for (const wrong of [
      { ...fork, prevHash: 'a'.repeat(64) },
      { ...fork, id: last!.id + 2, prevHash: last!.hash },
      { ...fork, id: 1, prevHash: last!.hash },
      { ...fork, time: now, prevHash: last!.hash },
    ])
      await expect(
        one.store.transaction((tx) => one.store.append(tx, { id: key!.id, publicKey: last!.publicKey }, [wrong])),
      ).rejects.toThrow();
    await expectChain(BTC);
    await expect(world.query(`update market.tick set price = price + 1`)).rejects.toThrow('never changed');
    await expect(world.query(`delete from market.tick`)).rejects.toThrow('never changed');
  });

  test('the key is stored sealed, survives a restart, and changes at a full second [TICK-009]', async () => {
    const one = await instance('one');
    await begin(one);
    const first = (await stored(BTC))[0]!;
    const [row] = await world.query<{ sealed: Buffer; public_key: Buffer }>('select * from market.tick_key');
    expect(row!.public_key.toString('base64')).toBe(first.publicKey);
    expect(row!.sealed.length).toBeGreaterThan(32 + 16);
    await one.recorder.stop();
    const two = await instance('one');
    await begin(two);
    expect(await two.store.keys()).toEqual([{ publicKey: first.publicKey, from: first.time, until: null }]);
    await askForTickKey(INSTALL, world.url);
    await askForTickKey(INSTALL, world.url);
    await passed(2, two);
    const [before, after] = await two.store.keys();
    expect(before).toEqual({ publicKey: first.publicKey, from: first.time, until: now - SECOND });
    expect(after).toMatchObject({ from: now - SECOND, until: null });
    expect(await listTickKeys(INSTALL, world.url)).toEqual([
      { publicKey: before!.publicKey, from: new Date(before!.from), until: new Date(after!.from) },
      { publicKey: after!.publicKey, from: new Date(after!.from), until: null },
    ]);
    const ticks = await expectChain(BTC);
    for (const { time, publicKey } of ticks) expect(publicKey).toBe((time < after!.from ? before : after)!.publicKey);
    // Under another secret (which a start accepts only with an explicit setting) another key signs.
    await two.recorder.stop();
    const three = await instance('one', randomBytes(32).toString('base64url'));
    await begin(three);
    expect(await three.store.keys()).toHaveLength(3);
    await expectChain(BTC);
  });

  test("work on keys becomes the role of the install's own prefix, and migrates nothing [DEPLOY-020]", async () => {
    const install = { databaseRolePrefix: 'ticks_apart_' };
    const waiting = await testDatabases({ rolePrefix: install.databaseRolePrefix });
    try {
      await expect(listTickKeys(install, waiting.url)).rejects.toThrow(/Schema market lacks/);
      expect(await waiting.query(`select 1 from pg_namespace where nspname = 'market'`)).toEqual([]);
      const market = await waiting.databases.open({ schema: 'market', migrations: MIGRATIONS });
      await askForTickKey(install, waiting.url);
      expect(await listTickKeys(install, waiting.url)).toEqual([]);
      expect(await market.query(`select current_user as role, name from meta where name like '%key%'`)).toEqual([
        { role: 'ticks_apart_market', name: KEY_REQUEST },
      ]);
      await expect(listTickKeys(INSTALL, waiting.url)).rejects.toThrow(/bourse_market|permission denied/);
    } finally {
      await waiting.end();
    }
  });

  test('the auditor names each outside change: price, second, head, signature [TICK-012]', async () => {
    const one = await instance('one');
    await begin(one);
    await passed(4, one);
    await one.recorder.stop();
    const config = { retentionDays: RETENTION_DEFAULT_DAYS };
    const audit = new TickAudit(one.store, config, { now: () => now });
    const look = (): Promise<AuditCheck> => one.database.transaction((tx) => audit.check(tx, PAIRS));
    expect(await look()).toMatchObject({ name: 'ticks', ok: true });
    const last = (await stored(BTC)).at(-1)!;
    const changes: readonly (readonly [string, RegExp])[] = [
      [`update market.tick set price = price + 0.01 where id = ${last.id - 1}`, /does not have the hash/],
      [`delete from market.tick where id = ${last.id - 1}`, /is followed by/],
      [`delete from market.tick where id = ${last.id}`, /its last tick is/],
      [`delete from market.tick where pair_id = ${BTC.id}`, /there is none/],
      [`update market.tick_head set hash = sha256('x')`, /its head is at/],
      [`update market.tick_head set id = id + 1`, /its head is at/],
      [`update market.tick set signature = sha512('x') where id = ${last.id}`, /signature/],
      [`update market.tick set time = time + interval '1 second' where id = ${last.id}`, /its head is at/],
    ];
    for (const [sql, fault] of changes) {
      await expect(
        one.database.transaction(async (tx) => {
          await tx.execute('alter table tick disable trigger tick_append_only');
          await tx.execute(sql);
          const check = await audit.check(tx, PAIRS);
          throw new Error(`undone: ${check.ok} ${check.detail}`);
        }),
      ).rejects.toThrow(new RegExp(`^undone: false BTC/USDT: .*${fault.source}`));
    }
    expect(await look()).toMatchObject({ ok: true });
    // After a pause longer than their retention the ticks are gone, and this is no fault.
    const later = new TickAudit(one.store, config, { now: () => now + (config.retentionDays.ticks + 1) * DAY });
    await expect(
      one.database.transaction(async (tx) => {
        await tx.execute('alter table tick disable trigger tick_append_only');
        await tx.execute('delete from market.tick');
        throw new Error(`undone: ${(await later.check(tx, PAIRS)).ok} ${(await audit.check(tx, PAIRS)).ok}`);
      }),
    ).rejects.toThrow(/^undone: true false$/);
  });

  test('a day as a file: its ticks, then the signature of the last; a day without any is none [TICK-013]', async () => {
    const one = await instance('one');
    await begin(one);
    await passed(3, one);
    const days = new TickDays(one.store);
    const read = async (day: number): Promise<Record<string, unknown>[] | null> => {
      const lines = await days.lines(BTC, day);
      if (!lines) return null;
      let text = '';
      for await (const piece of lines) text += piece;
      expect(text.endsWith('\n')).toBe(true);
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const day = START - (START % DAY);
    const ticks = await stored(BTC);
    expect(await read(day)).toEqual([
      ...ticks.map(({ id, time, price, at, prevHash, hash }) => ({
        id: String(id),
        symbol: BTC.symbol,
        time,
        price,
        at,
        prev_hash: prevHash,
        hash,
      })),
      { public_key: ticks.at(-1)!.publicKey, signature: ticks.at(-1)!.signature },
    ]);
    expect(await read(day - DAY)).toBeNull();
    expect(await read(day + DAY)).toBeNull();
  });

  const leaseOf = ({ database }: Instance, epoch: number): Lease =>
    leaseUnder(database, { name: 'market.ticks', epoch, signal: new AbortController().signal });
});

/** By the signature and the public key alone, as any reader can check it. */
function isSigned({ hash, signature, publicKey }: StoredTick): boolean {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(hash, 'hex'), key, Buffer.from(signature, 'base64'));
}
