import { Injectable } from '@nestjs/common';
import { toDataPage, type Appeal as AppealView, type ChatLine, type DataPage } from '@bourse/contract';
import { formatUnits } from '@bourse/money';
import { Clock, Notice, Refused, timeText, type Caller, type Page } from '@bourse/platform';
import { isOverdue } from '../domain/appeal.js';
import { createSpokenLine } from '../../chat/domain/chat-line.js';
import { buyerOf, sellerOf, type Deal } from '../../deals/domain/deal.js';
import { AppealRecorder } from './appeal-recorder.js';
import { ChatStore } from '../../chat/application/ports.js';
import { AppealStore, type AppealEvent, type AppealFilter } from './ports.js';
import { AppealTrail } from './audit-trail.js';
import { AppealViews, toAppealView, type WholeAppeal } from './views.js';
import { ChatWriter } from '../../chat/application/chat-writer.js';
import { toChatLineView } from '../../chat/application/views.js';
import { DealStore } from '../../deals/application/ports.js';
import { IS_SURE } from '../../deals/application/views.js';
import { C2cDatabase } from '../../shared/application/database.js';

/** An appeal for operators. */
export interface ReviewedAppeal extends AppealView {
  readonly buyer_id: number;
  readonly seller_id: number;
  readonly is_sure: 0 | 1 | 2 | 3;
  readonly currency_name: string;
  readonly number: string;
  readonly deal_money: string;
  readonly coin_code: string;
  /** Coins are held for the appeal. */
  readonly with_escrow: 0 | 1;
  readonly overdue: 0 | 1;
  /** User ids of operators; 0: none. */
  readonly assigned_to: number;
  readonly proposed_by: number;
  readonly decided_by: number;
  /** The proposed outcome when two operators must agree. */
  readonly proposed: '' | 'buyer' | 'seller';
}
interface AppealNote {
  readonly time: string;
  readonly operator_id: number;
  readonly text: string;
}
/** An appeal with the chat of its deal and the notes of operators. */
export interface AppealFile extends ReviewedAppeal {
  readonly notes: AppealNote[];
  readonly chat: ChatLine[];
}

/** Lists of appeals for operators, and their commands except the decision (api §2.12). */
@Injectable()
export class AppealAdmin {
  constructor(
    private readonly database: C2cDatabase,
    private readonly store: AppealStore,
    private readonly chats: ChatStore,
    private readonly deals: DealStore,
    private readonly recorder: AppealRecorder,
    private readonly writer: ChatWriter,
    private readonly views: AppealViews,
    private readonly auditTrail: AppealTrail,
    private readonly clock: Clock,
  ) {}

  /** Open appeals by their due time; without a filter, newest first. */
  async listAppeals(filter: AppealFilter, page: Page, lang: string): Promise<DataPage<ReviewedAppeal>> {
    const { rows, total } = await this.store.list(filter, page);
    const data = await Promise.all(
      (await this.views.loadWhole(rows)).map((whole) => this.toReviewedAppeals(whole, lang)),
    );
    return toDataPage({ rows: data, total }, page, (row) => row);
  }

  /** @throws Refused `common.notFound` */
  async findFile(id: string, lang: string): Promise<AppealFile> {
    const appeal = await this.auditTrail.find(id);
    const [whole] = await this.views.loadWhole([appeal]);
    const lines = await this.chats.listAll(appeal.dealId);
    return {
      ...(await this.toReviewedAppeals(whole!, lang)),
      notes: whole!.events.filter(({ note }) => note !== '').map(toNoteView),
      chat: lines.map((line) => toChatLineView(line, lang, this.writer.signLink)),
    };
  }

  /**
   * Adds a note for operators; `isShown`: also a line of support in the chat of both sides. @throws Refused
   * `common.notFound`, `c2c.state` when the chat is removed
   */
  async addNote(
    operator: Caller,
    fields: { readonly id: string; readonly text: string; readonly shown: boolean; readonly reason: string },
  ): Promise<Notice> {
    const { id, text, shown: isShown, reason } = fields;
    await this.database.transaction(async (tx) => {
      const appeal = await this.auditTrail.lock(tx, id);
      if (isShown) {
        const chat = await this.chats.find(appeal.dealId, tx);
        if (!chat) throw new Refused('c2c.state', {}, { field: 'id' });
        await this.writer.addLine(tx, chat, createSpokenLine('support', text));
      }
      const at = this.clock.now();
      const { userId: operatorId } = operator;
      await this.store.addEvent(tx, id, { at, key: '', params: {}, note: text, operatorId, isShown: false });
      const after = { shown: isShown ? 1 : 0, text };
      const deal = await this.deals.find(appeal.dealId, tx);
      this.auditTrail.record(tx, operator, appeal, deal, { action: 'appeals.note', reason, before: {}, after });
    });
    return new Notice('admin.appealNoted');
  }

  /** Assigns the appeal to the operator. @throws Refused `common.notFound`, `c2c.state` when the appeal has ended */
  async assign(operator: Caller, { id, reason }: { readonly id: string; readonly reason: string }): Promise<Notice> {
    const { dealId } = await this.auditTrail.find(id);
    await this.database.transaction(async (tx) => {
      const deal = await this.deals.lock(tx, dealId);
      const appeal = await this.auditTrail.lock(tx, id);
      if (!deal || appeal.state !== 'open') throw new Refused('c2c.state', {}, { field: 'id' });
      const assigned = { ...appeal, assignedTo: operator.userId };
      await this.store.save(tx, assigned);
      if (appeal.assignedTo === null) await this.recorder.addEvent(tx, appeal, deal, 'c2c.line.appealAssigned');
      const [before, after] = [appeal, assigned].map(({ assignedTo }) => ({ operator_id: assignedTo ?? 0 }));
      const change = { action: 'appeals.assign', reason, before: before!, after: after! } as const;
      this.auditTrail.record(tx, operator, appeal, deal, change);
    });
    return new Notice('admin.appealAssigned');
  }

  private async toReviewedAppeals(whole: WholeAppeal, lang: string): Promise<ReviewedAppeal> {
    const { appeal } = whole;
    const deal = await this.deals.find(appeal.dealId);
    if (!deal) throw new Error(`invariant: appeal ${appeal.id} has no deal`);
    return {
      ...toAppealView(whole, lang, this.writer.signLink),
      ...toDealFields(deal),
      with_escrow: appeal.withEscrow ? 1 : 0,
      overdue: isOverdue(appeal, this.clock.now()) ? 1 : 0,
      assigned_to: appeal.assignedTo ?? 0,
      proposed_by: appeal.proposal?.operatorId ?? 0,
      decided_by: appeal.decidedBy ?? 0,
      proposed: appeal.proposal?.outcome ?? '',
    };
  }
}

const toDealFields = (deal: Deal) => ({
  buyer_id: buyerOf(deal),
  seller_id: sellerOf(deal),
  is_sure: IS_SURE[deal.state],
  currency_name: deal.currencyName,
  number: formatUnits(deal.number, deal.scale),
  deal_money: formatUnits(deal.money, deal.fiatScale),
  coin_code: deal.coinCode,
});
const toNoteView = ({ at, operatorId, note }: AppealEvent): AppealNote => ({
  time: timeText(at),
  operator_id: operatorId ?? 0,
  text: note,
});
