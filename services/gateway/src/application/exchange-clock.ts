import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Views } from '@bourse/messaging';
import { Clock, Config } from '@bourse/platform';

export interface ClockOffsets {
  readonly offsetMs: number;
  readonly sessionOffsetMs: number;
}
/** Where the offsets are kept over restarts. */
export abstract class ClockOffsetStore {
  abstract read(): Promise<ClockOffsets>;
  abstract write(offsets: ClockOffsets): Promise<void>;
}

/** View by which every process learns how far the clocks of a demo install were moved. Kept. */
export const CLOCK_VIEW = 'clock';
/** How long the other processes and due timers get before the call that moved the clock is answered. */
const SETTLE_MS = 250;

/** The clocks of a demo install, moved forward for all processes at once; never in production. */
@Injectable()
export class ExchangeClock implements OnApplicationBootstrap {
  private offsets: ClockOffsets = { offsetMs: 0, sessionOffsetMs: 0 };
  constructor(
    private readonly clock: Clock,
    private readonly views: Views,
    private readonly store: ClockOffsetStore,
    private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.dev) return;
    this.offsets = await this.store.read();
    this.apply();
  }

  state(): { now: number; offset_ms: number } {
    return { now: this.clock.now(), offset_ms: this.clock.offset() };
  }

  /** Moves business time forward by `ms`; `all` moves sessions and codes too. */
  async advance(ms: number, all: boolean): Promise<void> {
    this.offsets = {
      offsetMs: this.offsets.offsetMs + ms,
      sessionOffsetMs: this.offsets.sessionOffsetMs + (all ? ms : 0),
    };
    await this.store.write(this.offsets);
    this.apply();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }

  private apply(): void {
    this.clock.setOffset(this.offsets.offsetMs);
    this.clock.setSessionOffset(this.offsets.sessionOffsetMs);
    this.views.publish(CLOCK_VIEW, this.offsets, true);
  }
}
