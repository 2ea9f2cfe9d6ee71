import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditLoop, Views, type AuditRound } from '@bourse/messaging';
import { Alarms } from '@bourse/platform';
import { LedgerAudit } from './ledger-audit.js';
import { FurtherChecks } from './ports.js';

/** Audits the ledger and the tables of the wallet, every 15 s and on request. */
@Injectable()
export class LedgerAuditor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: AuditLoop<AuditRound>;

  constructor(audit: LedgerAudit, further: FurtherChecks, alarms: Alarms, views: Views) {
    this.loop = new AuditLoop({
      service: 'wallet-ledger',
      alarms,
      views,
      round: async () => ({ checks: [...(await audit.run()), ...(await further.run())], flow: audit.flow }),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }
  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  now(): Promise<AuditRound> {
    return this.loop.now();
  }
}
