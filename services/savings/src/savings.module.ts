import { randomBytes } from 'node:crypto';
import { Module, type Provider } from '@nestjs/common';
import { LedgerClientModule } from '@bourse/ledger-client';
import { askedFundGate, ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule } from '@bourse/settings';
import { SavingsAsksController } from './adapters/messaging/asks.controller.js';
import { MIGRATIONS } from './adapters/persistence/migrations.js';
import { AUDIT_PARTS, PostgresSavingsAudit } from './adapters/persistence/postgres-savings-audit.js';
import { SavingsAudit, SavingsDatabase, Ids, type AuditPart } from './application/ports.js';
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

/** Draws 63 bits, never 0: ids of orders cannot be walked. */
const randomIds: Ids = {
  next: () => (BigInt(`0x${randomBytes(8).toString('hex')}`) & ((1n << 63n) - 1n) || 1n).toString(),
};
const audits: Provider = {
  provide: AUDIT_PARTS,
  inject: PARTS.flatMap(({ audit }) => audit ?? []),
  useFactory: (...parts: AuditPart[]) => parts,
};

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
      settings: PARTS.flatMap(({ settings }) => settings),
      rules: PARTS.flatMap(({ rules }) => rules),
    }),
  ],
  controllers: [SavingsAsksController, ...PARTS.flatMap(({ controllers }) => controllers)],
  providers: [
    { provide: Ids, useValue: randomIds },
    { provide: SavingsAudit, useClass: PostgresSavingsAudit },
    audits,
    askedFundGate,
    ...PARTS.flatMap(({ providers }) => providers),
  ],
})
export class SavingsModule {}
