import { Injectable } from '@nestjs/common';
import type { Language } from '@bourse/contract';
import { Commands, Sagas, type Saga } from '@bourse/ledger-client';
import { FundGate, type PartyFacts } from '@bourse/messaging';
import { formatTrimmed } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, refuseOut, type CallContext, type WrittenAmount, Ids } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { dealBounds, cancelDealInAd, calculateMoney, takeFromAd, type Ad, type DealKind } from '../domain/ad.js';
import { minDealNumber } from '../domain/ad-limits.js';
import { acceptDeal, openDeal, sellerOf, type Deal, type Side } from '../domain/deal.js';
import { AdCommands } from './ad-commands.js';
import { AMOUNT_SCALE, C2C_OPEN_DEALS } from './settings.js';
import { DealParties } from './parties.js';
import { AdStore, DealStore } from './ports.js';
import { setDeadlines } from './deadlines.js';
import { DealEvents } from './events.js';
import { DealViews } from './views.js';
import { createHoldOrder } from './escrow.js';
import { fillPersonalFields } from '../../shared/application/personal-answer.js';

/** How a kind of ads is taken. */
export interface TakeRules {
  readonly kind: DealKind;
  /** Refuses invalid fields before any lookup. */
  checkFields(): void;
  /** The number of coins taken from an ad on the shelf. @throws Refused when the ad does not offer it */
  readNumber(ad: Ad): bigint;
}
/** Rules of C2C: a number of coins, or the whole surplus. */
export const toC2cRules = (number: WrittenAmount | undefined): TakeRules => ({
  kind: 'c2c',
  checkFields: () => {
    if (number?.text !== undefined) number.units(AMOUNT_SCALE);
  },
  readNumber: (ad) => {
    const wanted = number?.text === undefined ? ad.surplus : number.units(ad.scale);
    const { min, max } = dealBounds(ad);
    if (wanted < min || wanted > max)
      throw new Refused(
        'quantity.rule',
        { min: formatTrimmed(min, ad.scale), max: formatTrimmed(max, ad.scale) },
        { field: 'number' },
      );
    return wanted;
  },
});

/** The parties of a new deal, and why the taker may not take it now. */
interface DealTaking {
  readonly blocked: Error | null;
  readonly terms: Omit<Parameters<typeof openDeal>[1], 'number' | 'fee' | 'now'>;
}
interface TakeNote {
  readonly lang: Language;
}

/** Opens deals on ads (rules §6). C2C and shops share it. */
@Injectable()
export class DealOpening {
  private readonly taking: Saga<TakeNote>;

  constructor(
    sagas: Sagas,
    private readonly ads: AdStore,
    private readonly deals: DealStore,
    private readonly adCommands: AdCommands,
    private readonly commands: Commands,
    private readonly parties: DealParties,
    private readonly fund: FundGate,
    private readonly dealEvents: DealEvents,
    private readonly views: DealViews,
    private readonly settings: Settings,
    private readonly timers: Timers,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.taking = sagas.define<TakeNote>({
      name: 'deal.take',
      onPosted: async (tx, { object, note }) => {
        const deal = acceptDeal(await this.lockWaiting(tx, object));
        await this.deals.save(tx, deal);
        return this.beginDeal(tx, deal, note.lang);
      },
      onRefused: async (tx, { object }, refusal) => {
        const deal = await this.lockWaiting(tx, object);
        const ad = await this.ads.lock(tx, deal.adId);
        if (!ad) throw new Error(`invariant: ad ${deal.adId} is not there`);
        await this.deals.drop(tx, object);
        await this.ads.save(tx, cancelDealInAd(ad, deal).ad);
        await this.deals.releaseOpenDeal(tx, deal.takerId);
        return refusal;
      },
    });
  }

  private async lockWaiting(tx: Tx, object: string): Promise<Deal> {
    const deal = await this.deals.lock(tx, object);
    if (deal?.state !== 'waiting') throw new Error(`invariant: deal ${object} does not wait for the ledger`);
    return deal;
  }

  /** @throws Refused in the order of api §2.7, and as the ledger refuses */
  async takeAd(
    userId: number,
    adId: number,
    password: string | undefined,
    rules: TakeRules,
    context: CallContext,
  ): Promise<Notice> {
    const { lang } = context;
    const answer = await this.commands.run(context, {
      prepare: async () => {
        rules.checkFields();
        await this.fund.demand(userId, password);
        return this.findParties(userId, adId, rules, context);
      },
      decide: async (tx, parties) => {
        const deal = await this.insertDeal(tx, adId, rules, parties);
        return deal.type === 'buy'
          ? this.taking.ask({ object: deal.id, note: { lang }, command: createHoldOrder(deal) })
          : this.beginDeal(tx, deal, lang);
      },
    });
    return fillPersonalFields(answer, this.deals, this.views.fillPersonal.bind(this.views));
  }

  /** Looks up both parties before anything is locked. */
  private async findParties(userId: number, adId: number, rules: TakeRules, context: CallContext): Promise<DealTaking> {
    const seen = await this.ads.find(adId);
    if (seen?.kind !== rules.kind || seen.state === 'waiting') throw new Refused('common.notFound');
    this.checkNumber(seen, userId, rules);
    const [owner, taker] = await this.parties.findUsers(seen.ownerId, userId);
    if (!(await this.acceptsTakers(seen, owner))) throw new Refused('c2c.adGone');
    // The taker of a buy ad gives coins.
    if (seen.type === 'buy') refuseOut(context, null, this.clock.now());
    const blocked = await this.adCommands.refuseBlocked(userId).then(
      () => null,
      (error: unknown) => error as Error,
    );
    const id = this.ids.next();
    const [buyer, seller] = seen.type === 'sell' ? [taker, owner] : [owner, taker];
    const facts = this.parties.seal(id, { buyer, seller });
    return {
      blocked,
      terms: { id, takerId: userId, takerName: taker.name, ownerLang: owner.lang, takerLang: taker.lang, facts },
    };
  }

  private async insertDeal(tx: Tx, adId: number, rules: TakeRules, { blocked, terms }: DealTaking): Promise<Deal> {
    const { takerId } = terms;
    const ad = await this.ads.lock(tx, adId);
    if (!ad) throw new Refused('common.notFound');
    const number = this.checkNumber(ad, takerId, rules);
    const max = this.settings.get(C2C_OPEN_DEALS);
    if (!(await this.deals.reserveOpenDeal(tx, takerId, max))) throw new Refused('c2c.openDeal', { max });
    if (blocked) throw blocked;
    const { ad: after, fee } = takeFromAd(ad, number);
    const deal = openDeal(ad, { ...terms, number, fee, now: this.clock.now() });
    await this.ads.save(tx, after);
    await this.deals.insert(tx, deal);
    return deal;
  }

  /**
   * Whether the ad's owner may open a deal. An owner who is frozen, has lost the role of a seller, or has cancelled too
   * often today as a buyer keeps the ad and gets no takers.
   */
  private async acceptsTakers({ type, kind, ownerId }: Ad, owner: PartyFacts): Promise<boolean> {
    if (owner.mayDeal === false || (kind === 'shop' && owner.isSeller === false)) return false;
    return type === 'sell' || !(await this.adCommands.isBlocked(ownerId));
  }

  /**
   * @throws Refused `c2c.adGone`, `c2c.ownAd`, as the rules of the kind, and `quantity.rule` for a number that costs
   * nothing
   */
  private checkNumber(ad: Ad, userId: number, rules: TakeRules): bigint {
    if (ad.state !== 'shelf' || ad.surplus === 0n) throw new Refused('c2c.adGone');
    if (ad.ownerId === userId) throw new Refused('c2c.ownAd');
    const number = rules.readNumber(ad);
    if (calculateMoney(ad, number) < 1n)
      throw new Refused('quantity.rule', { min: formatTrimmed(minDealNumber(ad), ad.scale) }, { field: 'number' });
    return number;
  }

  /** The coins of the deal are held, so its deadlines start. */
  private async beginDeal(tx: Tx, deal: Deal, lang: Language): Promise<Notice> {
    await setDeadlines(this.timers, tx, deal);
    await this.dealEvents.publishStep(tx, deal, 'opened');
    const side: Side = sellerOf(deal) === deal.takerId ? 'seller' : 'buyer';
    return new Notice('c2c.taken', { id: deal.id, deal: this.views.toBareView(deal, side, lang, 0) });
  }
}
