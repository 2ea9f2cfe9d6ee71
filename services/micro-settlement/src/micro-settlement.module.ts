import { Module } from '@nestjs/common';
import { answerAsks, LedgerClientModule } from '@bourse/ledger-client';
import { askedFundGate, MarkPricesModule, ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { Ids, RandomIds } from '@bourse/platform';
import { SettingsModule } from '@bourse/settings';
import { MicroAsksController } from './audit/messaging/asks.controller.js';
import { MicroAudit } from './audit/persistence/micro-audit.js';
import { Contracts, FreshPrices } from './contracts/application/contracts.js';
import { ContractLists } from './contracts/application/lists.js';
import { ContractStore, Durations } from './contracts/application/ports.js';
import { MICRO_RULES, MICRO_SETTINGS } from './contracts/application/settings.js';
import { Settlement } from './contracts/application/settlement.js';
import { ContractAdminController } from './contracts/http/contract-admin.controller.js';
import { MicroController } from './contracts/http/micro.controller.js';
import { FreshMarks } from './contracts/messaging/fresh-marks.js';
import { SecondsList, PostgresDurations } from './contracts/persistence/durations.js';
import { PostgresContracts } from './contracts/persistence/postgres-contracts.js';
import { Claims } from './insurance/application/claims.js';
import { Insurance } from './insurance/application/insurance.js';
import { InsuranceLists } from './insurance/application/lists.js';
import { Policies } from './insurance/application/policies.js';
import { PolicyStore, InsuranceTypes } from './insurance/application/ports.js';
import { InsuranceAdminController } from './insurance/http/insurance-admin.controller.js';
import { InsuranceController } from './insurance/http/insurance.controller.js';
import { PostgresPolicies } from './insurance/persistence/postgres-policies.js';
import { InsuranceTypeList, PostgresInsuranceTypes } from './insurance/persistence/types.js';
import { MIGRATIONS } from './migrations.js';
import { MicroDatabase } from './shared/application/database.js';
import { TickStore } from './ticks/application/ports.js';
import { TickList } from './ticks/application/tick-list.js';
import { Ticks } from './ticks/application/ticks.js';
import { TicksController } from './ticks/messaging/ticks.controller.js';
import { PostgresTicks } from './ticks/persistence/postgres-ticks.js';

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
    ContractAdminController,
    InsuranceAdminController,
    MicroAsksController,
    answerAsks(SERVICE, MicroDatabase),
    TicksController,
  ],
  providers: [
    { provide: Ids, useClass: RandomIds },
    { provide: TickStore, useClass: PostgresTicks },
    { provide: ContractStore, useClass: PostgresContracts },
    { provide: PolicyStore, useClass: PostgresPolicies },
    { provide: Durations, useClass: PostgresDurations },
    { provide: InsuranceTypes, useClass: PostgresInsuranceTypes },
    MicroAudit,
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
    InsuranceLists,
    ContractLists,
    TickList,
  ],
})
export class MicroSettlementModule {}
