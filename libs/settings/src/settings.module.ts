import { Injectable, Module, type DynamicModule, type OnModuleInit, type Type } from '@nestjs/common';
import { ReferenceRowV1, TOPICS } from '@bourse/events';
import { Asks, Reference } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Clock, Config, type FieldRecord, type ServiceName } from '@bourse/platform';
import { CatalogList, Catalogs } from './catalog.js';
import type { AnySetting } from './define.js';
import type { ChangedBy } from './operator-trail.js';
import { ServiceSettings, Settings, type SettingRule } from './settings.js';

export interface SettingsModuleOptions {
  /** Name of the service; its questions are `<service>.saveSetting`, `<service>.catalog`, `<service>.saveCatalog`. */
  readonly service: ServiceName;
  /** Injection token of the service's database, exported by `imports`. */
  readonly database: Type<Database> | (abstract new (...args: never[]) => Database) | symbol | string;
  readonly imports?: NonNullable<DynamicModule['imports']>;
  /** Settings that this service owns; a function where a default depends on the install. */
  readonly settings?: readonly AnySetting[] | ((config: Config) => readonly AnySetting[]);
  readonly rules?: readonly SettingRule[];
  /** Lists of the catalog that this service owns; what they need comes from `imports`. */
  readonly catalogs?: readonly Type<CatalogList>[];
}

/** Only the gateway, which knows the operators, asks for changes. */
const ASKED_BY: readonly ServiceName[] = ['gateway'];

/** Answers the gateway for one service, and tells all services which lists of the catalog it keeps. */
@Injectable()
export class SettingsAnswers implements OnModuleInit {
  constructor(
    private readonly asks: Asks,
    private readonly database: Database,
    private readonly service: string,
    private readonly settings: ServiceSettings,
    private readonly catalogs: Catalogs,
  ) {}

  async onModuleInit(): Promise<void> {
    const { asks, service, settings, catalogs } = this;
    asks.handle(
      `${service}.saveSetting`,
      async ({ key, value, by }: { key: string; value: string; by: ChangedBy }) => {
        await settings.save(key, value, by);
        return {};
      },
      ASKED_BY,
    );
    asks.handle(`${service}.catalog`, ({ name }: { name: string }) => catalogs.rows(name), ASKED_BY);
    asks.handle(
      `${service}.saveCatalog`,
      async ({ name, fields, by }: { name: string; fields: FieldRecord; by: ChangedBy }) => {
        await catalogs.save(name, fields, by);
        return {};
      },
      ASKED_BY,
    );
    if (catalogs.names.length > 0)
      await this.database.transaction(async (tx) => {
        for (const row of catalogs.names)
          tx.emit(
            TOPICS.reference,
            0,
            ReferenceRowV1.encode({ kind: 'catalog', id: row.name, version: 0, row: { ...row } }),
          );
      });
  }
}

/** Provides `Settings` inside a service's module; see the README of this library. */
@Module({})
export class SettingsModule {
  static forService({
    service,
    database,
    imports = [],
    settings = [],
    rules = [],
    catalogs = [],
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
        ...catalogs,
        {
          provide: Catalogs,
          inject: [token, Clock, ...catalogs],
          useFactory: (opened: Database, clock: Clock, ...lists: CatalogList[]) =>
            new Catalogs(opened, clock, service, lists),
        },
        {
          provide: SettingsAnswers,
          inject: [Asks, token, ServiceSettings, Catalogs],
          useFactory: (asks: Asks, opened: Database, own: ServiceSettings, lists: Catalogs) =>
            new SettingsAnswers(asks, opened, service, own, lists),
        },
      ],
      exports: [Settings, ServiceSettings, ...catalogs],
    };
  }
}
