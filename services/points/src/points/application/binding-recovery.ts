import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PointsProgram, PointsStore, ProgramMembers, ProgramUnavailable } from './points-ports.js';
import { PointsDatabase } from '../../shared/application/database.js';

/** Interval between searches for abandoned bindings. */
const POLL_INTERVAL_MS = 2_000;
/** A call waits for a few seconds at most: a process that waits for longer has died. */
const ABANDONED_MS = 30_000;
const ROWS = 20;

/**
 * Completes what a call of `PointsBindings` left unfinished: a try whose outcome is unknown is released at the third
 * party and then deleted, and auth gets the present members of the programme. Both may be done twice.
 */
@Injectable()
export class BindingRecovery implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly abandonedMs: number = ABANDONED_MS;
  private readonly logger = new Logger('BindingRecovery');
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;

  constructor(
    private readonly database: PointsDatabase,
    private readonly store: PointsStore,
    private readonly program: PointsProgram,
    private readonly members: ProgramMembers,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.poll(), POLL_INTERVAL_MS);
    this.timer.unref?.();
  }
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.polling;
  }

  /** Runs one search; a second call at the same time waits for the first. */
  poll(): Promise<void> {
    this.polling ??= this.recover()
      .catch((error: unknown) => this.logger.warn(`unfinished bindings could not be completed: ${String(error)}`))
      .finally(() => (this.polling = undefined));
    return this.polling;
  }

  private async recover(): Promise<void> {
    for (const userId of await this.store.untold(ROWS)) {
      await this.members.join(userId);
      await this.store.markTold(userId);
    }
    for (const reference of await this.store.abandoned(this.abandonedMs, ROWS)) {
      if (!(await this.claim(reference))) continue;
      try {
        await this.program.release(reference);
      } catch (error) {
        if (!(error instanceof ProgramUnavailable)) throw error;
        this.logger.warn(`binding ${reference} cannot be released yet: ${error.message}`);
        return;
      }
      await this.database.transaction((tx) => this.store.dropBinding(tx, reference));
    }
  }

  /** From here on no call can accept it any more. False: a call was faster. */
  private claim(reference: string): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const binding = await this.store.lockBinding(tx, reference);
      if (binding?.state === 'voiding') return true;
      if (binding?.state !== 'asking') return false;
      return this.store.saveBinding(tx, { ...binding, state: 'voiding' });
    });
  }
}
