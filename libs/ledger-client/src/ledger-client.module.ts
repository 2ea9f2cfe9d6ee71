import { Module, type DynamicModule, type InjectionToken, type ModuleMetadata } from '@nestjs/common';
import { Log, Replies } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Alarms, Clock, Config } from '@bourse/platform';
import { AskedLedgerAnswers, LedgerAnswers, LedgerClient } from './ledger-client.js';
import { Sagas } from './sagas.js';

export interface LedgerClientOptions {
  /** Name of the service, as `resultsTopic` names its results. */
  readonly service: string;
  /** Token of the service's database, and the modules that provide it. */
  readonly database: InjectionToken;
  readonly imports?: ModuleMetadata['imports'];
}

/** The providers that a service needs to move money: `LedgerClient`, and `Sagas` over its own database. */
@Module({})
export class LedgerClientModule {
  static forService({ service, database, imports = [] }: LedgerClientOptions): DynamicModule {
    return {
      module: LedgerClientModule,
      imports,
      providers: [{ provide: LedgerAnswers, useClass: AskedLedgerAnswers }, LedgerClient, sagasOf(service, database)],
      exports: [LedgerAnswers, LedgerClient, Sagas],
    };
  }
}

/** The sagas of a service over its database; for services that provide `LedgerAnswers` themselves. */
export function sagasOf(service: string, database: InjectionToken): NonNullable<ModuleMetadata['providers']>[number] {
  return {
    provide: Sagas,
    inject: [database, Log, Replies, Clock, Alarms, Config],
    useFactory: (own: Database, log: Log, replies: Replies, clock: Clock, alarms: Alarms, config: Config) =>
      new Sagas({ service, database: own, log, replies, clock, alarms, partitions: config.ledgerPartitions }),
  };
}
