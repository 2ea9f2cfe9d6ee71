import { Module, type Provider } from '@nestjs/common';
import { LedgerClientModule, productFrame } from '@bourse/ledger-client';
import {
  askedFundGate,
  MarkPricesModule,
  PartsAudit,
  ReferenceModule,
  TimersModule,
  type AuditPart,
} from '@bourse/messaging';
import { type Database, Databases } from '@bourse/persistence';
import { SettingsModule, settingsOf } from '@bourse/settings';
import { MIGRATIONS } from './migrations.js';
import { PostgresPointsAudit } from './shared/persistence/range-audit.js';
import { PointsDatabase } from './shared/application/database.js';
import { PARTS } from './parts.js';

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

const frame = productFrame({ service: SERVICE, database: PointsDatabase, parts: PARTS });
/** People in one round of the auditor, which runs every 15 s: a million take less than half an hour. */
const PEOPLE_PER_ROUND = 10_000;
/** Replaces the frame's audit: it checks people in ranges. */
const audit: Provider = {
  provide: PartsAudit,
  inject: [PointsDatabase, ...PARTS.flatMap((part) => part.audit ?? [])],
  useFactory: (database: Database, ...parts: AuditPart[]) => new PostgresPointsAudit(database, parts, PEOPLE_PER_ROUND),
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
      ...settingsOf(PARTS),
    }),
  ],
  controllers: frame.controllers,
  providers: [askedFundGate, ...frame.providers, audit],
})
export class PointsModule {}
