import { Injectable, Module, type DynamicModule, type OnModuleInit, type Type } from '@nestjs/common';
import { Asks, Reference } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Clock, Config, type ServiceName } from '@bourse/platform';
import { CatalogChanges } from './catalog.js';
import type { AnySetting } from './define.js';
import type { ChangedBy } from './operator-trail.js';
import { ServiceSettings, Settings, type SettingRule } from './settings.js';

export interface SettingsModuleOptions {
  /** Name of the service; its question is `<service>.saveSetting`. */
  readonly service: ServiceName;
  /** Injection token of the service's database, exported by `imports`. */
  readonly database: Type<Database> | (abstract new (...args: never[]) => Database) | symbol | string;
  readonly imports?: NonNullable<DynamicModule['imports']>;
  /** Settings that this service owns; a function where a default depends on the install. */
  readonly settings?: readonly AnySetting[] | ((config: Config) => readonly AnySetting[]);
  readonly rules?: readonly SettingRule[];
}

/** Only the gateway, which knows the operators, asks for changes. */
const ASKED_BY: readonly ServiceName[] = ['gateway'];

/** Answers the gateway, which changes the settings of one service by it. */
@Injectable()
export class SettingsAnswers implements OnModuleInit {
  constructor(
    private readonly asks: Asks,
    private readonly service: string,
    private readonly settings: ServiceSettings,
  ) {}

  onModuleInit(): void {
    const { asks, service, settings } = this;
    asks.handle(
      `${service}.saveSetting`,
      async ({ key, value, by }: { key: string; value: string; by: ChangedBy }) => {
        await settings.save(key, value, by);
        return {};
      },
      ASKED_BY,
    );
  }
}

/** Provides `Settings` and `CatalogChanges` inside a service's module; see the README of this library. */
@Module({})
export class SettingsModule {
  static forService({
    service,
    database,
    imports = [],
    settings = [],
    rules = [],
  }: SettingsModuleOptions): DynamicModule {
    const token = database as Type<Database>;
    return {
      module: SettingsModule,
      imports,
      providers: [
        {
          provide: ServiceSettings,
          inject: [token, Clock, Config, { token: Reference, optional: true }],
          useFactory: async (
            opened: Database,
            clock: Clock,
            config: Config,
            reference: Reference | undefined,
          ): Promise<ServiceSettings> => {
            const created = new ServiceSettings(
              opened,
              clock,
              {
                service,
                settings: typeof settings === 'function' ? settings(config) : settings,
                rules,
                shared: config.run === 'distributed',
              },
              reference ?? null,
            );
            // Before anybody can read one: a restart must not forget what an operator has set.
            await created.load();
            return created;
          },
        },
        { provide: Settings, useExisting: ServiceSettings },
        {
          provide: CatalogChanges,
          inject: [token, Clock],
          useFactory: (opened: Database, clock: Clock) => new CatalogChanges(opened, clock, service),
        },
        {
          provide: SettingsAnswers,
          inject: [Asks, ServiceSettings],
          useFactory: (asks: Asks, own: ServiceSettings) => new SettingsAnswers(asks, service, own),
        },
      ],
      exports: [Settings, ServiceSettings, CatalogChanges],
    };
  }
}
