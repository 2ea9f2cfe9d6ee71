import { Module } from '@nestjs/common';
import { ReferenceModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { SettingsModule } from '@bourse/settings';
import { LeverAsksController } from './adapters/messaging/asks.controller.js';
import { MIGRATIONS } from './adapters/persistence/migrations.js';
import { LEVER_RULES, LEVER_SETTINGS } from './application/lever-settings.js';
import { LeverDatabase } from './application/ports.js';

/** Name of this service, as in its manifest. */
export const SERVICE = 'lever-risk';

@Module({
  providers: [
    {
      provide: LeverDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: 'lever', migrations: MIGRATIONS, poolMax: 8 }),
    },
  ],
  exports: [LeverDatabase],
})
class LeverDatabaseModule {}

const reference = ReferenceModule.forSchema(LeverDatabase, 'lever', [LeverDatabaseModule]);

/** Positions against the house, and their risk (schema `lever`). */
@Module({
  imports: [
    LeverDatabaseModule,
    reference,
    SettingsModule.forService({
      service: SERVICE,
      database: LeverDatabase,
      imports: [LeverDatabaseModule, reference],
      settings: LEVER_SETTINGS,
      rules: LEVER_RULES,
    }),
  ],
  controllers: [LeverAsksController],
})
export class LeverRiskModule {}
