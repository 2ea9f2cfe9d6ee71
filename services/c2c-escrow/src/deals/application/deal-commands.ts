import { Injectable } from '@nestjs/common';
import { Commands, type Command } from '@bourse/ledger-client';
import { FundGate, OwnUploads } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, refuseOut, type CallContext } from '@bourse/platform';
import { cancelDealInAd, finishDealInAd, type Ad } from '../domain/ad.js';
import { cancelDeal, confirmDeal, payDeal, sideOf, type Deal, type DealOutcome, type Side } from '../domain/deal.js';
import { AdStore, DealStore } from './ports.js';
import { DealEvents } from './events.js';
import { DealViews } from './views.js';
import { Escrow } from './escrow.js';
import { fillPersonalFields } from '../../shared/application/personal-answer.js';

const DAY_MS = 86_400_000;

/** A command of one party of a deal. */
export interface PartyCommand {
  readonly userId: number;
  readonly dealId: string;
  readonly password?: string | undefined;
}

/**
 * Commands of the two parties of a deal (rules §6). Of two concurrent commands one takes effect, the other is refused
 * with `c2c.state`.
 */
@Injectable()
export class DealCommands {
  constructor(
    private readonly ads: AdStore,
    private readonly deals: DealStore,
    private readonly escrow: Escrow,
    private readonly commands: Commands,
    private readonly fund: FundGate,
    private readonly uploads: OwnUploads,
    private readonly dealEvents: DealEvents,
    private readonly views: DealViews,
    private readonly clock: Clock,
  ) {}

  /** 0→3, by the coin buyer. @throws Refused `upload.required`, `common.notFound`, `c2c.state` */
  pay(act: PartyCommand, proof: string | undefined, context: CallContext): Promise<Notice> {
    return this.run(context, {
      prepare: async () => {
        await this.fund.demand(act.userId, act.password);
        return this.requireProof(act, proof);
      },
      decide: async (tx, picture) => {
        const deal = this.requireOutcome(await this.lockAsParty(tx, act), (found, now) =>
          payDeal(found, act.userId, now, picture),
        );
        await this.deals.save(tx, deal);
        await this.dealEvents.publishStep(tx, deal, 'paid');
        return this.toNotice('c2c.paid', deal, act.userId, context);
      },
    });
  }

  private async requireProof({ userId }: PartyCommand, address: string | undefined): Promise<string | null> {
    if (address === undefined || address === '') return null;
    const name = await this.uploads.own(userId, 'proof', address);
    if (name === null) throw new Refused('upload.required', { field: 'proof' }, { field: 'proof' });
    return name;
  }

  /** 0→2, by the coin buyer. @throws Refused `common.notFound`, `c2c.state` */
  cancel(act: PartyCommand, context: CallContext): Promise<Notice> {
    return this.run(context, {
      prepare: () => this.fund.demand(act.userId, act.password),
      decide: async (tx) => {
        const { deal, goesBack } = await this.saveCancelled(tx, act);
        const answer = this.toNotice('c2c.cancelled', deal, act.userId, context);
        return goesBack ? this.escrow.returnCoinsInCall(deal, 'cancel', answer) : answer;
      },
    });
  }

  private async saveCancelled(tx: Tx, act: PartyCommand) {
    const now = this.clock.now();
    const deal = this.requireOutcome(await this.lockAsParty(tx, act), (found) => cancelDeal(found, act.userId, now));
    const { ad, goesBack } = cancelDealInAd(await this.lockAd(tx, deal), deal);
    await this.deals.save(tx, deal);
    await this.ads.save(tx, ad);
    await this.deals.releaseOpenDeal(tx, deal.takerId);
    await this.deals.addCancel(tx, act.userId, Math.floor(now / DAY_MS));
    await this.dealEvents.publishStep(tx, deal, 'cancelled');
    return { deal, goesBack };
  }

  /**
   * 3→1, by the coin seller; answered after the ledger has booked the release. `type` is the type of ad that the call
   * serves. @throws Refused `common.notFound`, `c2c.state`, `c2c.appealOpen`, and as `refuseOut` for a younger deal
   */
  confirm(act: PartyCommand, type: Deal['type'], context: CallContext): Promise<Notice> {
    return this.run(context, {
      prepare: () => this.fund.demand(act.userId, act.password),
      decide: async (tx) => {
        await this.dealEvents.stopSellerTimeout(tx, act.dealId);
        const found = await this.lockAsParty(tx, act);
        if (found.type !== type) throw new Refused('common.notFound');
        const deal = this.requireOutcome(found, (before, now) => confirmDeal(before, act.userId, now));
        // Counted from the opening of the deal, not from its ad: a stop that began before the opening refuses the
        // release.
        refuseOut(context, found.createdAt, this.clock.now());
        await this.finishDeal(tx, deal);
        await this.dealEvents.publishStep(tx, deal, 'confirmed');
        return this.escrow.releaseInCall(deal, this.toNotice('c2c.released', deal, act.userId, context));
      },
    });
  }

  /** Stores a finished deal (state 1), its ad and its taker's counter. The caller releases the coins. */
  async finishDeal(tx: Tx, deal: Deal): Promise<void> {
    const ad = finishDealInAd(await this.lockAd(tx, deal), deal);
    await this.deals.save(tx, deal);
    await this.ads.save(tx, ad);
    await this.deals.releaseOpenDeal(tx, deal.takerId);
  }

  private async lockAsParty(tx: Tx, { dealId, userId }: PartyCommand): Promise<Deal> {
    const deal = await this.deals.lock(tx, dealId);
    if (!deal || sideOf(deal, userId) === null) throw new Refused('common.notFound');
    return deal;
  }
  private requireOutcome(deal: Deal, decide: (deal: Deal, now: number) => DealOutcome): Deal {
    const outcome = decide(deal, this.clock.now());
    if (typeof outcome === 'string') throw new Refused(outcome);
    return outcome;
  }
  private async lockAd(tx: Tx, { adId }: Deal): Promise<Ad> {
    const ad = await this.ads.lock(tx, adId);
    if (!ad) throw new Error(`invariant: ad ${adId} is not there`);
    return ad;
  }

  private toNotice(key: string, deal: Deal, userId: number, { lang }: CallContext): Notice {
    const side = sideOf(deal, userId) as Side;
    return new Notice(key, { deal: this.views.toBareView(deal, side, lang, 0) });
  }
  private async run<Prepared>(context: CallContext, command: Command<Prepared>): Promise<Notice> {
    const answer = await this.commands.run(context, command);
    return fillPersonalFields(answer, this.deals, this.views.fillPersonal.bind(this.views));
  }
}
