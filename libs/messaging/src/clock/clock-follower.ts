import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, Config } from '@bourse/platform';
import { Views } from '../ports.js';

/**
 * Keeps the clocks of this process where the demo install's were moved to: the gateway publishes the offsets in the
 * view `clock`.
 */
@Injectable()
export class ClockFollower implements OnModuleInit {
  constructor(
    @Inject(Views) private readonly views: Views,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(Config) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    if (!this.config.dev) return;
    this.views.subscribe('clock', ({ offsetMs, sessionOffsetMs }: { offsetMs: number; sessionOffsetMs: number }) => {
      this.clock.setOffset(offsetMs);
      this.clock.setSessionOffset(sessionOffsetMs);
    });
  }
}
