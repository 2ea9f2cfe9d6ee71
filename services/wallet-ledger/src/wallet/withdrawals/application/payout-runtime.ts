import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { delay, type Lease, Replies, SingleRunner } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Alarms, Clock } from '@bourse/platform';
import { Chains } from '../../chains/application/chain.js';
import { ChainHealth } from '../../chains/application/chain-health.js';
import { UseCaseDatabase } from '../../../ledger/application/use-case-database.js';
import { Payouts, type NewPayout, type PayoutSettler } from './payouts.js';
import { PayoutStops } from './payout-stops.js';
import { PayoutStore } from './ports.js';
import { Sender, stuckAlarm } from './sender.js';
import { PAYOUT_PACE } from './payout-pace.js';

/** Name of the lease under which one instance sends on a chain; it covers all spending from the chain's hot wallet. */
const senderLease = (chain: string): string => `chain.sender.${chain}`;

/** Payouts, and the sender of each chain of this install: one instance of the service runs it at a time. */
@Injectable()
export class PayoutRuntime extends Payouts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Payouts');
  private readonly settlers = new Map<string, PayoutSettler>();
  private readonly runners: SingleRunner[] = [];

  constructor(
    private readonly store: PayoutStore,
    private readonly chains: Chains,
    private readonly health: ChainHealth,
    private readonly database: UseCaseDatabase,
    private readonly replies: Replies,
    private readonly stops: PayoutStops,
    private readonly clock: Clock,
    private readonly alarms: Alarms,
  ) {
    super();
  }

  enqueue(tx: Tx, payout: NewPayout): Promise<void> {
    return this.store.enqueue(tx, payout);
  }
  settle(kind: string, settler: PayoutSettler): void {
    this.settlers.set(kind, settler);
  }

  onApplicationBootstrap(): void {
    for (const chain of this.chains.all()) {
      const sender = new Sender({
        chain,
        store: this.store,
        clock: this.clock,
        alarms: this.alarms,
        settlerOf: (reference) => this.settlerOf(reference),
        isClosed: async () => (await this.health.closed(chain.name)) || (await this.stops.stopped()),
        frozen: (userIds) => this.frozen(userIds),
      });
      const runner = new SingleRunner(this.database, senderLease(chain.name), this.replies.instance);
      runner.start((lease) => this.run(sender, lease).finally(() => this.alarms.clear(stuckAlarm(chain.name))));
      this.runners.push(runner);
    }
  }

  private async run(sender: Sender, lease: Lease): Promise<void> {
    while (!lease.signal.aborted) {
      await sender.round(lease);
      await delay(PAYOUT_PACE.roundMs, lease.signal);
    }
  }

  /** Null while auth cannot be reached: then anybody may be frozen. */
  private async frozen(userIds: readonly number[]): Promise<ReadonlySet<number> | null> {
    try {
      return await this.stops.frozen(userIds);
    } catch (error) {
      this.logger.warn(`nothing new is paid out: ${(error as Error).message}`);
      return null;
    }
  }

  private settlerOf(reference: string): PayoutSettler {
    const settler = this.settlers.get(reference.slice(0, reference.indexOf(':')));
    if (!settler) throw new Error(`no settler for ${reference}`);
    return settler;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.stop()));
  }
}
