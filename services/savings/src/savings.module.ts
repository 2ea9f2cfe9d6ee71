import { Module } from '@nestjs/common';
import { LedgerClientModule, productFrame } from '@bourse/ledger-client';
import { askedFundGate, ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule, settingsOf } from '@bourse/settings';
import { MIGRATIONS } from './adapters/persistence/migrations.js';
import { SavingsDatabase } from './application/ports.js';
import { PARTS } from './parts/index.js';

/** Name of this service, as in its manifest. */
export const SERVICE = 'savings';

@Module({
  providers: [
    {
      provide: SavingsDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: 'savings', migrations: MIGRATIONS, poolMax: 6 }),
    },
  ],
  exports: [SavingsDatabase],
})
class SavingsDatabaseModule {}

const reference = ReferenceModule.forSchema(SavingsDatabase, 'savings', [SavingsDatabaseModule]);

const frame = productFrame({ service: SERVICE, database: SavingsDatabase, parts: PARTS });

/** Fixed terms with reserved interest (schema `savings`). */
@Module({
  imports: [
    SavingsDatabaseModule,
    reference,
    TimersModule.forSchema(SavingsDatabase, [SavingsDatabaseModule]),
    LedgerClientModule.forService({ service: SERVICE, database: SavingsDatabase, imports: [SavingsDatabaseModule] }),
    SettingsModule.forService({
      service: SERVICE,
      database: SavingsDatabase,
      imports: [SavingsDatabaseModule, reference],
      ...settingsOf(PARTS),
    }),
  ],
  controllers: frame.controllers,
  providers: [askedFundGate, ...frame.providers],
})
export class SavingsModule {}
