import { Module } from '@nestjs/common';
import { answerAsks, LedgerClientModule } from '@bourse/ledger-client';
import { askedFundGate, MarkPricesModule, ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { Ids, RandomIds } from '@bourse/platform';
import { SettingsModule } from '@bourse/settings';
import { InsuranceController } from './adapters/http/insurance.controller.js';
import { MicroAdminController } from './adapters/http/micro-admin.controller.js';
import { MicroController } from './adapters/http/micro.controller.js';
import { MicroAsksController } from './adapters/messaging/asks.controller.js';
import { FreshMarks } from './adapters/messaging/fresh-marks.js';
import { TicksController } from './adapters/messaging/ticks.controller.js';
import { PostgresMicroAudit } from './adapters/persistence/audit-reads.js';
import { InsuranceTypeList, PostgresCatalog, SecondsList } from './adapters/persistence/catalog-lists.js';
import { MIGRATIONS } from './adapters/persistence/migrations.js';
import { PostgresContracts } from './adapters/persistence/postgres-contracts.js';
import { PostgresPolicies } from './adapters/persistence/postgres-policies.js';
import { PostgresTicks } from './adapters/persistence/postgres-ticks.js';
import { Claims } from './application/claims.js';
import { Contracts, FreshPrices } from './application/contracts.js';
import { Insurance } from './application/insurance.js';
import { Lists } from './application/lists.js';
import { MICRO_RULES, MICRO_SETTINGS } from './application/micro-settings.js';
import { Policies } from './application/policies.js';
import { CatalogStore, ContractStore, MicroAudit, MicroDatabase, PolicyStore, TickStore } from './application/ports.js';
import { Settlement } from './application/settlement.js';
import { Ticks } from './application/ticks.js';

/** Name of this service, as in its manifest. */
export const SERVICE = 'micro-settlement';

@Module({
  providers: [
    {
      provide: MicroDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: 'micro', migrations: MIGRATIONS, poolMax: 6 }),
    },
  ],
  exports: [MicroDatabase],
})
class MicroDatabaseModule {}

const reference = ReferenceModule.forSchema(MicroDatabase, 'micro', [MicroDatabaseModule]);

/** Seconds contracts that recorded prices settle, and the insurance on them (schema `micro`). */
@Module({
  imports: [
    MicroDatabaseModule,
    reference,
    MarkPricesModule.forService(SERVICE),
    TimersModule.forSchema(MicroDatabase, [MicroDatabaseModule]),
    LedgerClientModule.forService({ service: SERVICE, database: MicroDatabase, imports: [MicroDatabaseModule] }),
    SettingsModule.forService({
      service: SERVICE,
      database: MicroDatabase,
      imports: [MicroDatabaseModule, reference],
      settings: MICRO_SETTINGS,
      rules: MICRO_RULES,
    }),
  ],
  controllers: [
    MicroController,
    InsuranceController,
    MicroAdminController,
    MicroAsksController,
    answerAsks(SERVICE, MicroDatabase),
    TicksController,
  ],
  providers: [
    { provide: Ids, useClass: RandomIds },
    { provide: TickStore, useClass: PostgresTicks },
    { provide: ContractStore, useClass: PostgresContracts },
    { provide: PolicyStore, useClass: PostgresPolicies },
    { provide: CatalogStore, useClass: PostgresCatalog },
    { provide: MicroAudit, useClass: PostgresMicroAudit },
    { provide: FreshPrices, useClass: FreshMarks },
    askedFundGate,
    SecondsList,
    InsuranceTypeList,
    Ticks,
    Policies,
    Contracts,
    Settlement,
    Insurance,
    Claims,
    Lists,
  ],
})
export class MicroSettlementModule {}
