import { Module } from '@nestjs/common';
import { LedgerClientModule, productFrame } from '@bourse/ledger-client';
import { askedFundGate, MarkPricesModule, OwnUploads, Parties, ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule, settingsOf } from '@bourse/settings';
import { MIGRATIONS } from './adapters/persistence/migrations.js';
import { C2cDatabase } from './application/ports.js';
import { PARTS } from './parts/index.js';

/** Name of this service, as in its manifest. */
export const SERVICE = 'c2c-escrow';

@Module({
  providers: [
    {
      provide: C2cDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: 'escrow', migrations: MIGRATIONS, poolMax: 6 }),
    },
  ],
  exports: [C2cDatabase],
})
class C2cDatabaseModule {}

const reference = ReferenceModule.forSchema(C2cDatabase, 'escrow', [C2cDatabaseModule]);

const frame = productFrame({ service: SERVICE, database: C2cDatabase, parts: PARTS });

/** Fiat between people: C2C, shops and acceptors (schema `escrow`). */
@Module({
  imports: [
    C2cDatabaseModule,
    reference,
    MarkPricesModule.forService(SERVICE),
    TimersModule.forSchema(C2cDatabase, [C2cDatabaseModule]),
    LedgerClientModule.forService({ service: SERVICE, database: C2cDatabase, imports: [C2cDatabaseModule] }),
    SettingsModule.forService({
      service: SERVICE,
      database: C2cDatabase,
      imports: [C2cDatabaseModule, reference],
      ...settingsOf(PARTS),
    }),
  ],
  controllers: frame.controllers,
  providers: [askedFundGate, OwnUploads, Parties, ...frame.providers],
})
export class C2cEscrowModule {}
