import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { FeeLevelView } from '@bourse/contract';
import type { SettingRow } from '@bourse/events';
import type { Market } from '@bourse/matching';
import { delay, Reference } from '@bourse/messaging';
import { formatTrimmed } from '@bourse/money';
import { Clock, Rounds } from '@bourse/platform';
import {
  levelAt,
  SPOT_FEE_LEVELS,
  TURNOVER_SCALE,
  WHOLE_RATES,
  type FeeLevel,
  type LevelRates,
} from '@bourse/settings';
import { FeeRates, ratesAt, type Fees } from './fee-rates.js';
import { Markets } from './markets.js';
import { Turnovers } from './turnovers.js';

const DAY_MS = 86_400_000;
/** Days whose turnover counts. */
const WINDOW_DAYS = 30;
/** How long after midnight its day is counted: a command is executed at most a minute after its date. */
const SETTLED_MS = 60_000;
const CHECK_MS = 2_000;
/** People whose sums are read at once. */
const PEOPLE_AT_ONCE = 5_000;

/**
 * Fee levels of people by their turnover of the last 30 full days (rules §2). Each finished day is counted once, soon
 * after midnight, by whichever instance comes first; all read the sums into memory, where the books look them up.
 */
@Injectable()
export class FeeLevels extends FeeRates implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('FeeLevels');
  private readonly rounds = new Rounds(() => this.round());
  private readonly stopping = new AbortController();
  /** Turnovers that reach the lowest level. */
  private reached: ReadonlyMap<number, bigint> = new Map();
  /** The last counted day of what is in memory; null: none is counted. */
  private until: number | null = null;
  private isLoaded = false;
  private isOutdated = false;
  private read: { readonly text: string; readonly levels: readonly FeeLevel[] } | undefined;

  constructor(
    private readonly turnovers: Turnovers,
    private readonly markets: Markets,
    private readonly reference: Reference,
    private readonly clock: Clock,
  ) {
    super();
    reference.onChange((kind, id) => {
      if (kind !== 'setting' || id !== SPOT_FEE_LEVELS.key || !this.isLoaded) return;
      this.isOutdated = true;
      void this.refresh();
    });
  }

  onApplicationBootstrap(): void {
    void this.follow();
  }
  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  async ready(): Promise<void> {
    await this.reference.ready();
    if (!this.isLoaded) await this.load();
  }

  ratesOf(userId: number, market: Pick<Market, 'makerFee' | 'takerFee'>): Fees {
    const turnover = this.reached.get(userId);
    return turnover === undefined ? market : ratesAt(market, this.ratesAtTurnover(turnover));
  }

  /** A person's level, and what is missing to the next one. */
  async of(userId: number): Promise<FeeLevelView> {
    await this.ready();
    const { until, levels } = this;
    const turnover = until === null ? 0n : await this.turnovers.ofPerson(userId, until - WINDOW_DAYS + 1, until);
    const level = levelAt(levels, turnover);
    const rates = this.ratesAtTurnover(turnover);
    const next = levels[level];
    const usdt = (units: bigint): string => formatTrimmed(units, TURNOVER_SCALE);
    return {
      level,
      maker_percent: String(rates.makerPercent),
      taker_percent: String(rates.takerPercent),
      turnover_30d: usdt(turnover),
      until: until === null ? '' : new Date(until * DAY_MS).toISOString().slice(0, 10),
      next: next ? { level: level + 1, turnover: usdt(next.turnover), missing: usdt(next.turnover - turnover) } : null,
      levels: levels.map((one, index) => ({
        level: index + 1,
        turnover: usdt(one.turnover),
        maker_percent: String(one.makerPercent),
        taker_percent: String(one.takerPercent),
      })),
    };
  }

  /** Counts what has become due, and brings the levels in memory up to it. */
  async refresh(): Promise<void> {
    try {
      await this.rounds.next();
    } catch (error) {
      if (!this.stopping.signal.aborted)
        this.logger.warn(`fee levels could not be brought up to date: ${(error as Error).message}`);
    }
  }

  private async follow(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.refresh();
      await delay(CHECK_MS, this.stopping.signal);
    }
  }

  private async round(): Promise<void> {
    await this.reference.ready();
    const due = Math.floor((this.clock.now() - SETTLED_MS) / DAY_MS) - 1;
    if (this.until !== null && this.until >= due) {
      if (this.isOutdated) await this.load();
      return;
    }
    if (((await this.turnovers.closedDay()) ?? -1) < due && (await this.countUpTo(due))) {
      await this.turnovers.close(due);
      // The first day of the window before is kept for another instance, which may still count with that one.
      await this.turnovers.dropBefore(due - WINDOW_DAYS);
    }
    await this.load();
  }

  /** Counts all trades up to the end of a day. False: of some the price in USDT is not known yet. */
  private async countUpTo(day: number): Promise<boolean> {
    let all = true;
    for (const symbol of await this.turnovers.symbols()) {
      const market = this.markets.bySymbol(symbol);
      if (!market) continue;
      const piece = {
        symbol,
        from: (day - WINDOW_DAYS + 1) * DAY_MS,
        to: (day + 1) * DAY_MS,
        quoteId: market.quoteId,
        price: this.markets.usdtPrice(market),
      };
      let counted = await this.turnovers.count(piece);
      while (counted === 'more') {
        if (this.stopping.signal.aborted) return false;
        counted = await this.turnovers.count(piece);
      }
      if (counted === 'unpriced') all = false;
    }
    return all;
  }

  private async load(): Promise<void> {
    const { levels } = this;
    const until = await this.turnovers.closedDay();
    const least = levels[0]?.turnover;
    const reached = new Map<number, bigint>();
    if (until !== null && least !== undefined)
      for (let after = 0, more = true; more;) {
        const sums = await this.turnovers.sums(until - WINDOW_DAYS + 1, until, after, PEOPLE_AT_ONCE);
        for (const { userId, units } of sums) if (units >= least) reached.set(userId, units);
        after = sums.at(-1)?.userId ?? after;
        more = sums.length === PEOPLE_AT_ONCE;
      }
    this.reached = reached;
    this.until = until;
    this.isLoaded = true;
    // Levels that have changed meanwhile may begin lower: the next round reads the sums again.
    this.isOutdated = this.levels !== levels;
  }

  private ratesAtTurnover(turnover: bigint): LevelRates {
    const { levels } = this;
    return levels[levelAt(levels, turnover) - 1] ?? WHOLE_RATES;
  }

  /** As operators have set them; their default until the first copy has come. */
  private get levels(): readonly FeeLevel[] {
    const row = this.reference.get<SettingRow>('setting', SPOT_FEE_LEVELS.key);
    if (!row) return SPOT_FEE_LEVELS.initial;
    if (this.read?.text !== row.value) this.read = { text: row.value, levels: SPOT_FEE_LEVELS.type.read(row.value) };
    return this.read.levels;
  }
}
