import { Module, type Provider } from '@nestjs/common';
import { OwnUploads, Readers, ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule } from '@bourse/settings';
import { NoticesAsksController, WORK_PARTS } from './adapters/messaging/asks.controller.js';
import { NOTICES_ENTITIES } from './adapters/persistence/entities/index.js';
import { NOTICES_MIGRATIONS } from './adapters/persistence/migrations.js';
import { AUDIT_PARTS, PostgresNoticesAudit } from './adapters/persistence/postgres-notices-audit.js';
import { NoticesAudit, NoticesDatabase, type AuditPart, type WorkPart } from './application/ports.js';
import { PARTS } from './parts/index.js';

/** Name of this service and of its schema. */
export const SERVICE = 'notices';

@Module({
  providers: [
    {
      provide: NoticesDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) =>
        databases.open({
          schema: SERVICE,
          migrations: NOTICES_MIGRATIONS,
          entities: NOTICES_ENTITIES,
          poolMax: 4,
        }),
    },
  ],
  exports: [NoticesDatabase],
})
class NoticesDatabaseModule {}

const reference = ReferenceModule.forSchema(NoticesDatabase, SERVICE, [NoticesDatabaseModule]);

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

/** What people read: news, personal notices, and complaints with their answers (schema `notices`). */
@Module({
  imports: [
    NoticesDatabaseModule,
    reference,
    TimersModule.forSchema(NoticesDatabase, [NoticesDatabaseModule]),
    SettingsModule.forService({
      service: SERVICE,
      database: NoticesDatabase,
      imports: [NoticesDatabaseModule, reference],
      settings: PARTS.flatMap(({ settings }) => settings),
      rules: PARTS.flatMap(({ rules }) => rules),
    }),
  ],
  controllers: [NoticesAsksController, ...PARTS.flatMap(({ controllers }) => controllers)],
  providers: [
    { provide: NoticesAudit, useClass: PostgresNoticesAudit },
    audits,
    work,
    OwnUploads,
    Readers,
    ...PARTS.flatMap(({ providers }) => providers),
  ],
})
export class NoticesModule {}
