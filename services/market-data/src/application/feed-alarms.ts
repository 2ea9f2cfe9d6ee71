import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Alarms, Clock, Config } from '@bourse/platform';
import { Catalog } from './catalog.js';
import { Feed, type FeedHealth } from './feed.js';
import { DECIDING_SOURCES } from './ports.js';

/** How long a pair may lack fresh prices before it alarms: a stream opens, and reopens, within this time. */
const SILENT_MS = 15_000;
const SILENT = 'feed.silent';
const THIN = 'feed.thin';
const SOURCE = 'feed.source:';

/**
 * Alarms about live prices: pairs without a fresh price, pairs with too few fresh sources, sources that are left out
 * because they contradict the others. Recorded and scripted prices have no alarms.
 */
@Injectable()
export class FeedAlarms implements OnModuleDestroy {
  private startedAt = 0;
  private raised: ReadonlySet<string> = new Set();
  private isStopped = false;
  /** Since when a pair has had too few sources, real time. */
  private readonly thinSince = new Map<string, number>();

  constructor(
    @Inject(Feed) private readonly feed: Pick<Feed, 'onTick' | 'health' | 'isLive'>,
    @Inject(Catalog) private readonly catalog: Pick<Catalog, 'pairs'>,
    private readonly alarms: Alarms,
    @Inject(Clock) private readonly clock: Pick<Clock, 'real' | 'now'>,
    @Inject(Config) private readonly config: Pick<Config, 'dev'>,
  ) {}

  start(): void {
    if (!this.feed.isLive) return;
    this.startedAt = this.clock.real();
    this.feed.onTick(() => this.updateAlarms());
  }

  onModuleDestroy(): void {
    this.isStopped = true;
  }

  private updateAlarms(): void {
    if (this.isStopped) return;
    const found = new Map<string, string>();
    const silent: string[] = [];
    const never: string[] = [];
    const thin: string[] = [];
    const outliers = new Map<string, string[]>();
    for (const { symbol, openLever, openMicro } of this.catalog.pairs) {
      const health = this.feed.health(symbol);
      if (this.isSilent(health)) (health.at === null ? never : silent).push(symbol);
      else if ((openLever || openMicro) && this.isThin(symbol, health)) thin.push(`${symbol} ${health.fresh}`);
      for (const source of health.outliers) outliers.set(source, [...(outliers.get(source) ?? []), symbol]);
    }
    if (never.length + silent.length > 0)
      found.set(
        SILENT,
        [
          ...(never.length > 0 ? [`no source ever gave a price of ${never.join(', ')}`] : []),
          ...(silent.length > 0 ? [`no source gives a fresh price of ${silent.join(', ')}`] : []),
        ].join('; '),
      );
    if (thin.length > 0)
      found.set(
        THIN,
        `leverage and seconds contracts need ${DECIDING_SOURCES} fresh sources, there are: ${thin.join(', ')}`,
      );
    for (const [source, symbols] of outliers)
      found.set(`${SOURCE}${source}`, `${source} is too far from the median and left out of: ${symbols.join(', ')}`);
    for (const name of this.raised) if (!found.has(name)) this.alarms.clear(name);
    for (const [name, detail] of found) this.alarms.raise(name, detail);
    this.raised = new Set(found.keys());
  }

  /** A pair that no source lists is no fault of a source. */
  private isSilent({ sources, fresh, at }: FeedHealth): boolean {
    if (sources === 0 || fresh > 0) return false;
    return at === null ? this.clock.real() - this.startedAt > SILENT_MS : this.clock.now() - at > SILENT_MS;
  }

  /** Too few fresh sources for SILENT_MS: a stream that reopens within it does not alarm. */
  private isThin(symbol: string, { sources, fresh }: FeedHealth): boolean {
    if (this.config.dev || sources === 0 || fresh >= DECIDING_SOURCES) {
      this.thinSince.delete(symbol);
      return false;
    }
    const since = this.thinSince.get(symbol) ?? this.clock.real();
    this.thinSince.set(symbol, since);
    return this.clock.real() - since > SILENT_MS;
  }
}
