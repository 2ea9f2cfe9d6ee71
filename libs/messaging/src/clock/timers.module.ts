import {
  Injectable,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import { Timers, type Database } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { ProcessClock } from './process-clock.js';

/** Starts the deadlines of a schema when all handlers are registered, and stops them before the databases close. */
@Injectable()
class TimersRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly timers: Timers) {}
  onApplicationBootstrap(): void {
    this.timers.start();
  }
  async beforeApplicationShutdown(): Promise<void> {
    await this.timers.stop();
  }
}

/**
 * Provides `Timers` inside a service's module: one for all kinds of its schema. Register the handlers in constructors
 * or in `onModuleInit`: `imports: [TimersModule.forSchema(MicroDatabase, [MicroDatabaseModule])]`.
 */
@Module({})
export class TimersModule {
  static forSchema(
    database: Type<Database> | (abstract new (...args: never[]) => Database) | symbol | string,
    imports: NonNullable<DynamicModule['imports']> = [],
  ): DynamicModule {
    return {
      module: TimersModule,
      imports,
      providers: [
        {
          provide: Timers,
          inject: [database as Type<Database>, Clock, ProcessClock],
          useFactory: (opened: Database, clock: Clock, process: ProcessClock) => {
            const timers = new Timers(opened, clock);
            process.watch(timers);
            return timers;
          },
        },
        { provide: TimersRuntime, inject: [Timers], useFactory: (timers: Timers) => new TimersRuntime(timers) },
      ],
      exports: [Timers],
    };
  }
}
