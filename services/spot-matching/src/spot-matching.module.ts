import { Module } from '@nestjs/common';
import { AskedLedgerAnswers, LedgerAnswers, LedgerClient } from '@bourse/ledger-client';
import { ReferenceModule } from '@bourse/messaging';
import { Database } from '@bourse/persistence';
import { FeeLevelController } from './adapters/http/fee-level.controller.js';
import { OrdersController } from './adapters/http/orders.controller.js';
import { SpotAsksController } from './adapters/messaging/asks.controller.js';
import { SpotCommandsController } from './adapters/messaging/commands.controller.js';
import { PostgresAcceptedOrders } from './adapters/persistence/postgres-accepted-orders.js';
import { PostgresBookCheckpoints } from './adapters/persistence/postgres-book-checkpoints.js';
import { PostgresAuditReads } from './adapters/persistence/postgres-audit-reads.js';
import { PostgresEngineStore } from './adapters/persistence/postgres-engine-store.js';
import { PostgresTradeExport } from './adapters/persistence/postgres-trade-export.js';
import { PostgresTurnovers } from './adapters/persistence/postgres-turnovers.js';
import { PostgresOrderReads } from './adapters/persistence/postgres-order-reads.js';
import { SpotDatabase, SpotDatabaseModule } from './adapters/persistence/spot-database.js';
import { AmendOrders } from './application/amend-orders.js';
import { AnsweredOrderReads } from './application/answered-order-reads.js';
import { SpotAudit } from './application/audit.js';
import { CancelOrders } from './application/cancel-orders.js';
import { EngineProgress } from './application/engine-progress.js';
import { EngineReports } from './application/engine-reports.js';
import { EngineRuntime } from './application/engine-runtime.js';
import { FeeLevels } from './application/fee-levels.js';
import { FeeRates } from './application/fee-rates.js';
import { LocalBooks } from './application/local-books.js';
import { MarkTriggers } from './application/mark-triggers.js';
import { Markets } from './application/markets.js';
import { OrderBatch } from './application/order-batch.js';
import { OrderLists } from './application/order-lists.js';
import { PlaceOrder } from './application/place-order.js';
import { TradeExport } from './application/trade-export.js';
import { Turnovers } from './application/turnovers.js';
import { AcceptedOrders, AuditReads, EngineStore, OrderReads } from './application/ports.js';

/** Name of the service. */
export const SERVICE = 'spot-matching';

/** Order books in memory, orders and trades (schema `spot`). */
@Module({
  imports: [SpotDatabaseModule, ReferenceModule.forSchema(SpotDatabase, 'spot', [SpotDatabaseModule])],
  controllers: [FeeLevelController, OrdersController, SpotAsksController, SpotCommandsController],
  providers: [
    { provide: Database, useExisting: SpotDatabase },
    { provide: EngineStore, useClass: PostgresEngineStore },
    PostgresOrderReads,
    { provide: AcceptedOrders, useClass: PostgresAcceptedOrders },
    {
      provide: OrderReads,
      inject: [PostgresOrderReads, EngineProgress, EngineReports, AcceptedOrders],
      useFactory: (
        rows: PostgresOrderReads,
        progress: EngineProgress,
        reports: EngineReports,
        accepted: AcceptedOrders,
      ) => new AnsweredOrderReads(rows, progress, reports, accepted),
    },
    { provide: TradeExport, useClass: PostgresTradeExport },
    { provide: Turnovers, useClass: PostgresTurnovers },
    FeeLevels,
    { provide: FeeRates, useExisting: FeeLevels },
    { provide: AuditReads, useClass: PostgresAuditReads },
    { provide: LedgerAnswers, useClass: AskedLedgerAnswers },
    LedgerClient,
    LocalBooks,
    Markets,
    EngineProgress,
    EngineReports,
    EngineRuntime,
    MarkTriggers,
    PlaceOrder,
    CancelOrders,
    AmendOrders,
    OrderBatch,
    OrderLists,
    SpotAudit,
    PostgresBookCheckpoints,
  ],
})
export class SpotMatchingModule {}
