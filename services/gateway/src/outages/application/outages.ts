import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@bourse/platform';
import { Breakers } from '../../breakers/application/breakers.js';
import { Descriptions } from '../../shared/application/descriptions.js';
import { MarketViews } from '../../shared/application/market-views.js';

/** Days of which outages are kept. */
const OUTAGE_DAYS = 90;
/** The states of the products are recorded this often, by one gateway. */
const STEP_MS = 30_000;
const POLL_INTERVAL_MS = 10_000;
/** A longer time without a record is an outage of everything: no gateway ran, or none reached the database. */
const GAP_MS_MAX = 3 * STEP_MS;
const DAY_MS = 86_400_000;
const SPOT = 'spot';

/** How a product was closed: some of its calls or markets, or all. */
export type Closure = 'limited' | 'down';

/** The seconds of a day (UTC, `2026-01-31`) in which a product was closed. */
export interface Outage {
  readonly product: string;
  readonly day: string;
  readonly limitedSeconds: number;
  readonly downSeconds: number;
}
export interface OutageHistory {
  /** From when to when states were recorded, as far as that is kept (real time, ms); null before the first record. */
  readonly span: { readonly from: number; readonly to: number } | null;
  readonly outages: readonly Outage[];
}

/** Outages of all gateways. */
export abstract class OutageStore {
  /**
   * Adds the outages of the time since the last record, when that is at least `stepMs` ago. One gateway does so at a
   * time; nothing happens for the others. Outages of days before `firstDay` are deleted.
   */
  abstract record(span: {
    readonly now: number;
    readonly stepMs: number;
    readonly firstDay: string;
    readonly outagesOf: (from: number) => readonly Outage[];
  }): Promise<void>;
  abstract read(firstDay: string): Promise<OutageHistory>;
}

/** Products whose service does not answer. */
export abstract class SilentProducts {
  abstract silentProducts(): ReadonlySet<string>;
}

/** The day (UTC) of a time, as `2026-01-31`. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The seconds of each day (UTC) between two times that are whole seconds. */
export function secondsByDay(from: number, to: number): { readonly day: string; readonly seconds: number }[] {
  const days = [];
  for (let at = from; at < to;) {
    const end = Math.min(to, (Math.floor(at / DAY_MS) + 1) * DAY_MS);
    days.push({ day: dayOf(at), seconds: (end - at) / 1_000 });
    at = end;
  }
  return days;
}

/** How products are closed, by the modes of the markets and of the other products; open ones are left out. */
export function closuresOf(
  markets: Readonly<Record<string, string>>,
  products: Readonly<Record<string, string>>,
  silent: ReadonlySet<string>,
): ReadonlyMap<string, Closure> {
  const modes = Object.values(markets);
  const spot = modes.every((mode) => mode === 'normal')
    ? 'normal'
    : modes.every((mode) => mode === 'halted')
      ? 'halted'
      : 'cancel_only';
  const closures = new Map<string, Closure>();
  for (const [product, mode] of Object.entries({ [SPOT]: spot, ...products }))
    if (silent.has(product) || mode === 'halted') closures.set(product, 'down');
    else if (mode !== 'normal') closures.set(product, 'limited');
  return closures;
}

/** Records when products were closed, for the 90 days of the status page. Its days are of real time. */
@Injectable()
export class Outages implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Outages');
  private known: OutageHistory = { span: null, outages: [] };
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: OutageStore,
    private readonly markets: MarketViews,
    private readonly breakers: Breakers,
    private readonly silent: SilentProducts,
    private readonly descriptions: Descriptions,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.observe().catch((error: unknown) => this.log.debug(`outages could not be recorded: ${String(error)}`));
    }, POLL_INTERVAL_MS).unref();
  }
  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** As last read: a database that is unavailable delays no status. */
  history(): OutageHistory {
    return this.known;
  }

  /** Records the time that has passed, unless another gateway has, and reads what all have recorded. */
  async observe(): Promise<void> {
    const markets = this.markets.modes();
    // A gateway that has just started does not know them yet.
    if (Object.keys(markets).length === 0 || this.descriptions.missing().length > 0) return;
    const products = this.breakers.products();
    const now = Math.floor(this.clock.real() / 1_000) * 1_000;
    const firstDay = dayOf(now - (OUTAGE_DAYS - 1) * DAY_MS);
    const outagesOf = (from: number): Outage[] => {
      const closures =
        now - from > GAP_MS_MAX
          ? new Map([SPOT, ...Object.keys(products)].map((product) => [product, 'down' as const]))
          : closuresOf(markets, products, this.silent.silentProducts());
      const days = secondsByDay(from, now).filter(({ day }) => day >= firstDay);
      return [...closures].flatMap(([product, closure]) =>
        days.map(({ day, seconds }) => ({
          product,
          day,
          limitedSeconds: closure === 'limited' ? seconds : 0,
          downSeconds: closure === 'down' ? seconds : 0,
        })),
      );
    };
    await this.store.record({ now, stepMs: STEP_MS, firstDay, outagesOf });
    this.known = await this.store.read(firstDay);
  }
}
