import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { BREAKER_SCOPES, OUT_BREAKER, type OutVerdict } from '@bourse/contract';
import type { MarketMode } from '@bourse/events';
import { Asks, serviceAsks, Views } from '@bourse/messaging';
import { Alarms, breakersOf, Clock, isClosedByMode, Refused, type CallPolicy } from '@bourse/platform';
import { Descriptions } from '../../shared/application/descriptions.js';
import { MarketViews } from '../../shared/application/market-views.js';

export type Mode = MarketMode;
/** A freeze of the auditor. Each finding during it has a `version` of its own. */
export interface Freeze {
  readonly since: number;
  readonly detail: string;
  readonly version: string;
}
export interface BreakerState {
  /** Scopes that were ever stopped or opened. */
  readonly modes: Readonly<Record<string, Mode>>;
  /** Since when each stopped scope is stopped (business time, ms); missing: unknown. */
  readonly since: Readonly<Record<string, number>>;
  readonly freeze: Freeze | null;
}
/** A line of the audit trail; `before` and `after` describe the change. */
export interface OperatorAction {
  readonly operatorId: number;
  readonly operator: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Scopes that get a mode at `now` (business time, ms). `seen` is the freeze that was known when the change was decided;
 * `thaw` ends it.
 */
export interface BreakerChange {
  readonly scopes: readonly string[];
  readonly mode: Mode;
  readonly thaw: boolean;
  readonly seen: Freeze | null;
  readonly now: number;
}

/** Stored state of the breakers, for all gateways. Each change is committed together with its line of the trail. */
export abstract class BreakerStore {
  abstract read(): Promise<BreakerState>;
  /** False, and nothing is changed, when scopes would open during another freeze than the one that was seen. */
  abstract set(change: BreakerChange, action: OperatorAction): Promise<boolean>;
  /** Adds only a line to the trail, for changes that are stored elsewhere. */
  abstract note(action: OperatorAction): Promise<void>;
  /**
   * Stops everything at once, including these scopes, at `now` (business time, ms); false when it was stopped already:
   * then the freeze gets another version.
   */
  abstract freeze(detail: string, scopes: readonly string[], now: number, action: OperatorAction): Promise<boolean>;
}

const NORMAL: BreakerState = { modes: {}, since: {}, freeze: null };
/** Name of the view that announces a change of the table. */
const VIEW = 'breakers';
const AUDITOR = { operatorId: 0, operator: 'auditor' } as const;
const REREAD_MS = 1_000;
const MODE_AGAIN_MS = 2_000;
const FROZEN = 'audit:frozen';

/**
 * Breakers of the exchange (api §2.12) and the auditor's freeze. Markets are stopped by commands to their matching, the
 * other scopes by rows of the gateway, read by every instance. During a freeze, an open market gets the command to go
 * cancel-only again.
 */
@Injectable()
export class Breakers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Breakers');
  private state: BreakerState = NORMAL;
  private known: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: () => void = () => undefined;
  private readonly told = new Map<string, number>();

  constructor(
    private readonly store: BreakerStore,
    private readonly asks: Asks,
    private readonly views: Views,
    private readonly alarms: Alarms,
    private readonly markets: MarketViews,
    private readonly descriptions: Descriptions,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // Read before the first call is served: a restart must not open a stopped scope.
    await this.read();
    this.timer = setInterval(() => {
      this.poll().catch((error: unknown) => this.logger.warn(`breakers could not be read: ${String(error)}`));
    }, REREAD_MS).unref();
    this.unsubscribe = this.views.subscribe(VIEW, () => {
      this.poll().catch((error: unknown) => this.logger.warn(`breakers could not be read: ${String(error)}`));
    });
  }
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
    this.unsubscribe();
  }

  get frozen(): BreakerState['freeze'] {
    return this.state.freeze;
  }

  /** The freeze that is stored now. */
  async readFreeze(): Promise<Freeze | null> {
    await this.read();
    return this.frozen;
  }

  /** Whether a call must be refused because a scope that it needs is stopped. */
  stops(policy: CallPolicy, verdict: OutVerdict): boolean {
    return breakersOf(policy, verdict).some((scope) => isClosedByMode(policy, scope, this.modeOf(scope)));
  }

  /** Since when payments to other people are stopped (business time, ms; 0: unknown); null: they are not. */
  outPausedSince(): number | null {
    return this.modeOf(OUT_BREAKER) === 'normal' ? null : (this.state.since[OUT_BREAKER] ?? 0);
  }

  /** Scopes other than single markets. */
  private scopes(): readonly string[] {
    return [...new Set([...BREAKER_SCOPES, ...this.descriptions.breakers(), ...Object.keys(this.state.modes)])];
  }

  /** A scope that was never set is open; during a freeze none is. */
  private modeOf(scope: string): Mode {
    const mode = this.state.modes[scope] ?? 'normal';
    return mode === 'normal' && this.frozen ? 'cancel_only' : mode;
  }

  /** Mode of each scope other than a market: products, and withdrawals. */
  products(): Readonly<Record<string, Mode>> {
    return Object.fromEntries(this.scopes().map((scope) => [scope, this.modeOf(scope)]));
  }

  list(): { scope: string; mode: Mode }[] {
    return [
      ...Object.entries(this.markets.modes()).map(([scope, mode]) => ({ scope, mode: mode as Mode })),
      ...Object.entries(this.products()).map(([scope, mode]) => ({ scope, mode })),
    ];
  }

  /**
   * Stops or opens a scope for an operator. Opening goes from cancel-only, never straight from halted, and lifts only
   * the freeze that was `seen` before the change was decided. Throws `common.fieldInvalid`, `admin.cancelOnlyFirst`,
   * `admin.reopenAll`, `admin.stillWrong`.
   */
  async set(
    scope: string,
    mode: Mode,
    who: Pick<OperatorAction, 'operatorId' | 'operator' | 'reason'>,
    seen: Freeze | null = this.frozen,
  ): Promise<void> {
    await this.read();
    const modes = this.markets.modes();
    const symbols = scope === 'all' ? Object.keys(modes) : scope in modes ? [scope] : [];
    const scopes = scope === 'all' ? this.scopes() : this.scopes().filter((known) => known === scope);
    if (symbols.length + scopes.length === 0)
      throw new Refused('common.fieldInvalid', { field: 'scope' }, { field: 'scope' });
    const before = this.list().filter((one) => scope === 'all' || one.scope === scope);
    if (mode === 'normal') {
      if (this.frozen && scope !== 'all') throw new Refused('admin.reopenAll');
      // After a freeze every market must have reached cancel-only: one that still trades has not drained.
      if (before.some((one) => one.mode === 'halted' || (this.frozen !== null && one.mode !== 'cancel_only')))
        throw new Refused('admin.cancelOnlyFirst');
    }
    const text = (rows: readonly { scope: string; mode: string }[]): string =>
      rows.map((row) => `${row.scope} ${row.mode}`).join(', ');
    const thaw = scope === 'all' && mode === 'normal';
    const isSet = await this.store.set(
      { scopes, mode, thaw, seen, now: this.clock.now() },
      { ...who, action: 'breaker', target: scope, before: text(before), after: mode },
    );
    await this.read();
    if (!isSet) throw new Refused('admin.stillWrong', { check: FROZEN });
    this.views.publish(VIEW, {});
    await Promise.all(symbols.filter((symbol) => modes[symbol] !== mode).map((symbol) => this.setMode(symbol, mode)));
    await this.seen(symbols, mode);
  }

  /**
   * The auditor found a violation: withdrawals stop and markets go cancel-only until an operator reopens. Committed
   * before it returns, also during a freeze: an operator may be lifting that one.
   */
  async freeze(detail: string): Promise<void> {
    const fresh = await this.store.freeze(detail, this.scopes(), this.clock.now(), {
      ...AUDITOR,
      action: 'freeze',
      target: 'all',
      reason: detail,
      before: '',
      after: 'cancel_only',
    });
    if (fresh) this.logger.error(`FROZEN: ${detail}`);
    this.views.publish(VIEW, {});
    await this.poll();
  }

  private async read(): Promise<void> {
    // Two concurrent reads may return out of order.
    this.known ??= this.store
      .read()
      .then((state) => {
        this.state = state;
      })
      .finally(() => {
        this.known = null;
      });
    await this.known;
    if (this.state.freeze) this.alarms.raise(FROZEN, this.state.freeze.detail);
    else this.alarms.clear(FROZEN);
  }

  private async poll(): Promise<void> {
    await this.read();
    if (!this.frozen) return;
    const now = Date.now();
    const open = Object.entries(this.markets.modes())
      .filter(([symbol, mode]) => mode === 'normal' && now - (this.told.get(symbol) ?? 0) > MODE_AGAIN_MS)
      .map(([symbol]) => symbol);
    for (const symbol of open) this.told.set(symbol, now);
    const results = await Promise.allSettled(open.map((symbol) => this.setMode(symbol, 'cancel_only')));
    for (const [at, result] of results.entries())
      if (result.status === 'rejected')
        this.logger.warn(`${open[at]} is not yet cancel-only: ${String(result.reason)}`);
  }

  /** Sends the mode to the service that runs the market. */
  private async setMode(symbol: string, mode: Mode): Promise<void> {
    const makers = this.descriptions.makers();
    for (const [at, { service }] of makers.entries())
      try {
        await this.asks.ask(serviceAsks.mode(service), { symbol, mode });
        return;
      } catch (error) {
        const isElsewhere = error instanceof Refused && error.key === 'common.notFound' && at < makers.length - 1;
        if (!isElsewhere) throw error;
      }
  }

  /** Waits a little until the books publish the mode, so that the next reader sees it. */
  private async seen(symbols: readonly string[], mode: Mode): Promise<void> {
    for (
      const until = Date.now() + 2_000;
      Date.now() < until && symbols.some((symbol) => this.markets.modes()[symbol] !== mode);
    )
      await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
