import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Lease } from '@bourse/messaging';
import { formatTrimmed } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock, Config, DataSeal, keptSince, Metrics, SealBroken, timeText } from '@bourse/platform';
import { nextTick, type TickHead } from '../domain/tick-chain.js';
import { makeTickKey, openTickKey, type TickKey } from './tick-key.js';
import { Catalog } from './catalog.js';
import { Feed } from './feed.js';
import { decides, STALE_MS } from './ports.js';
import { TickStore, type SignedTick } from './tick-store.js';

/** Seconds that wait while the database does not answer; older ones are skipped and stay a hole. */
const WAITING_MAX = 5;
const DAY_MS = 24 * 3_600_000;

/** The prices of the feed for all markets at a full second. */
interface Second {
  readonly time: number;
  readonly prices: readonly Pick<SignedTick, 'pairId' | 'symbol' | 'price' | 'at' | 'kind'>[];
}
/** The leading instance's state between two seconds: as the last commit has left it. */
interface State {
  heads: ReadonlyMap<number, TickHead>;
  /** The last second that was recorded; null before the first. */
  time: number | null;
  signing: { readonly id: number; readonly key: TickKey } | null;
  /** The day for which room was made last. */
  day: number | null;
}

/**
 * Records one price a second and market: the last one that the feed had at that second, numbered, chained, signed
 * (rules §4). One instance at a time does it; each second is one transaction under its epoch, and a head moves only
 * from where the recorder believes it to be. So no second is recorded twice and no chain forks, whichever instance
 * records.
 */
@Injectable()
export class TickRecorder {
  private readonly logger = new Logger('TickRecorder');
  private readonly seal: DataSeal;
  private readonly recorded: { inc(count: number): void };
  private leading: { stop(): Promise<void> } | undefined;
  private waiting: Second[] = [];
  private wake: () => void = () => undefined;
  /** Of the instance that has the lease. */
  private state: State | null = null;

  constructor(
    @Inject(Feed) private readonly feed: Pick<Feed, 'onTick' | 'price'>,
    @Inject(Catalog) private readonly catalog: Pick<Catalog, 'pairs'>,
    private readonly store: TickStore,
    @Inject(Config) private readonly config: Pick<Config, 'tickKeySecret' | 'retentionDays' | 'dev'>,
    @Inject(Clock) clock: Pick<Clock, 'now'>,
    metrics: Metrics,
  ) {
    this.seal = new DataSeal([], [config.tickKeySecret]);
    this.recorded = metrics.counter('bourse_ticks_recorded_total', 'Prices that this process has recorded');
    metrics.gauge(
      'bourse_tick_age_seconds',
      'Age of the last recorded prices, where they are recorded',
      [],
      (gauge) => {
        const time = this.state?.time ?? null;
        // Not `reset`, which sets 0: an instance that does not record would hide how old the prices are.
        if (time === null) gauge.remove();
        else gauge.set((clock.now() - time) / 1_000);
      },
    );
  }

  start(): void {
    this.feed.onTick((time) => this.offer(time));
    this.leading = this.store.lead((lease) => this.record(lease));
  }

  async stop(): Promise<void> {
    await this.leading?.stop();
  }

  /** A full second of the feed: the instance with the lease takes its prices. */
  private offer(time: number): void {
    if (this.state === null || time <= (this.waiting.at(-1)?.time ?? this.state.time ?? -1)) return;
    const prices = this.catalog.pairs.flatMap(({ id, symbol, priceScale }) => {
      const price = this.feed.price(symbol);
      if (!price || time - price.at > STALE_MS || !decides(price, this.config)) return [];
      const text = formatTrimmed(price.price, priceScale);
      return [{ pairId: id, symbol, price: text, at: price.at, kind: price.kind }];
    });
    this.waiting.push({ time, prices });
    if (this.waiting.length > WAITING_MAX) this.waiting.shift();
    this.wake();
  }

  /** Records from the next second on, until the lease ends. It continues at the state of the tables. */
  private async record(lease: Lease): Promise<void> {
    const heads = await this.store.heads();
    const times = [...heads.values()].map(({ time }) => time);
    const state: State = {
      heads,
      time: times.length === 0 ? null : Math.max(...times),
      signing: await this.loadKey(),
      day: null,
    };
    const wake = (): void => this.wake();
    lease.signal.addEventListener('abort', wake, { once: true });
    this.waiting = [];
    this.state = state;
    try {
      while (!lease.signal.aborted) {
        const second = this.waiting.shift();
        if (second) await this.recordSecond(lease, state, second);
        else await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      this.state = null;
      lease.signal.removeEventListener('abort', wake);
    }
  }

  private async recordSecond(lease: Lease, state: State, { time, prices }: Second): Promise<void> {
    // A clock that was set back makes nothing until it is beyond the last second again.
    if (prices.length === 0 || (state.time !== null && time <= state.time)) return;
    await this.makeRoom(state, time);
    const ticks = prices.map(({ pairId, kind, ...price }) => {
      const tick = nextTick(state.heads.get(pairId), { ...price, time });
      if (!tick) throw new Error(`invariant: ${price.symbol} has a tick after the last second`);
      return { ...tick, pairId, kind };
    });
    const signing = await this.store.transaction(async (tx) => {
      await lease.fence(tx);
      const isAsked = await this.store.takeKeyRequest(tx);
      const { id, key } = state.signing && !isAsked ? state.signing : await this.newKey(tx, time);
      const signed = ticks.map((tick): SignedTick => ({ ...tick, signature: key.sign(tick.hash) }));
      await this.store.append(tx, { id, publicKey: key.publicKey }, signed);
      return { id, key };
    });
    state.heads = new Map([
      ...state.heads,
      ...ticks.map(({ pairId, id, hash }) => [pairId, { id, time, hash }] as const),
    ]);
    state.time = time;
    state.signing = signing;
    this.recorded.inc(ticks.length);
  }

  /** Days ahead, and those that are over, once a day of the business clock. */
  private async makeRoom(state: State, time: number): Promise<void> {
    const day = Math.floor(time / DAY_MS);
    if (day === state.day) return;
    await this.store.makeRoom(time, keptSince(this.config.retentionDays, 'ticks', time));
    state.day = day;
  }

  private async newKey(tx: Tx, time: number): Promise<{ id: number; key: TickKey }> {
    const { key, sealed } = makeTickKey(this.seal);
    const id = await this.store.changeKey(tx, time, key.publicKey, sealed);
    tx.afterCommit(() => this.logger.log(`ticks are signed by the key ${key.publicKey} from ${timeText(time)} UTC on`));
    return { id, key };
  }

  /** Null without one that this process can use; the next second then begins with a new one. */
  private async loadKey(): Promise<State['signing']> {
    const stored = await this.store.currentKey();
    if (!stored) return null;
    try {
      return { id: stored.id, key: openTickKey(this.seal, stored.publicKey, stored.sealed) };
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.logger.warn(`the key ${stored.publicKey} lies under another TICK_KEY_SECRET: another one signs from now on`);
      return null;
    }
  }
}
