import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LedgerClient } from '@bourse/ledger-client';
import { delay, type Lease, Replies, SingleRunner } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { Clock, Config, Metrics } from '@bourse/platform';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Networks } from '../../shared/application/networks.js';
import { LedgerReader } from '../../../ledger/application/ports.js';
import { Payouts } from '../../withdrawals/application/payouts.js';
import { PayoutStore } from '../../withdrawals/application/ports.js';
import { UseCaseDatabase } from '../../../ledger/application/use-case-database.js';
import { BookFees } from './book-fees.js';
import { Chains, ChainUnavailable, type Chain } from '../../chains/application/chain.js';
import { OwnAddresses } from '../../chains/application/own-addresses.js';
import { Treasury } from './treasury.js';
import { TreasuryStore } from './ports.js';

const ROUND_MS = 15_000;

/**
 * Runs the treasury of each real chain: one instance of the service per chain at a time. A simulated chain needs none.
 */
@Injectable()
export class TreasuryRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Treasury');
  private readonly runners: SingleRunner[] = [];
  /** Unbooked network fees by chain, units of its coin. */
  private readonly unbooked = new Map<string, bigint>();

  constructor(
    private readonly chains: Chains,
    private readonly networks: Networks,
    private readonly addresses: OwnAddresses,
    private readonly database: UseCaseDatabase,
    private readonly payouts: Payouts,
    private readonly payoutStore: PayoutStore,
    private readonly store: TreasuryStore,
    private readonly currencies: Currencies,
    private readonly reader: LedgerReader,
    private readonly ledger: LedgerClient,
    private readonly replies: Replies,
    private readonly clock: Clock,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'bourse_ledger_network_fees_unbooked',
      '1 while fees of a chain wait for a house account that can pay them; the log says how much',
      ['chain'],
      (gauge) => {
        for (const [chain, amount] of this.unbooked) gauge.set({ chain }, amount > 0n ? 1 : 0);
      },
    );
  }

  onApplicationBootstrap(): void {
    // These payouts book nothing else: the money stays ours.
    for (const kind of ['gas', 'cold']) this.payouts.settle(kind, () => Promise.resolve());
    for (const chain of this.chains.all()) {
      if (chain.simulated) continue;
      const ceilings = this.ceilingsOf(chain);
      const runner = new SingleRunner(this.database, `chain.treasury.${chain.name}`, this.replies.instance);
      runner.start((lease) => this.run(chain, ceilings, lease));
      this.runners.push(runner);
    }
  }

  /**
   * Ceilings by network id, smallest units. @throws Error that names the setting, so that the service does not start
   * with a ceiling that it cannot keep.
   */
  private ceilingsOf(chain: Chain): ReadonlyMap<number, bigint> {
    const networks = this.networks
      .on(chain.name)
      .filter((network) => this.config.hotCeilings[network.id] !== undefined);
    return new Map(
      networks.map(({ id, name, chainScale }) => {
        const text = this.config.hotCeilings[id] as string;
        if ((text.split('.')[1] ?? '').length > chainScale)
          throw new Error(`HOT_CEILINGS: ${text} has more than the ${chainScale} decimals of network ${id} (${name}).`);
        return [id, toUnits(text, chainScale)];
      }),
    );
  }

  private async run(chain: Chain, ceilings: ReadonlyMap<number, bigint>, lease: Lease): Promise<void> {
    await this.currencies.ready();
    const treasury = new Treasury({
      chain,
      networks: () => this.networks.on(chain.name),
      addresses: this.addresses,
      database: this.database,
      payouts: this.payouts,
      payoutStore: this.payoutStore,
      store: this.store,
      clock: this.clock,
      coldAddress: this.config.coldAddresses[chain.name] ?? null,
      ceilings,
    });
    const books = new BookFees({
      store: this.store,
      reader: this.reader,
      ledger: this.ledger,
      clock: this.clock,
      partitions: this.config.ledgerPartitions,
    });
    const coin = this.networks.on(chain.name).find(({ contractAddress }) => contractAddress === '');
    const scale = coin && this.currencies.scaleOf(coin.currencyId);
    while (!lease.signal.aborted) {
      try {
        await treasury.round(lease);
        if (coin && scale !== undefined) this.warnOfUnbooked(chain.name, await books.round(lease, coin, scale), scale);
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        this.logger.warn(`the treasury of ${chain.name} is waiting: ${error.message}`);
      }
      await delay(ROUND_MS, lease.signal);
    }
  }

  private warnOfUnbooked(chain: string, unbooked: bigint, scale: number): void {
    if (unbooked > 0n && this.unbooked.get(chain) !== unbooked)
      this.logger.warn(
        `${formatUnits(unbooked, scale)} of the fees of ${chain} are not booked: the house account has too little`,
      );
    this.unbooked.set(chain, unbooked);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.stop()));
  }
}
