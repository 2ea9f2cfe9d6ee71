import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LedgerClient } from '@bourse/ledger-client';
import { watchBusyLoop } from '@bourse/messaging';
import { Config, Readiness } from '@bourse/platform';
import { Currencies } from './currencies.js';
import { LedgerMaintenance } from './ports.js';
import { seedCommands } from './seeds.js';

const READY = 'wallet-ledger';
/** Interval of table maintenance: a refusal is kept for an hour, and at most this much longer. */
const UPKEEP_MS = 10 * 60_000;
/** Interval at which the sums of people's lines are extended; SUM_PIECES × SUM_PIECE journals per partition at most. */
const SUMS_MS = 10_000;
/** The interval while the event loop is busy: readers add the newer journals themselves. */
const BUSY_SUMS_MS = 60_000;
const SUM_PIECE = 2_000;
const SUM_PIECES = 25;
const AGAIN_MS = 1_000;

/** Maintains the ledger's tables, and books the demo balances of a fresh dev install. */
@Injectable()
export class LedgerRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('LedgerRuntime');
  private readonly timers: NodeJS.Timeout[] = [];
  private stopping = false;
  private summing = false;
  private summedAt = 0;
  private readonly isBusy = watchBusyLoop();

  constructor(
    private readonly config: Config,
    private readonly readiness: Readiness,
    private readonly currencies: Currencies,
    private readonly ledger: LedgerClient,
    private readonly maintenance: LedgerMaintenance,
  ) {
    this.readiness.set(READY, false);
  }

  onApplicationBootstrap(): void {
    void this.start();
  }

  private async start(): Promise<void> {
    await this.currencies.ready();
    if (this.stopping) return;
    this.timers.push(setInterval(() => void this.runMaintenance(), UPKEEP_MS).unref());
    this.timers.push(setInterval(() => void this.sumLines(), SUMS_MS).unref());
    await this.runMaintenance();
    if (this.config.dev) await this.seedUntilDone();
    this.readiness.set(READY, true);
  }

  private async runMaintenance(): Promise<void> {
    try {
      await this.maintenance.createPartitions();
    } catch (error) {
      this.logger.error(`partitions for the coming weeks could not be created: ${(error as Error).message}`);
    }
  }

  /**
   * Extends the sums of people's lines towards the end of the journal, by a bounded number of journals per round;
   * readers add the newer lines themselves.
   */
  private async sumLines(): Promise<void> {
    if (this.summing || this.stopping) return;
    const isBusy = this.isBusy();
    if (isBusy && performance.now() - this.summedAt < BUSY_SUMS_MS) return;
    this.summing = true;
    this.summedAt = performance.now();
    try {
      for (let partition = 0; partition < this.config.ledgerPartitions; partition++)
        for (let piece = 0; piece < SUM_PIECES && !this.stopping; piece++)
          if ((await this.maintenance.sumLines(partition, SUM_PIECE)) < SUM_PIECE) break;
    } catch (error) {
      this.logger.warn(`the sums of the lines are retried later: ${(error as Error).message}`);
    } finally {
      this.summing = false;
    }
  }

  private async seedUntilDone(): Promise<void> {
    while (!this.stopping) {
      try {
        await this.seed();
        return;
      } catch (error) {
        this.logger.warn(`the demo balances are not booked yet: ${(error as Error).message}`);
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }

  /**
   * Runs once per install; entries that a killed start has booked are answered as repeats. A ledger that was used
   * before is not changed.
   */
  private async seed(): Promise<void> {
    if (await this.maintenance.isSeeded()) return;
    if (await this.maintenance.isUntouched()) {
      for (const { commandId, order } of seedCommands(this.config.ledgerPartitions)) {
        const reply = await this.ledger.settle(order, commandId);
        if (!reply?.ok)
          throw new Error(`${commandId}: ${reply ? (reply.answer.key ?? reply.answer.type) : 'no answer'}`);
      }
    }
    await this.maintenance.markSeeded();
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
    for (const timer of this.timers) clearInterval(timer);
  }
}
