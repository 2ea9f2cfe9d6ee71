import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Reference, Replies, SingleRunner } from '@bourse/messaging';
import { LeverDatabase } from './ports.js';
import { RiskOwner, RiskParts } from './risk-owner.js';

/** Partitions of all users, each with one owner at a time; at least as many as instances that share the work. */
const PARTITIONS = 4;
/** Runs the risk owners of the partitions whose lease this process holds (rules §3, §13). */
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
      { length: PARTITIONS },
      (_, part) => new SingleRunner(database, `lever.risk.${part}`, replies.instance),
    );
  }

  onApplicationBootstrap(): void {
    for (const [part, runner] of this.runners.entries())
      runner.start(async (lease) => {
        await this.reference.ready();
        await new RiskOwner({ part, of: PARTITIONS }, this.parts).run(lease);
      });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.stop()));
  }
}
