import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Databases, type Database } from '@bourse/persistence';
import { Clock, Readiness, SystemClock } from '@bourse/platform';

const EVERY_MS = 2_000;
/** The largest deviation of the machine's wall clock at which the process is ready. Ms. */
const WALL_MS_MAX = 2_000;
/** Slower round trips are ignored, because they make the measured time inexact. Ms. */
const ROUND_TRIP_MS_MAX = 250;
const CORRECT_FROM_MS = 250;
const CONDITION = 'wall clock';

/**
 * Wall time comes from the database: real time of this process follows it, and a process on a machine whose clock is
 * wrong is not ready (invariants §2.6).
 */
@Injectable()
export class DatabaseClock implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Clock');
  private timer: NodeJS.Timeout | undefined;
  private database: Database | undefined;
  private wrong = false;

  constructor(
    @Inject(Databases) private readonly databases: Databases,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(Readiness) private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    const { clock } = this;
    if (!(clock instanceof SystemClock)) return; // a test's own clock is not corrected
    this.databases.onOpened((database) => {
      if (this.database) return;
      this.database = database;
      void this.synchronize(clock);
      this.timer = setInterval(() => void this.synchronize(clock), EVERY_MS).unref();
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async synchronize(clock: SystemClock): Promise<void> {
    try {
      const from = performance.now();
      const [row] =
        (await this.database?.query<{ at: string }>(
          'select (extract(epoch from clock_timestamp()) * 1000)::text as at',
        )) ?? [];
      const trip = performance.now() - from;
      if (row && trip <= ROUND_TRIP_MS_MAX) {
        const at = Number(row.at) + trip / 2;
        if (Math.abs(at - clock.real()) > CORRECT_FROM_MS) {
          this.logger.warn(
            `real time was ${Math.round(clock.real() - at)} ms ahead of the database's and follows it now`,
          );
          clock.correct(at);
        }
      }
    } catch (error) {
      this.logger.debug(`the database's time: ${(error as Error).message}`); // keeps running until the next measurement
    }
    this.checkWall(clock.wallAhead());
  }

  private checkWall(ahead: number): void {
    const wrong = Math.abs(ahead) > WALL_MS_MAX;
    if (wrong !== this.wrong)
      this.logger.log(
        wrong
          ? `the machine's clock is ${Math.round(ahead)} ms ahead of the database's: not ready`
          : "the machine's clock is right again",
      );
    this.wrong = wrong;
    this.readiness.set(CONDITION, !wrong);
  }
}
