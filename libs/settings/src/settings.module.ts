import { Controller, Inject, Module, type DynamicModule, type Type } from '@nestjs/common';
import { TOPIC_WRITERS, TOPICS } from '@bourse/events';
import { Answers, Asks, Reference, serviceAsks, type AnswerOf, type QuestionOf } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Clock, Config, type ServiceName } from '@bourse/platform';
import { CatalogChanges } from './catalog.js';
import type { AnySetting } from './define.js';
import { GuardedChanges, OutdatedChange } from './guarded-changes.js';
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

/**
 * Answers the gateway, which knows the operators: it changes the settings of one service by this. Answers auth, which
 * has approved changes of guarded rows carried out.
 */
function asksController(service: ServiceName): Type {
  @Controller()
  class SettingsAsksController {
    constructor(
      @Inject(ServiceSettings) private readonly settings: ServiceSettings,
      @Inject(CatalogChanges) private readonly catalog: CatalogChanges,
    ) {}

    @Answers(serviceAsks.saveSetting(service))
    async save({ key, value, by }: QuestionOf<typeof serviceAsks.saveSetting>) {
      return { approvalId: await this.settings.save(key, value, by) };
    }

    @Answers(serviceAsks.guardedStanding(service))
    async currentValue({
      payload,
    }: QuestionOf<typeof serviceAsks.guardedStanding>): Promise<AnswerOf<typeof serviceAsks.guardedStanding>> {
      return payload.kind === 'setting' ? this.settings.currentValue(payload) : this.catalog.currentValue(payload);
    }

    /** False: what is in force has changed since it was asked for, or its bounds no longer hold. */
    @Answers(serviceAsks.guardedCarryOut(service))
    async carryOut(approved: QuestionOf<typeof serviceAsks.guardedCarryOut>) {
      const { payload } = approved;
      try {
        if (payload.kind === 'setting') await this.settings.carryOut(payload, approved);
        else await this.catalog.carryOut(payload, approved);
        return { done: true };
      } catch (error) {
        if (error instanceof OutdatedChange) return { done: false };
        throw error;
      }
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
        { provide: GuardedChanges, inject: [Asks], useFactory: (asks: Asks) => new GuardedChanges(asks) },
        {
          provide: ServiceSettings,
          inject: [token, Clock, Config, GuardedChanges, { token: Reference, optional: true }],
          useFactory: async (
            opened: Database,
            clock: Clock,
            config: Config,
            guarded: GuardedChanges,
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
              guarded,
            );
            // Before any reader: a restart must not lose an operator's change.
            await created.load();
            return created;
          },
        },
        { provide: Settings, useExisting: ServiceSettings },
        {
          provide: CatalogChanges,
          inject: [token, Clock, GuardedChanges],
          useFactory: (opened: Database, clock: Clock, guarded: GuardedChanges) =>
            new CatalogChanges(opened, clock, service, guarded),
        },
      ],
      exports: [Settings, ServiceSettings, CatalogChanges, GuardedChanges],
    };
  }
}

/** @throws Error where other services would not accept this service's changes of settings (its `service.json`) */
function mustTellOfChanges(service: ServiceName): void {
  const tells = (writers: readonly string[] = []): boolean => writers.includes(service);
  // Examples are no part of the exchange, and write to no topic of it.
  if (Object.values(TOPIC_WRITERS).some(tells) && !tells(TOPIC_WRITERS[TOPICS.operatorActions]))
    throw new Error(`${service} has settings, and its manifest does not say that it writes ${TOPICS.operatorActions}`);
}
