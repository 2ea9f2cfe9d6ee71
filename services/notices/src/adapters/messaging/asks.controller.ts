import { Controller, Inject } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { askedBy, flowOf, type AuditCheck, type AuditFlow, type ServiceDescription } from '@bourse/messaging';
import { EDGE_SERVICE } from '@bourse/platform';
import { NoticesAudit, NoticesDatabase, type WorkPart } from '../../application/ports.js';

const SERVICE = 'notices';
/** Injection token of the list of `WorkPart`. */
export const WORK_PARTS = Symbol('open work');

/** What this service says of itself, and what the edge asks it. */
@Controller()
export class NoticesAsksController {
  constructor(
    private readonly database: NoticesDatabase,
    private readonly auditor: NoticesAudit,
    @Inject(WORK_PARTS) private readonly parts: readonly WorkPart[],
  ) {}

  @MessagePattern(`${SERVICE}.describe`, askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return { service: SERVICE, audits: true, work: true };
  }

  /** Open work of operators, for their dashboard. */
  @MessagePattern(`${SERVICE}.work`, askedBy(EDGE_SERVICE))
  async work(): Promise<Readonly<Record<string, number>>> {
    return Object.assign({}, ...(await Promise.all(this.parts.map((part) => part.work())))) as Record<string, number>;
  }

  @MessagePattern(`${SERVICE}.audit`, askedBy(EDGE_SERVICE))
  async audit(): Promise<{ checks: readonly AuditCheck[]; flow: AuditFlow }> {
    return { checks: await this.auditor.checks(), flow: await this.database.transaction((tx) => flowOf(tx)) };
  }
}
