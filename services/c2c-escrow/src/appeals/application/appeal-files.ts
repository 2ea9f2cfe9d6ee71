import { Injectable } from '@nestjs/common';
import type { Params } from '@bourse/contract';
import { TOPICS, userNotices } from '@bourse/events';
import { OwnUploads } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused } from '@bourse/platform';
import { newAppeal, type Appeal, type AppealSide, type NewAppeal } from '../domain/appeal.js';
import { appealWithdrawn, type Deal, type Decided } from '../../deals/domain/deal.js';
import { AppealStore } from './ports.js';
import { AppealWatch } from './watch.js';
import { DealLog, SellerSilence } from '../../deals/application/hooks.js';
import { appealNotices } from './notices.js';
import { DealStore } from '../../deals/application/ports.js';
import { DealPushes, loggedDeal } from '../../deals/application/events.js';

/** Pictures of evidence are uploaded for it. */
const SCENE = 'evidence';

/** An appeal that is about to open, with names of pictures. */
export interface Opening {
  readonly facts: NewAppeal;
  readonly pictures: readonly string[];
}

/** The deal as it is afterwards. @throws Refused */
export function allowed(decided: Decided): Deal {
  if (typeof decided === 'string') throw new Refused(decided, {}, { field: 'id' });
  return decided;
}

/** What every change of an appeal does: it is written down, both sides are told, and its time runs or stops. */
@Injectable()
export class AppealFiles {
  constructor(
    private readonly store: AppealStore,
    private readonly deals: DealStore,
    private readonly chat: DealLog,
    private readonly pushes: DealPushes,
    private readonly watch: AppealWatch,
    private readonly silence: SellerSilence,
    private readonly uploads: OwnUploads,
    private readonly clock: Clock,
  ) {}

  /** Names of pictures that this person has uploaded as evidence. @throws Refused `upload.required`. */
  async claim(userId: number, addresses: readonly string[], field: string): Promise<string[]> {
    const names = await Promise.all(addresses.map((address) => this.uploads.own(userId, SCENE, address)));
    return names.map((name) => {
      if (name === null) throw new Refused('upload.required', {}, { field });
      return name;
    });
  }

  /** @throws Refused `c2c.appealOpen` when another one of the deal is open. */
  async insert(tx: Tx, facts: NewAppeal, state: 'waiting' | 'open', pictures: readonly string[]): Promise<Appeal> {
    const appeal = newAppeal(facts, state);
    if (!(await this.store.insert(tx, appeal))) throw new Refused('c2c.appealOpen', {}, { field: 'id' });
    const { openedBy: by, openedAt: at } = appeal;
    if (by !== 'system')
      for (const picture of pictures) await this.store.addEvidence(tx, appeal.id, { by, text: '', picture, at });
    return appeal;
  }

  /** The silence of a seller is over: its deadline before the deal, as when it fires. */
  heard(tx: Tx, dealId: string): Promise<void> {
    return this.silence.end(tx, dealId);
  }

  /** An appeal is about to end: its time before the deal, as when it comes. */
  ending(tx: Tx, appealId: string): Promise<void> {
    return this.watch.end(tx, appealId);
  }

  /** The appeal is open: `deal` is what it is now. */
  async opened(tx: Tx, appeal: Appeal, deal: Deal): Promise<void> {
    await this.deals.save(tx, deal);
    await this.watch.begin(tx, appeal);
    await this.note(tx, appeal, deal, OPENED[appeal.openedBy]);
    if (!appeal.withEscrow) await this.note(tx, appeal, deal, 'c2c.line.appealRecord');
    this.tell(tx, appeal, deal, 'appealOpened');
    await this.pushes.tell(tx, deal);
  }
  /** What whoever has opened it is told. */
  answer({ id, dealId, withEscrow }: Appeal): Notice {
    return new Notice(withEscrow ? 'c2c.appealOpened' : 'c2c.appealRecorded', { appeal: { id, deal_id: dealId } });
  }

  /** Whoever has opened it takes it back; the silence of the seller begins again. */
  async takenBack(tx: Tx, appeal: Appeal, before: Deal): Promise<void> {
    const deal = appealWithdrawn(before, this.clock.now());
    await this.store.save(tx, appeal);
    await this.deals.save(tx, deal);
    if (deal.state === 'paid' && deal.silentSince !== null) await this.silence.watch(tx, deal.id, deal.silentSince);
    await this.note(tx, appeal, deal, 'c2c.line.appealWithdrawn');
    this.tell(tx, appeal, deal, 'appealWithdrawn');
    await this.pushes.tell(tx, deal);
  }

  /** It is decided: `deal` is what it is now, and stored. */
  async decided(tx: Tx, appeal: Appeal, deal: Deal, outcome: AppealSide): Promise<void> {
    await this.store.save(tx, appeal);
    await this.note(tx, appeal, deal, DECIDED[outcome]);
    this.tell(tx, appeal, deal, 'appealDecided');
    await this.pushes.tell(tx, deal);
  }

  private tell(tx: Tx, { id }: Appeal, deal: Deal, kind: Parameters<typeof appealNotices>[2]): void {
    tx.emit(TOPICS.userNotices, 0, userNotices(appealNotices(id, deal, kind, this.clock.now())));
  }

  /** A line of the timeline that both sides see, and the same in their chat. */
  async note(tx: Tx, appeal: Appeal, deal: Deal, key: string, params: Params = {}): Promise<void> {
    const at = this.clock.now();
    await this.store.addEvent(tx, appeal.id, { at, key, params, note: '', operatorId: null, isShown: true });
    await this.chat.line(tx, loggedDeal(deal), key, params);
  }
}

const OPENED = {
  buyer: 'c2c.line.appealBuyer',
  seller: 'c2c.line.appealSeller',
  system: 'c2c.line.appealSystem',
} as const;
const DECIDED = { buyer: 'c2c.line.decidedBuyer', seller: 'c2c.line.decidedSeller' } as const;
