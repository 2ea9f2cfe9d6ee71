import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { delay, Fenced, type Lease, Replies, SingleRunner } from '@bourse/messaging';
import { isTransient } from '@bourse/persistence';
import { Alarms, Clock, Config, timeText } from '@bourse/platform';
import { Chains, ChainUnavailable, ChainUnreadable, type Chain } from '../../chains/application/chain.js';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Networks } from '../../shared/application/networks.js';
import { UseCaseDatabase } from '../../../ledger/application/use-case-database.js';
import { ConfirmDeposit } from './confirm-deposit.js';
import { DepositFacts } from './deposit-facts.js';
import { DepositAddressStore, DepositStore } from './ports.js';
import { WatchChain } from './watch-chain.js';

const POLL_INTERVAL_MS = 1_000;
/** A chain that gives no answer for longer raises an alarm. */
const SILENT_MS = 20_000;
/**
 * Name of the lease under which one instance of the service watches a chain; the simulated chains share one, because
 * they are read in one query.
 */
const leaseOf = (chain: string): string => `chain.watcher.${chain}`;

/** Watches all chains of this install: one instance of the service watches a chain at a time. */
@Injectable()
export class DepositRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('DepositRuntime');
  private readonly runners: SingleRunner[] = [];

  constructor(
    private readonly chains: Chains,
    private readonly database: UseCaseDatabase,
    private readonly store: DepositStore,
    private readonly addresses: DepositAddressStore,
    private readonly networks: Networks,
    private readonly currencies: Currencies,
    private readonly facts: DepositFacts,
    private readonly alarms: Alarms,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly replies: Replies,
  ) {}

  onApplicationBootstrap(): void {
    const simulated = this.chains.all().filter((chain) => chain.simulated);
    if (simulated.length > 0) this.start('simulated', simulated);
    for (const chain of this.chains.all()) if (!chain.simulated) this.start(chain.name, [chain]);
  }

  private start(name: string, chains: readonly Chain[]): void {
    const runner = new SingleRunner(this.database, leaseOf(name), this.replies.instance);
    runner.start((lease) => this.watch(chains, lease));
    this.runners.push(runner);
  }

  private async watch(chains: readonly Chain[], lease: Lease): Promise<void> {
    await this.currencies.ready();
    const scaleOf = (currency: number): number | undefined => this.currencies.scaleOf(currency);
    const confirm = new ConfirmDeposit(this.store, this.config.ledgerPartitions, this.clock, scaleOf, this.facts);
    const watched = chains.map((chain) => ({
      chain,
      silentSince: null as number | null,
      watch: new WatchChain({
        chain,
        database: this.database,
        store: this.store,
        addresses: this.addresses,
        confirm,
        networks: () => this.networks.on(chain.name),
        scaleOf,
        alarms: this.alarms,
        clock: this.clock,
      }),
    }));
    try {
      while (!lease.signal.aborted) {
        let more = false;
        for (const one of watched) {
          if (lease.signal.aborted) return;
          try {
            more = (await one.watch.step(lease)) || more;
            if (one.silentSince !== null) this.alarms.clear(silentAlarm(one.chain.name));
            one.silentSince = null;
          } catch (error) {
            one.watch.forget();
            // A lost lease ends the watch of all; any other failure of one chain does not affect the others.
            if (error instanceof Fenced) throw error;
            one.silentSince ??= this.clock.real();
            const why = error instanceof ChainUnavailable ? error.message : ((error as Error).stack ?? String(error));
            this.logger.warn(`${one.chain.name} is not being followed: ${why}`);
            // An unavailable node or database may recover soon; an unreadable answer or a defect does not pass by
            // itself.
            const isAway =
              (error instanceof ChainUnavailable && !(error instanceof ChainUnreadable)) || isTransient(error);
            if (!isAway || this.clock.real() - one.silentSince > SILENT_MS)
              this.alarms.raise(
                silentAlarm(one.chain.name),
                `not followed since ${timeText(one.silentSince)}; its deposits wait: ${(error as Error).message}`,
              );
          }
        }
        if (!more) await delay(POLL_INTERVAL_MS, lease.signal);
      }
    } finally {
      // The next watch starts without the alarms of this one.
      for (const { chain } of watched) this.alarms.clear(silentAlarm(chain.name));
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.stop()));
  }
}

const silentAlarm = (chain: string): string => `chain:${chain}:silent`;
