import { Injectable } from '@nestjs/common';
import { TOPICS, userNotices } from '@bourse/events';
import { OwnUploads } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused } from '@bourse/platform';
import { newAppeal, type Appeal, type AppealSide, type NewAppeal } from '../domain/appeal.js';
import { proposeDecision, withdrawDealAppeal, type Deal, type DealOutcome } from '../../deals/domain/deal.js';
import { AppealStore } from './ports.js';
import { AppealDueTimers } from './due-timers.js';
import { DealLog, SellerResponseTimeout } from '../../deals/application/hooks.js';
import { toAppealNotices } from './notices.js';
import { DealStore } from '../../deals/application/ports.js';
import { DealPushes, toLoggedDeal } from '../../deals/application/events.js';

/** The scene under which pictures of evidence are uploaded. */
const UPLOAD_SCENE = 'evidence';

/** A new appeal with the names of its pictures. */
export interface Opening {
  readonly facts: NewAppeal;
  readonly pictures: readonly string[];
}

/** The deal after a command. @throws Refused */
export function requireDeal(decided: DealOutcome): Deal {
  if (typeof decided === 'string') throw new Refused(decided, {}, { field: 'id' });
  return decided;
}

/** Applies the consequences of every change of an appeal: event, chat line, notices, pushes, and timers. */
@Injectable()
export class AppealRecorder {
  constructor(
    private readonly store: AppealStore,
    private readonly deals: DealStore,
    private readonly dealLog: DealLog,
    private readonly pushes: DealPushes,
    private readonly dueTimers: AppealDueTimers,
    private readonly sellerTimeout: SellerResponseTimeout,
    private readonly uploads: OwnUploads,
    private readonly clock: Clock,
  ) {}

  /** Names of pictures that the person has uploaded as evidence. @throws Refused `upload.required` */
  async requirePictures(userId: number, addresses: readonly string[], field: string): Promise<string[]> {
    const names = await Promise.all(addresses.map((address) => this.uploads.own(userId, UPLOAD_SCENE, address)));
    return names.map((name) => {
      if (name === null) throw new Refused('upload.required', {}, { field });
      return name;
    });
  }

  /** @throws Refused `c2c.appealOpen` when the deal has another open appeal */
  async insert(tx: Tx, facts: NewAppeal, state: 'waiting' | 'open', pictures: readonly string[]): Promise<Appeal> {
    const appeal = newAppeal(facts, state);
    if (!(await this.store.insert(tx, appeal))) throw new Refused('c2c.appealOpen', {}, { field: 'id' });
    const { openedBy: by, openedAt: at } = appeal;
    if (by !== 'system')
      for (const picture of pictures) await this.store.addEvidence(tx, appeal.id, { by, text: '', picture, at });
    return appeal;
  }

  /** Stops the seller's timeout before the deal is locked, in the order of the timeout itself. */
  stopSellerTimeout(tx: Tx, dealId: string): Promise<void> {
    return this.sellerTimeout.stop(tx, dealId);
  }

  /** Stops the due timer before the deal is locked, in the order of the timer itself. */
  stopDueTimer(tx: Tx, appealId: string): Promise<void> {
    return this.dueTimers.stop(tx, appealId);
  }

  /** Publishes an opened appeal; `deal` is the deal after it. */
  async publishOpened(tx: Tx, appeal: Appeal, deal: Deal): Promise<void> {
    await this.deals.save(tx, deal);
    await this.dueTimers.start(tx, appeal);
    await this.addEvent(tx, appeal, deal, LINE_OF_OPENER[appeal.openedBy]);
    if (!appeal.withEscrow) await this.addEvent(tx, appeal, deal, 'c2c.line.appealRecord');
    this.emitNotices(tx, appeal, deal, 'appealOpened');
    await this.pushes.pushDeal(tx, deal);
  }
  /** The answer to the opener. */
  toOpenedNotice({ id, dealId, withEscrow }: Appeal): Notice {
    return new Notice(withEscrow ? 'c2c.appealOpened' : 'c2c.appealRecorded', { appeal: { id, deal_id: dealId } });
  }

  /** Publishes a decision that waits for a second operator: until then the appeal cannot be withdrawn. */
  async publishProposed(tx: Tx, appeal: Appeal, before: Deal): Promise<void> {
    const deal = proposeDecision(before);
    await this.store.save(tx, appeal);
    await this.deals.save(tx, deal);
    await this.addEvent(tx, appeal, deal, 'c2c.line.appealProposed');
    await this.pushes.pushDeal(tx, deal);
  }

  /** Publishes a withdrawn appeal; the seller's time to answer starts again. */
  async publishWithdrawn(tx: Tx, appeal: Appeal, before: Deal): Promise<void> {
    const deal = withdrawDealAppeal(before, this.clock.now());
    await this.store.save(tx, appeal);
    await this.deals.save(tx, deal);
    if (deal.state === 'paid' && deal.silentSince !== null)
      await this.sellerTimeout.start(tx, deal.id, deal.silentSince);
    await this.addEvent(tx, appeal, deal, 'c2c.line.appealWithdrawn');
    this.emitNotices(tx, appeal, deal, 'appealWithdrawn');
    await this.pushes.pushDeal(tx, deal);
  }

  /** Publishes a decided appeal; `deal` is the deal after it, already stored. */
  async publishDecided(tx: Tx, appeal: Appeal, deal: Deal, outcome: AppealSide): Promise<void> {
    await this.store.save(tx, appeal);
    await this.addEvent(tx, appeal, deal, LINE_OF_OUTCOME[outcome]);
    this.emitNotices(tx, appeal, deal, 'appealDecided');
    await this.pushes.pushDeal(tx, deal);
  }

  private emitNotices(tx: Tx, { id }: Appeal, deal: Deal, kind: Parameters<typeof toAppealNotices>[2]): void {
    tx.emit(TOPICS.userNotices, 0, userNotices(toAppealNotices(id, deal, kind, this.clock.now())));
  }

  /** Adds an event to the timeline of both sides, and the same line to their chat. */
  async addEvent(tx: Tx, appeal: Appeal, deal: Deal, key: string): Promise<void> {
    const at = this.clock.now();
    await this.store.addEvent(tx, appeal.id, { at, key, params: {}, note: '', operatorId: null, isShown: true });
    await this.dealLog.addLine(tx, toLoggedDeal(deal), key);
  }
}

const LINE_OF_OPENER = {
  buyer: 'c2c.line.appealBuyer',
  seller: 'c2c.line.appealSeller',
  system: 'c2c.line.appealSystem',
} as const;
const LINE_OF_OUTCOME = { buyer: 'c2c.line.decidedBuyer', seller: 'c2c.line.decidedSeller' } as const;
