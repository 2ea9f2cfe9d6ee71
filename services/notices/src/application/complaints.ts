import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { toDataPage, type Complaint as ComplaintView, type ComplaintKind, type DataPage } from '@bourse/contract';
import { OwnUploads } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type Caller, type Page } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { CLOSED, closed, replied, type Complaint, type ComplaintRules } from '../domain/complaint.js';
import { ComplaintStore } from './complaint-ports.js';
import { COMPLAINTS_MESSAGES, COMPLAINTS_OPEN, COMPLAINTS_REOPEN_DAYS } from './complaint-settings.js';
import { ComplaintViews } from './complaint-views.js';
import { NoticesDatabase } from './ports.js';

/** Pictures of complaints are uploaded as evidence. */
const SCENE = 'evidence';
const DAY_MS = 86_400_000;
/** Numbers below 2^47: `randomInt` draws no greater ones. */
const newId = (): number => randomInt(1, 2 ** 47);

/** The fields of a new complaint: `images` as addresses. */
export interface NewComplaint {
  readonly kind: ComplaintKind;
  readonly subject: string;
  readonly text: string;
  readonly about: string;
  readonly images: readonly string[];
}

/** Complaints of people (api §2.10). Another's does not exist for them [COMPLAINT-005]. */
@Injectable()
export class Complaints {
  constructor(
    private readonly database: NoticesDatabase,
    private readonly store: ComplaintStore,
    private readonly views: ComplaintViews,
    private readonly uploads: OwnUploads,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws Refused `upload.required`, `complaint.tooMany` when as many are open as may be [COMPLAINT-004]. */
  async add({ userId, lang }: Pick<Caller, 'userId' | 'lang'>, sent: NewComplaint): Promise<Notice> {
    const images = await this.claim(userId, sent.images);
    const { kind, subject, about, text } = sent;
    const [id, at] = [newId(), this.clock.now()];
    await this.database.transaction(async (tx) => {
      await this.mayOpen(tx, userId);
      const times = { createdAt: at, updatedAt: at, closedAt: null };
      const facts = { id, userId, lang, kind, subject, about };
      await this.store.insert(tx, { ...facts, ...times, state: 'open', unread: 0, length: 1 });
      await this.store.addMessage(tx, id, { from: 'user', text, images, at, operatorId: null });
    });
    return new Notice('complaint.sent', { id });
  }

  async list(userId: number, page: Page): Promise<DataPage<ComplaintView>> {
    return toDataPage(await this.store.ofUser(userId, page), page, (complaint) => this.views.shown(complaint));
  }

  /** With its messages; they are read from now on. @throws Refused `common.notFound` */
  async read(userId: number, id: number): Promise<ComplaintView> {
    const complaint = await this.database.transaction(async (tx) => {
      const found = await this.own(tx, userId, id);
      if (found.unread > 0) await this.store.save(tx, { ...found, unread: 0 });
      return found;
    });
    return {
      ...this.views.shown({ ...complaint, unread: 0 }),
      messages: this.views.messages(await this.store.messages(id)),
    };
  }

  /** @throws Refused `common.notFound`, `upload.required`, `complaint.state`, `complaint.tooMany` */
  async reply(
    userId: number,
    { id, text, images }: { id: number; text: string; images: readonly string[] },
  ): Promise<Notice> {
    const names = await this.claim(userId, images);
    await this.database.transaction(async (tx) => {
      const complaint = await this.own(tx, userId, id);
      const at = this.clock.now();
      const next = done(replied(complaint, at, this.rules()));
      if (complaint.state === 'closed') await this.mayOpen(tx, userId);
      await this.store.save(tx, next);
      await this.store.addMessage(tx, id, { from: 'user', text, images: names, at, operatorId: null });
    });
    return new Notice('complaint.replied');
  }

  /** @throws Refused `common.notFound`, `complaint.state` */
  async close(userId: number, id: number): Promise<Notice> {
    await this.database.transaction(async (tx) => {
      const complaint = await this.own(tx, userId, id);
      await this.store.save(tx, done(closed(complaint, this.clock.now())));
    });
    return new Notice('complaint.closed');
  }

  private async mayOpen(tx: Tx, userId: number): Promise<void> {
    const max = this.settings.get(COMPLAINTS_OPEN);
    if ((await this.store.openOf(tx, userId)) >= max) throw new Refused('complaint.tooMany', { max });
  }

  private async own(tx: Tx, userId: number, id: number): Promise<Complaint> {
    const complaint = await this.store.lock(tx, id);
    if (complaint?.userId !== userId) throw new Refused('common.notFound', {}, { field: 'id' });
    return complaint;
  }

  private async claim(userId: number, addresses: readonly string[]): Promise<string[]> {
    const names = await Promise.all(addresses.map((address) => this.uploads.own(userId, SCENE, address)));
    return names.map((name) => {
      if (name === null) throw new Refused('upload.required', {}, { field: 'images' });
      return name;
    });
  }

  private rules(): ComplaintRules {
    const reopenMs = this.settings.get(COMPLAINTS_REOPEN_DAYS) * DAY_MS;
    return { reopenMs, messagesMax: this.settings.get(COMPLAINTS_MESSAGES) };
  }
}

/** The complaint as it is afterwards. @throws Refused `complaint.state` */
export function done(decided: Complaint | typeof CLOSED): Complaint {
  if (decided === CLOSED) throw new Refused(CLOSED, {}, { field: 'id' });
  return decided;
}
