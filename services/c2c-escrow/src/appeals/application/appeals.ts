import { Injectable } from '@nestjs/common';
import type { Appeal as AppealView } from '@bourse/contract';
import { Commands, type Decision } from '@bourse/ledger-client';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, Ids } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { checkEvidence, withdrawAppeal, type Appeal, type AppealSide } from '../domain/appeal.js';
import { checkAppealCount, openDealAppeal, isReopened, sideOf, type Deal } from '../../deals/domain/deal.js';
import { requireDeal, AppealRecorder, type Opening } from './appeal-recorder.js';
import { AppealStore } from './ports.js';
import { APPEAL_DUE_HOURS } from './settings.js';
import { AppealViews } from './views.js';
import { DealStore } from '../../deals/application/ports.js';
import { LateAppeals } from './late-appeals.js';
import { C2cDatabase } from '../../shared/application/database.js';

const HOUR_MS = 3_600_000;

export interface OpeningFields {
  readonly id: string;
  readonly reason: string;
  /** Addresses of pictures. */
  readonly evidence?: readonly string[] | undefined;
}

/** Commands of the two sides of a deal on its appeals (rules §6). */
@Injectable()
export class Appeals {
  constructor(
    private readonly database: C2cDatabase,
    private readonly store: AppealStore,
    private readonly deals: DealStore,
    private readonly recorder: AppealRecorder,
    private readonly late: LateAppeals,
    private readonly views: AppealViews,
    private readonly commands: Commands,
    private readonly settings: Settings,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens an appeal. After a cancel by deadline the seller's coins are held again first; if they are not free the
   * appeal is a record without escrow. @throws Refused `common.notFound`, `upload.required`, `c2c.appealOpen`,
   * `c2c.appealWindow`
   */
  async open(userId: number, fields: OpeningFields, context: CallContext): Promise<Notice> {
    const notice = await this.commands.run(context, {
      prepare: () => this.prepareOpening(userId, fields),
      decide: (tx, opening) => this.openInTransaction(tx, userId, opening),
    });
    // A stored answer only names the appeal; the answer shows its current state.
    return new Notice(notice.key, { appeal: await this.findView(fields.id, context.lang) }, notice.params);
  }

  private async prepareOpening(userId: number, fields: OpeningFields): Promise<Opening> {
    const { id, reason, evidence = [] } = fields;
    const { deal, side } = await this.requireParty(userId, id);
    const now = this.clock.now();
    const due = now + this.settings.get(APPEAL_DUE_HOURS) * HOUR_MS;
    requireDeal(openDealAppeal(deal, side, now, due));
    const pictures = await this.recorder.requirePictures(userId, evidence, 'evidence');
    const facts = { id: this.ids.next(), dealId: id, openedBy: side, reason, openedAt: now, due, withEscrow: true };
    return { facts, pictures };
  }

  private async openInTransaction(tx: Tx, userId: number, opening: Opening): Promise<Decision> {
    const { facts, pictures } = opening;
    await this.recorder.stopSellerTimeout(tx, facts.dealId);
    const deal = await this.deals.lock(tx, facts.dealId);
    const side = deal && sideOf(deal, userId);
    if (!deal || !side) throw new Refused('common.notFound', {}, { field: 'id' });
    const after = requireDeal(openDealAppeal(deal, side, facts.openedAt, facts.due));
    // Counted again: the figures of a row that was waited for are those of before the wait.
    await this.refuseBeyondCount(tx, deal.id, side);
    if (deal.state === 'cancelled') return this.late.open(tx, deal, opening);
    const appeal = await this.recorder.insert(tx, facts, 'open', pictures);
    await this.recorder.publishOpened(tx, appeal, after);
    return this.recorder.toOpenedNotice(appeal);
  }

  /** @throws Refused `c2c.appealWindow` for a side that has opened as many appeals on the deal as it may */
  private async refuseBeyondCount(tx: Tx, dealId: string, side: AppealSide): Promise<void> {
    const verdict = checkAppealCount(await this.store.countOfSide(tx, dealId, side));
    if (verdict !== 'ok') throw new Refused(verdict, {}, { field: 'id' });
  }

  /** The latest appeal of a deal. @throws Refused `common.notFound` */
  async find(userId: number, dealId: string, lang: string): Promise<AppealView> {
    await this.requireParty(userId, dealId);
    return this.findView(dealId, lang);
  }

  /**
   * Adds words or a picture of one side. @throws Refused `common.fieldRequired`, `common.notFound`, `upload.required`,
   * `c2c.state` without an open appeal, `c2c.evidenceMax`
   */
  async addEvidence(
    userId: number,
    { id, text, url }: { readonly id: string; readonly text?: string | undefined; readonly url?: string | undefined },
    lang: string,
  ): Promise<AppealView> {
    if (text === undefined && url === undefined)
      throw new Refused('common.fieldRequired', { field: 'text' }, { field: 'text' });
    const { side } = await this.requireParty(userId, id);
    const [picture = ''] = await this.recorder.requirePictures(userId, url === undefined ? [] : [url], 'url');
    await this.database.transaction(async (tx) => {
      const { deal, appeal } = await this.lock(tx, id);
      const verdict = checkEvidence(appeal, await this.store.countEvidence(tx, appeal.id, side), picture !== '');
      if (verdict !== 'ok') throw new Refused(verdict, {}, { field: 'id' });
      await this.store.addEvidence(tx, appeal.id, { by: side, text: text ?? '', picture, at: this.clock.now() });
      await this.recorder.addEvent(tx, appeal, deal, LINE_OF_SIDE[side]);
    });
    return this.findView(id, lang);
  }

  /**
   * Withdraws an appeal for its opener. @throws Refused `common.notFound`, `c2c.state`, also while a proposed decision
   * waits for a second operator
   */
  async withdraw(userId: number, id: string, lang: string): Promise<AppealView> {
    const { side } = await this.requireParty(userId, id);
    const seen = (await this.store.listOfDeal(id)).find(({ state }) => state === 'open');
    await this.database.transaction(async (tx) => {
      if (seen) await this.recorder.stopDueTimer(tx, seen.id);
      const { deal, appeal } = await this.lock(tx, id);
      // Another appeal was opened meanwhile, whose timer was not stopped.
      const isSeen = appeal.id === seen?.id;
      const after = isSeen ? withdrawAppeal(appeal, side, this.clock.now()) : 'c2c.state';
      if (after === 'c2c.state') throw new Refused(after, {}, { field: 'id' });
      if (isReopened(deal)) await this.late.cancelReopened(tx, after, deal);
      await this.recorder.publishWithdrawn(tx, after, deal);
    });
    return this.findView(id, lang);
  }

  /** Locks the deal before its appeal, as every transaction does. */
  private async lock(tx: Tx, dealId: string): Promise<{ readonly deal: Deal; readonly appeal: Appeal }> {
    const deal = await this.deals.lock(tx, dealId);
    const appeal = await this.store.lockOfDeal(tx, dealId);
    if (!deal || !appeal) throw new Refused('c2c.state', {}, { field: 'id' });
    return { deal, appeal };
  }

  private async findView(dealId: string, lang: string): Promise<AppealView> {
    const [appeal] = await this.store.listOfDeal(dealId);
    if (!appeal) throw new Refused('common.notFound', {}, { field: 'id' });
    return this.views.findView(appeal, lang);
  }

  private async requireParty(
    userId: number,
    dealId: string,
  ): Promise<{ readonly deal: Deal; readonly side: AppealSide }> {
    const deal = await this.deals.find(dealId);
    const side = deal && sideOf(deal, userId);
    if (!deal || !side) throw new Refused('common.notFound', {}, { field: 'id' });
    return { deal, side };
  }
}

const LINE_OF_SIDE = { buyer: 'c2c.line.evidenceBuyer', seller: 'c2c.line.evidenceSeller' } as const;
