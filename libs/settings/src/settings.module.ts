import { Controller, Inject, Module, type DynamicModule, type Type } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { TOPIC_WRITERS, TOPICS } from '@bourse/events';
import { askedBy, Reference } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Clock, Config, EDGE_SERVICE, type ServiceName } from '@bourse/platform';
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

/** Answers the gateway, which knows the operators: it changes the settings of one service by this. */
function asksController(service: ServiceName): Type {
  @Controller()
  class SettingsAsksController {
    constructor(@Inject(ServiceSettings) private readonly settings: ServiceSettings) {}

    @MessagePattern(`${service}.saveSetting`, askedBy(EDGE_SERVICE))
    async save(@Payload() { key, value, by }: { key: string; value: string; by: ChangedBy }): Promise<object> {
      await this.settings.save(key, value, by);
      return {};
    }
  }
  return SettingsAsksController;
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
    if (typeof settings === 'function' || settings.length > 0) mustTellOfChanges(service);
    return {
      module: SettingsModule,
      imports,
      controllers: [asksController(service)],
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
      ],
      exports: [Settings, ServiceSettings, CatalogChanges],
    };
  }
}

/** @throws Error where nobody would believe the service what its operators have changed (its `service.json`) */
function mustTellOfChanges(service: ServiceName): void {
  const tells = (writers: readonly string[] = []): boolean => writers.includes(service);
  // Examples are no part of the exchange, and write to no topic of it.
  if (Object.values(TOPIC_WRITERS).some(tells) && !tells(TOPIC_WRITERS[TOPICS.operatorActions]))
    throw new Error(`${service} has settings, and its manifest does not say that it writes ${TOPICS.operatorActions}`);
}
