import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { DEMO_PEOPLE } from '@bourse/contract';
import { TOPICS } from '@bourse/events';
import { ForgedRecords, Log, Replies } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Alarms, Clock, Config, Metrics, SecurityLog } from '@bourse/platform';
import { AdjustmentsController } from './adapters/http/adjustments.controller.js';
import { SolvencyController } from './adapters/http/solvency.controller.js';
import { StatementController } from './adapters/http/statement.controller.js';
import { HouseBalances } from './adapters/metrics/house-balances.js';
import { LedgerAsksController } from './adapters/messaging/asks.controller.js';
import { LedgerCommandsController } from './adapters/messaging/commands.controller.js';
import { PostgresAdjustmentStore } from './adapters/persistence/adjustment-store.js';
import { PostgresAuditReads } from './adapters/persistence/audit-reads.js';
import { LedgerDatabase } from './adapters/persistence/ledger-database.js';
import { PostgresHouseBalanceReads } from './adapters/persistence/house-balance-reads.js';
import { PostgresSolvencyStore } from './adapters/persistence/solvency-store.js';
import { PostgresWriterStore } from './adapters/persistence/writer-store.js';
import { AdjustmentRuntime } from './application/adjustments/adjustment-runtime.js';
import { Adjustments } from './application/adjustments/adjustments.js';
import { AdjustmentStore } from './application/adjustments/ports.js';
import { PostAdjustment } from './application/adjustments/post-adjustment.js';
import { LedgerAudit } from './application/audit/ledger-audit.js';
import { LedgerAuditor } from './application/audit/ledger-auditor.js';
import { Currencies } from './application/currencies.js';
import { HouseRebalancer } from './application/house/house-rebalancer.js';
import { HouseBalanceReads } from './application/house/ports.js';
import { LedgerRuntime } from './application/ledger-runtime.js';
import { AuditReads, WriterStore } from './application/ports.js';
import { SolvencyStore } from './application/solvency/ports.js';
import { SolvencyProofs } from './application/solvency/proofs.js';
import { SolvencyRuntime } from './application/solvency/solvency-runtime.js';
import { TakeSnapshot } from './application/solvency/take-snapshot.js';
import { LedgerWriter } from './application/writer/writer.js';
import { LedgerCoreModule } from './ledger-core.module.js';

/** All balances, their journal, its audit, the proof of reserves, and adjustments by two operators. */
@Module({
  imports: [LedgerCoreModule],
  controllers: [
    StatementController,
    SolvencyController,
    AdjustmentsController,
    LedgerAsksController,
    LedgerCommandsController,
  ],
  providers: [
    {
      provide: WriterStore,
      inject: [LedgerDatabase, Currencies],
      useFactory: (database: Database, currencies: Currencies) =>
        new PostgresWriterStore(database, (id) => {
          const scale = currencies.scaleOf(id);
          if (scale === undefined)
            throw new Error(`invariant: currency ${id} has an account and is not in the catalog`);
          return scale;
        }),
    },
    {
      provide: AuditReads,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresAuditReads(database),
    },
    {
      provide: LedgerAudit,
      inject: [AuditReads, Config],
      useFactory: (reads: AuditReads, config: Config) => new LedgerAudit(reads, config.ledgerPartitions),
    },
    {
      provide: SolvencyStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresSolvencyStore(database),
    },
    {
      provide: AdjustmentStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresAdjustmentStore(database),
    },
    {
      provide: HouseBalanceReads,
      inject: [LedgerDatabase, Config],
      useFactory: (database: Database, config: Config) =>
        new PostgresHouseBalanceReads(database, config.ledgerPartitions),
    },
    {
      provide: LedgerWriter,
      inject: [
        LedgerDatabase,
        WriterStore,
        Replies,
        Log,
        Metrics,
        Alarms,
        SecurityLog,
        Currencies,
        Config,
        HouseRebalancer,
        Clock,
      ],
      useFactory: (
        database: Database,
        store: WriterStore,
        replies: Replies,
        log: Log,
        metrics: Metrics,
        alarms: Alarms,
        security: SecurityLog,
        currencies: Currencies,
        config: Config,
        rebalancer: HouseRebalancer,
        clock: Clock,
      ) => {
        const unwatched = new Set(DEMO_PEOPLE.filter(({ cannotSignIn }) => cannotSignIn).map(({ id }) => id));
        const forged = new ForgedRecords(alarms, security);
        return new LedgerWriter({
          onRejectedSource: (what) => forged.found(TOPICS.ledgerCommands, what),
          onShortfall: ({ account, currency, units }, partition) =>
            rebalancer.requestTopUp(account, currency, partition, units),
          database,
          store,
          replies,
          metrics,
          partitions: config.ledgerPartitions,
          context: {
            userEventPartitions: log.partitionsOf(TOPICS.userEvents),
            scaleOf: (id) => currencies.scaleOf(id),
            nameOf: (id) => currencies.nameOf(id),
            now: () => clock.now(),
            isDemo: config.dev,
            isWatched: (user) => !unwatched.has(user),
            keptUnits: (account, currency, partition) => rebalancer.keptUnits(account, currency, partition),
          },
        });
      },
    },
    HouseRebalancer,
    HouseBalances,
    LedgerRuntime,
    LedgerAuditor,
    TakeSnapshot,
    SolvencyRuntime,
    SolvencyProofs,
    PostAdjustment,
    Adjustments,
    AdjustmentRuntime,
  ],
})
export class LedgerModule {
  /**
   * `house` provides `Assets` (proof of reserves) and `FurtherChecks` (audit): the ledger does not know who provides
   * them.
   */
  static over(house: Type): DynamicModule {
    return { module: LedgerModule, imports: [house] };
  }
}
