import { randomBytes } from 'node:crypto';
import { Module, type Provider } from '@nestjs/common';
import { LedgerClientModule } from '@bourse/ledger-client';
import { askedFundGate, MarkPricesModule, OwnUploads, Parties, ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule } from '@bourse/settings';
import { C2cAsksController, WORK_PARTS } from './adapters/messaging/asks.controller.js';
import { MIGRATIONS } from './adapters/persistence/migrations.js';
import { AUDIT_PARTS, PostgresC2cAudit } from './adapters/persistence/postgres-c2c-audit.js';
import { C2cAudit, C2cDatabase, Ids, type AuditPart, type WorkPart } from './application/ports.js';
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

/** Draws 63 bits, never 0: ids of deals cannot be walked. */
const randomIds: Ids = {
  next: () => (BigInt(`0x${randomBytes(8).toString('hex')}`) & ((1n << 63n) - 1n) || 1n).toString(),
};
const work: Provider = {
  provide: WORK_PARTS,
  inject: PARTS.flatMap(({ work: parts }) => parts ?? []),
  useFactory: (...parts: WorkPart[]) => parts,
};
const audits: Provider = {
  provide: AUDIT_PARTS,
  inject: PARTS.flatMap(({ audit }) => audit ?? []),
  useFactory: (...parts: AuditPart[]) => parts,
};

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
      settings: PARTS.flatMap(({ settings }) => settings),
      rules: PARTS.flatMap(({ rules }) => rules),
    }),
  ],
  controllers: [C2cAsksController, ...PARTS.flatMap(({ controllers }) => controllers)],
  providers: [
    { provide: Ids, useValue: randomIds },
    { provide: C2cAudit, useClass: PostgresC2cAudit },
    audits,
    work,
    askedFundGate,
    OwnUploads,
    Parties,
    ...PARTS.flatMap(({ providers }) => providers),
  ],
})
export class C2cEscrowModule {}
