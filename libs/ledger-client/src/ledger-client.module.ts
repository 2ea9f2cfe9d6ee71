import { Module, type DynamicModule, type InjectionToken, type ModuleMetadata, type Provider } from '@nestjs/common';
import { Log, Replies } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Alarms, Clock, Config } from '@bourse/platform';
import { Commands } from './commands.js';
import { AskedLedgerAnswers, LedgerAnswers, LedgerClient } from './ledger-client.js';
import { Sagas } from './sagas.js';

export interface LedgerClientOptions {
  /** Name of the service, as `resultsTopic` names its results. */
  readonly service: string;
  /** Token of the service's database, and the modules that provide it. */
  readonly database: InjectionToken;
  readonly imports?: ModuleMetadata['imports'];
}

/** The providers that a service needs to move money: `LedgerClient`, and `Sagas` and `Commands` over its database. */
@Module({})
export class LedgerClientModule {
  static forService({ service, database, imports = [] }: LedgerClientOptions): DynamicModule {
    return {
      module: LedgerClientModule,
      imports,
      providers: [
        { provide: LedgerAnswers, useClass: AskedLedgerAnswers },
        LedgerClient,
        ...sagasOf(service, database),
      ],
      exports: [LedgerAnswers, LedgerClient, Sagas, Commands],
    };
  }
}

/** Sagas and commands of a service over its database; for services that provide `LedgerAnswers` themselves. */
export const sagasOf = (service: string, database: InjectionToken): Provider[] => [
  {
    provide: Sagas,
    inject: [database, Log, Replies, Clock, Alarms, Config],
    useFactory: (own: Database, log: Log, replies: Replies, clock: Clock, alarms: Alarms, config: Config) =>
      new Sagas({ service, database: own, log, replies, clock, alarms, partitions: config.ledgerPartitions }),
  },
  { provide: Commands, inject: [Sagas], useFactory: ({ commands }: Sagas) => commands },
];
