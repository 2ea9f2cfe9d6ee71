import { Injectable } from '@nestjs/common';
import { toDataPage, type DataPage } from '@bourse/contract';
import { TOPICS, userNotices } from '@bourse/events';
import { WorkPart } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type Caller, type Page } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import { answered, closed, type Complaint } from '../domain/complaint.js';
import { ComplaintStore, type ComplaintFilter } from './complaint-ports.js';
import { ComplaintViews, type ReviewedComplaint } from './complaint-views.js';
import { done } from './complaints.js';
import { NoticesDatabase } from './ports.js';

/** Complaints as support answers them (api §2.12). */
@Injectable()
export class ComplaintAdmin extends WorkPart {
  constructor(
    private readonly database: NoticesDatabase,
    private readonly store: ComplaintStore,
    private readonly views: ComplaintViews,
    private readonly clock: Clock,
  ) {
    super();
  }

  async list(filter: ComplaintFilter, page: Page): Promise<DataPage<ReviewedComplaint>> {
    return toDataPage(await this.store.list(filter, page), page, (complaint) => this.views.reviewed(complaint));
  }

  /** With its messages; `me` is the person. @throws Refused `common.notFound` */
  async file(id: number): Promise<ReviewedComplaint> {
    const complaint = existing(await this.store.find(id));
    return { ...this.views.reviewed(complaint), messages: this.views.messages(await this.store.messages(id)) };
  }

  /** The person gets a notice [COMPLAINT-006]. @throws Refused `common.notFound`, `complaint.state` */
  async answer(operator: Caller, { id, text, reason }: { id: number; text: string; reason: string }): Promise<Notice> {
    await this.database.transaction(async (tx) => {
      const complaint = existing(await this.store.lock(tx, id));
      const at = this.clock.now();
      const next = done(answered(complaint, at));
      await this.store.save(tx, next);
      const message = { from: 'support', text, images: [], at, operatorId: operator.userId } as const;
      await this.store.addMessage(tx, id, message);
      this.notifyAuthor(tx, next);
      this.record(tx, operator, complaint, { action: 'complaints.answer', reason, after: { state: next.state, text } });
    });
    return new Notice('admin.complaintAnswered');
  }

  /** @throws Refused `common.notFound`, `complaint.state` */
  async close(operator: Caller, { id, reason }: { id: number; reason: string }): Promise<Notice> {
    await this.database.transaction(async (tx) => {
      const complaint = existing(await this.store.lock(tx, id));
      const next = done(closed(complaint, this.clock.now()));
      await this.store.save(tx, next);
      this.record(tx, operator, complaint, { action: 'complaints.close', reason, after: { state: next.state } });
    });
    return new Notice('admin.complaintClosed');
  }

  async work(): Promise<Readonly<Record<string, number>>> {
    return { complaints: await this.store.waiting() };
  }

  private notifyAuthor(tx: Tx, { id, userId, subject, length, updatedAt: at }: Complaint): void {
    const notice = { userId, id: `complaint:${id}:${length}`, kind: 'complaintAnswered', at } as const;
    tx.emit(TOPICS.userNotices, 0, userNotices([{ ...notice, params: { subject }, link: `/complaints?id=${id}` }]));
  }

  private record(
    tx: Tx,
    { userId: operatorId, accountNumber: operator }: Caller,
    { id, userId, state }: Complaint,
    { reason, ...what }: { action: string; reason: string; after: object },
  ): void {
    const by = { operatorId, operator, reason };
    recordChange(tx, {
      service: 'notices',
      target: `complaint ${id}`,
      subjects: [userId],
      before: { state },
      by,
      at: this.clock.now(),
      ...what,
    });
  }
}

function existing(complaint: Complaint | null): Complaint {
  if (!complaint) throw new Refused('common.notFound', {}, { field: 'id' });
  return complaint;
}
