import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { bodiesOf, MarketTickV1, type Message } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import { Alarms, Clock } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { chainStep } from '../domain/tick.js';
import { tickFault, tickOf } from './tick-chain.js';
import { MICRO_TICK_DAYS } from './settings.js';
import { TickStore, type SignedTick } from './ports.js';

const MAINTAIN_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Beginning of the names of alarms about a chain. */
export const CHAIN_ALARM = 'micro-settlement.ticks:';

/**
 * Takes the recorded ticks into the service's own tables, in the order of their chain. A tick that does not follow is
 * not stored, and neither is what comes after it: nothing opens or settles on a market whose chain is broken.
 */
@Injectable()
export class Ticks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Ticks');
  private readonly listeners: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: TickStore,
    private readonly alarms: Alarms,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Calls back when new ticks are stored. */
  onStored(listener: () => void): void {
    this.listeners.push(listener);
  }

  async take(messages: readonly Message[], tx: Tx): Promise<void> {
    const heads = new Map((await this.store.heads(tx)).map((head) => [head.symbol, head]));
    const moved = new Set<string>();
    const next: SignedTick[] = [];
    const faults = new Map<string, string>();
    for (const body of bodiesOf(MarketTickV1, messages)) {
      const tick = tickOf(body);
      if (faults.has(tick.symbol)) continue;
      const step = chainStep(heads.get(tick.symbol), tick);
      if (step.kind === 'known') continue;
      const fault = step.kind === 'broken' ? step.fault : tickFault(tick);
      if (fault !== null) {
        faults.set(tick.symbol, fault);
        continue;
      }
      next.push(tick);
      heads.set(tick.symbol, { ...tick, broken: false });
      moved.add(tick.symbol);
    }
    if (next.length > 0) await this.store.append(tx, next);
    if (faults.size > 0) await this.store.markBroken(tx, [...faults.keys()]);
    tx.afterCommit(() => {
      for (const symbol of moved) if (!faults.has(symbol)) this.alarms.clear(`${CHAIN_ALARM}${symbol}`);
      for (const [symbol, fault] of faults)
        this.alarms.raise(`${CHAIN_ALARM}${symbol}`, `nothing settles on ${symbol}: ${fault}`);
      if (next.length > 0) for (const listener of this.listeners) listener();
    });
  }

  onApplicationBootstrap(): void {
    void this.maintain();
    this.timer = setInterval(() => void this.maintain(), MAINTAIN_MS);
    this.timer.unref();
  }
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async maintain(): Promise<void> {
    try {
      const now = this.clock.now();
      await this.store.maintain(now, now - this.settings.get(MICRO_TICK_DAYS) * DAY_MS);
    } catch (error) {
      this.logger.warn(`days of ticks could not be made or let go: ${(error as Error).message}`);
    }
  }
}
