import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Reference, Replies, SingleRunner } from '@bourse/messaging';
import { LeverDatabase } from './ports.js';
import { RiskOwner, RiskParts } from './risk-owner.js';

/** Equal shares of all people, each with one owner at a time; never fewer than copies that are to work at once. */
const SHARES = 4;
/** Owners of the index: on each tick they propose what the prices ask for (rules §3, §13). */
@Injectable()
export class RiskRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runners: SingleRunner[];

  constructor(
    database: LeverDatabase,
    replies: Replies,
    private readonly reference: Reference,
    private readonly parts: RiskParts,
  ) {
    this.runners = Array.from(
      { length: SHARES },
      (_, part) => new SingleRunner(database, `lever.risk.${part}`, replies.instance),
    );
  }

  onApplicationBootstrap(): void {
    for (const [part, runner] of this.runners.entries())
      runner.start(async (lease) => {
        await this.reference.ready();
        await new RiskOwner({ part, of: SHARES }, this.parts).run(lease);
      });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.stop()));
  }
}
