import { Module } from '@nestjs/common';
import { answerAsks, LedgerClientModule } from '@bourse/ledger-client';
import { ReferenceModule, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule } from '@bourse/settings';
import { BoxesController } from './adapters/http/boxes.controller.js';
import { TemplateAsksController } from './adapters/messaging/asks.controller.js';
import { MIGRATIONS } from './adapters/persistence/migrations.js';
import { PostgresBoxes } from './adapters/persistence/postgres-boxes.js';
import { BOX_SETTINGS } from './application/box-settings.js';
import { Boxes } from './application/boxes.js';
import { BoxStore, TemplateDatabase } from './application/ports.js';

/** Name of this service, as in its manifest. */
export const SERVICE = 'service-template';

@Module({
  providers: [
    {
      provide: TemplateDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: 'template', migrations: MIGRATIONS, poolMax: 4 }),
    },
  ],
  exports: [TemplateDatabase],
})
class TemplateDatabaseModule {}

const reference = ReferenceModule.forSchema(TemplateDatabase, 'template', [TemplateDatabaseModule]);

/** A person puts an amount aside in a box, and gets it back when the box closes. */
@Module({
  imports: [
    TemplateDatabaseModule,
    reference,
    TimersModule.forSchema(TemplateDatabase, [TemplateDatabaseModule]),
    LedgerClientModule.forService({ service: SERVICE, database: TemplateDatabase, imports: [TemplateDatabaseModule] }),
    SettingsModule.forService({
      service: SERVICE,
      database: TemplateDatabase,
      imports: [TemplateDatabaseModule, reference],
      settings: BOX_SETTINGS,
    }),
  ],
  controllers: [BoxesController, TemplateAsksController, answerAsks(SERVICE, TemplateDatabase)],
  providers: [Boxes, { provide: BoxStore, useClass: PostgresBoxes }],
})
export class ServiceTemplateModule {}
