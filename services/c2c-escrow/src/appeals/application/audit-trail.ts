import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused, type Caller } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import type { Appeal } from '../domain/appeal.js';
import type { Deal } from '../../deals/domain/deal.js';
import { AppealStore } from './ports.js';

/** A change that an operator has made to an appeal. */
export interface AuditedChange {
  readonly action: 'appeals.note' | 'appeals.assign' | 'appeals.propose' | 'appeals.decide';
  readonly reason: string;
  readonly before: object;
  readonly after: object;
}

/** Loads appeals for operators, and records each change in the audit log. */
@Injectable()
export class AppealTrail {
  constructor(
    private readonly store: AppealStore,
    private readonly clock: Clock,
  ) {}

  /** @throws Refused `common.notFound` */
  async find(id: string): Promise<Appeal> {
    return requireAppeal(await this.store.find(id));
  }
  /** Locks the appeal. @throws Refused `common.notFound` */
  async lock(tx: Tx, id: string): Promise<Appeal> {
    return requireAppeal(await this.store.lock(tx, id));
  }

  /** Both parties of the deal are subjects of the record, if the deal is known. */
  record(
    tx: Tx,
    { userId: operatorId, accountNumber: operator }: Caller,
    { id: target }: Appeal,
    deal: Pick<Deal, 'ownerId' | 'takerId'> | null,
    { reason, ...change }: AuditedChange,
  ): void {
    const by = { operatorId, operator, reason };
    const subjects = deal ? [deal.ownerId, deal.takerId] : [];
    recordChange(tx, { service: 'c2c-escrow', target, subjects, by, at: this.clock.now(), ...change });
  }
}

function requireAppeal(appeal: Appeal | null): Appeal {
  if (!appeal || appeal.state === 'waiting') throw new Refused('common.notFound', {}, { field: 'id' });
  return appeal;
}
