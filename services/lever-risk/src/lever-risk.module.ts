import { Module } from '@nestjs/common';
import { answerAsks, LedgerClientModule } from '@bourse/ledger-client';
import { MarkPrices, MarkPricesModule, Reference, ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule } from '@bourse/settings';
import { LeverController } from './adapters/http/lever.controller.js';
import { AskedBalances } from './adapters/messaging/asked-balances.js';
import { AskedOpenings } from './adapters/messaging/asked-openings.js';
import { LeverAsksController } from './adapters/messaging/asks.controller.js';
import { MIGRATIONS } from './adapters/persistence/migrations.js';
import { PostgresAccounts } from './adapters/persistence/postgres-accounts.js';
import { PostgresLeverAudit } from './adapters/persistence/postgres-lever-audit.js';
import { PostgresPositions } from './adapters/persistence/postgres-positions.js';
import { AccountReader, UnreadableAccounts } from './application/account-reader.js';
import { ClosePositions } from './application/close.js';
import { TriggerOrders } from './application/trigger-orders.js';
import { AccountClaims } from './application/account-claims.js';
import { OpenExposures } from './application/exposures.js';
import { LeverHouse } from './application/lever-house.js';
import { LeverMarkets } from './application/lever-markets.js';
import { LEVER_RULES, LEVER_SETTINGS } from './application/lever-settings.js';
import { LeverLists } from './application/lists.js';
import { OvernightFees } from './application/overnight-fees.js';
import {
  AccountStore,
  Balances,
  LeverAuditReads,
  LeverDatabase,
  Openings,
  PositionStore,
} from './application/ports.js';
import { RiskParts } from './application/risk-owner.js';
import { RiskRunner } from './application/risk-runner.js';
import { SetStops } from './application/set-stops.js';
import { SubmitPosition } from './application/submit.js';
import { TakeOut } from './application/take-out.js';
import { PositionEvents } from './application/position-events.js';

/** Name of this service, as in its manifest. */
export const SERVICE = 'lever-risk';

@Module({
  providers: [
    {
      provide: LeverDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: 'lever', migrations: MIGRATIONS, poolMax: 8 }),
    },
  ],
  exports: [LeverDatabase],
})
class LeverDatabaseModule {}

const reference = ReferenceModule.forSchema(LeverDatabase, 'lever', [LeverDatabaseModule]);

/** Positions against the house, and their risk (schema `lever`). */
@Module({
  imports: [
    LeverDatabaseModule,
    reference,
    LedgerClientModule.forService({ service: SERVICE, database: LeverDatabase, imports: [LeverDatabaseModule] }),
    TimersModule.forSchema(LeverDatabase, [LeverDatabaseModule]),
    MarkPricesModule.forService(SERVICE),
    SettingsModule.forService({
      service: SERVICE,
      database: LeverDatabase,
      imports: [LeverDatabaseModule, reference],
      settings: LEVER_SETTINGS,
      rules: LEVER_RULES,
    }),
  ],
  controllers: [LeverController, LeverAsksController, answerAsks(SERVICE, LeverDatabase)],
  providers: [
    { provide: AccountStore, useClass: PostgresAccounts },
    { provide: PositionStore, useClass: PostgresPositions },
    { provide: LeverAuditReads, useClass: PostgresLeverAudit },
    { provide: Balances, useClass: AskedBalances },
    { provide: Openings, useClass: AskedOpenings },
    {
      provide: LeverMarkets,
      inject: [Reference, MarkPrices],
      useFactory: (rows: Reference, prices: MarkPrices) => new LeverMarkets(rows, prices),
    },
    AccountClaims,
    PositionEvents,
    SubmitPosition,
    ClosePositions,
    SetStops,
    TriggerOrders,
    OpenExposures,
    OvernightFees,
    TakeOut,
    LeverHouse,
    LeverLists,
    AccountReader,
    UnreadableAccounts,
    RiskParts,
    RiskRunner,
  ],
})
export class LeverRiskModule {}
