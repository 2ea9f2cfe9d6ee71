import { Module } from '@nestjs/common';
import { joinParts, MarkPricesModule, OwnUploads, Readers, ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule, settingsOf } from '@bourse/settings';
import { NoticesAsksController } from './adapters/messaging/asks.controller.js';
import { NOTICES_ENTITIES } from './adapters/persistence/entities/index.js';
import { NOTICES_MIGRATIONS } from './adapters/persistence/migrations.js';
import { NoticesDatabase } from './application/ports.js';
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

const joined = joinParts({ service: SERVICE, database: NoticesDatabase, parts: PARTS });

/** News, personal notices, and complaints with their answers (schema `notices`). */
@Module({
  imports: [
    NoticesDatabaseModule,
    reference,
    TimersModule.forSchema(NoticesDatabase, [NoticesDatabaseModule]),
    MarkPricesModule.forService(SERVICE),
    SettingsModule.forService({
      service: SERVICE,
      database: NoticesDatabase,
      imports: [NoticesDatabaseModule, reference],
      ...settingsOf(PARTS),
    }),
  ],
  controllers: [NoticesAsksController, ...joined.controllers],
  providers: [OwnUploads, Readers, ...joined.providers],
})
export class NoticesModule {}
