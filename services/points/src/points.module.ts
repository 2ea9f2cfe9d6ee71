import { randomBytes } from 'node:crypto';
import { Module, type Provider } from '@nestjs/common';
import { LedgerClientModule } from '@bourse/ledger-client';
import { askedFundGate, MarkPricesModule, ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule } from '@bourse/settings';
import { PointsAsksController } from './adapters/messaging/asks.controller.js';
import { MIGRATIONS } from './adapters/persistence/migrations.js';
import { AUDIT_PARTS, PEOPLE_OF_LOOK, PostgresPointsAudit } from './adapters/persistence/postgres-points-audit.js';
import { PointsAudit, PointsDatabase, Ids, type AuditPart } from './application/ports.js';
import { PARTS } from './parts/index.js';

/** Name of this service, as in its manifest. */
export const SERVICE = 'points';

@Module({
  providers: [
    {
      provide: PointsDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: 'points', migrations: MIGRATIONS, poolMax: 6 }),
    },
  ],
  exports: [PointsDatabase],
})
class PointsDatabaseModule {}

const reference = ReferenceModule.forSchema(PointsDatabase, 'points', [PointsDatabaseModule]);

/** Draws 63 bits, never 0: ids of orders cannot be walked. */
const randomIds: Ids = {
  next: () => (BigInt(`0x${randomBytes(8).toString('hex')}`) & ((1n << 63n) - 1n) || 1n).toString(),
};
/** People of one look of the auditor, who looks every 15 s: a million people are gone through in less than half an hour. */
const LOOKED_AT = 10_000;
const audits: Provider = {
  provide: AUDIT_PARTS,
  inject: PARTS.flatMap(({ audit }) => audit ?? []),
  useFactory: (...parts: AuditPart[]) => parts,
};

/** Points of a third party and of fees; the team with its rebates (schema `points`). */
@Module({
  imports: [
    PointsDatabaseModule,
    reference,
    MarkPricesModule.forService(SERVICE),
    TimersModule.forSchema(PointsDatabase, [PointsDatabaseModule]),
    LedgerClientModule.forService({ service: SERVICE, database: PointsDatabase, imports: [PointsDatabaseModule] }),
    SettingsModule.forService({
      service: SERVICE,
      database: PointsDatabase,
      imports: [PointsDatabaseModule, reference],
      settings: PARTS.flatMap(({ settings }) => settings),
      rules: PARTS.flatMap(({ rules }) => rules),
    }),
  ],
  controllers: [PointsAsksController, ...PARTS.flatMap(({ controllers }) => controllers)],
  providers: [
    { provide: Ids, useValue: randomIds },
    { provide: PointsAudit, useClass: PostgresPointsAudit },
    audits,
    { provide: PEOPLE_OF_LOOK, useValue: LOOKED_AT },
    askedFundGate,
    ...PARTS.flatMap(({ providers }) => providers),
  ],
})
export class PointsModule {}
