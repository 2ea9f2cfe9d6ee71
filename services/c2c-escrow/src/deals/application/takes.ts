import { Injectable } from '@nestjs/common';
import type { Deal as ShownDeal, Language } from '@bourse/contract';
import { Sagas, type Saga } from '@bourse/ledger-client';
import { FundGate, type PartyFacts } from '@bourse/messaging';
import { formatTrimmed } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, refuseOut, type CallContext, type WrittenAmount, Ids } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { boundsOf, cancelledIn, moneyFor, taken, type Ad, type DealKind } from '../domain/ad.js';
import { leastNumber } from '../domain/ad-limits.js';
import { accepted, opened, sellerOf, sideOf, type Deal, type Side } from '../domain/deal.js';
import { C2cAds } from './ads.js';
import { AMOUNT_SCALE, C2C_OPEN_DEALS } from './settings.js';
import { DealPeople } from './facts.js';
import { AdStore, DealStore } from './ports.js';
import { setDeadlines } from './deadlines.js';
import { DealEvents } from './events.js';
import { DealViews } from './views.js';
import { holdOrder } from './escrow.js';
import { PlainCalls } from '../../shared/application/plain-calls.js';

/** How one kind of ads is taken. */
export interface TakeRules {
  readonly kind: DealKind;
  /** Refuses the fields before anything is looked up. */
  readFields(): void;
  /** How many coins are taken of an ad on the shelf. @throws Refused where the ad does not give so many */
  numberOf(ad: Ad): bigint;
}
/** A number of coins, or all that are left. */
export const c2cRules = (number: WrittenAmount | undefined): TakeRules => ({
  kind: 'c2c',
  readFields: () => {
    if (number?.text !== undefined) number.units(AMOUNT_SCALE);
  },
  numberOf: (ad) => {
    const wanted = number?.text === undefined ? ad.surplus : number.units(ad.scale);
    const { min, max } = boundsOf(ad);
    if (wanted < min || wanted > max)
      throw new Refused(
        'quantity.rule',
        { min: formatTrimmed(min, ad.scale), max: formatTrimmed(max, ad.scale) },
        { field: 'number' },
      );
    return wanted;
  },
});

interface Note {
  readonly lang: Language;
}

/** Takes ads (rules §6). C2C and shops share it. */
@Injectable()
export class C2cTakes {
  private readonly taking: Saga<Note>;

  constructor(
    sagas: Sagas,
    private readonly ads: AdStore,
    private readonly deals: DealStore,
    private readonly publishing: C2cAds,
    private readonly plain: PlainCalls,
    private readonly people: DealPeople,
    private readonly fund: FundGate,
    private readonly dealEvents: DealEvents,
    private readonly views: DealViews,
    private readonly settings: Settings,
    private readonly timers: Timers,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.taking = sagas.define<Note>({
      name: 'deal.take',
      onPosted: async (tx, { object, note }) => {
        const deal = accepted(await this.waiting(tx, object));
        await this.deals.save(tx, deal);
        return this.begun(tx, deal, note.lang);
      },
      onRefused: async (tx, { object }, refusal) => {
        const deal = await this.waiting(tx, object);
        const ad = await this.ads.lock(tx, deal.adId);
        if (!ad) throw new Error(`invariant: ad ${deal.adId} is not there`);
        await this.deals.drop(tx, object);
        await this.ads.save(tx, cancelledIn(ad, deal).ad);
        await this.deals.giveOpen(tx, deal.takerId);
        return refusal;
      },
    });
  }

  private async waiting(tx: Tx, object: string): Promise<Deal> {
    const deal = await this.deals.lock(tx, object);
    if (deal?.state !== 'waiting') throw new Error(`invariant: deal ${object} does not wait for the ledger`);
    return deal;
  }

  /** @throws Refused in the order of api §2.7, and as the ledger says */
  async take(
    userId: number,
    adId: number,
    password: string | undefined,
    rules: TakeRules,
    context: CallContext,
  ): Promise<Notice> {
    const seen = await this.ads.find(adId);
    const { lang } = context;
    const prepare = async () => {
      rules.readFields();
      await this.fund.demand(userId, password);
      return this.prepared(userId, adId, rules, context);
    };
    const answer =
      seen?.type === 'buy'
        ? await this.taking.call(context, async () => {
            const open = await prepare();
            return async (tx) => {
              const deal = await open(tx);
              return { object: deal.id, note: { lang }, command: holdOrder(deal) };
            };
          })
        : await this.plain.call(context, async () => {
            const open = await prepare();
            return async (tx) => this.begun(tx, await open(tx), lang);
          });
    if (answer instanceof Notice) return this.filled(answer);
    throw new Error('invariant: a deal is answered with a notice');
  }

  /** Looks up people while nothing is locked; gives what the transaction does. */
  private async prepared(
    userId: number,
    adId: number,
    rules: TakeRules,
    context: CallContext,
  ): Promise<(tx: Tx) => Promise<Deal>> {
    const seen = await this.ads.find(adId);
    if (seen?.kind !== rules.kind || seen.state === 'waiting') throw new Refused('common.notFound');
    this.refuse(seen, userId, rules);
    const [owner, taker] = await this.people.ask(seen.ownerId, userId);
    if (!(await this.isOffered(seen, owner))) throw new Refused('c2c.adGone');
    // Who takes a buy ad gives coins.
    if (seen.type === 'buy') refuseOut(context, null, this.clock.now());
    const blocked = await this.publishing.refuseBlocked(userId).catch((error: unknown) => error as Error);
    const id = this.ids.next();
    const [buyer, seller] = seen.type === 'sell' ? [taker, owner] : [owner, taker];
    const facts = this.people.seal(id, { buyer, seller });
    return async (tx) => {
      const ad = await this.ads.lock(tx, adId);
      if (!ad) throw new Refused('common.notFound');
      const number = this.refuse(ad, userId, rules);
      const max = this.settings.get(C2C_OPEN_DEALS);
      if (!(await this.deals.takeOpen(tx, userId, max))) throw new Refused('c2c.openDeal', { max });
      if (blocked) throw blocked;
      const { ad: after, fee } = taken(ad, number);
      const deal = opened(ad, {
        ...{ id, takerId: userId, takerName: taker.name, ownerLang: owner.lang, takerLang: taker.lang },
        ...{ number, fee, facts, now: this.clock.now() },
      });
      await this.ads.save(tx, after);
      await this.deals.insert(tx, deal);
      return deal;
    };
  }

  /**
   * Whether the owner may begin a deal: who is frozen, lost the role of a seller, or cancelled too often today as a
   * buyer, keeps the ad and gets no takers.
   */
  private async isOffered({ type, kind, ownerId }: Ad, owner: PartyFacts): Promise<boolean> {
    if (owner.mayDeal === false || (kind === 'shop' && owner.isSeller === false)) return false;
    return type === 'sell' || !(await this.publishing.isBlocked(ownerId));
  }

  /** @throws Refused `c2c.adGone`, `c2c.ownAd`, as the rules say, and `quantity.rule` for what costs nothing */
  private refuse(ad: Ad, userId: number, rules: TakeRules): bigint {
    if (ad.state !== 'shelf' || ad.surplus === 0n) throw new Refused('c2c.adGone');
    if (ad.ownerId === userId) throw new Refused('c2c.ownAd');
    const number = rules.numberOf(ad);
    // What would cost nothing is no deal.
    if (moneyFor(ad, number) < 1n)
      throw new Refused('quantity.rule', { min: formatTrimmed(leastNumber(ad), ad.scale) }, { field: 'number' });
    return number;
  }

  /** The coins of a deal are held: its time begins. */
  private async begun(tx: Tx, deal: Deal, lang: Language): Promise<Notice> {
    await setDeadlines(this.timers, tx, deal);
    await this.dealEvents.tell(tx, deal, 'opened');
    const side: Side = sellerOf(deal) === deal.takerId ? 'seller' : 'buyer';
    return new Notice('c2c.taken', { id: deal.id, deal: this.views.bare(deal, side, lang, 0) });
  }

  /** Answers are kept without what is personal; the caller gets it. */
  private async filled(answer: Notice): Promise<Notice> {
    const shown = answer.extra['deal'] as ShownDeal;
    const deal = await this.deals.find(shown.id);
    if (!deal || sideOf(deal, deal.takerId) === null) return answer;
    return new Notice(answer.key, { ...answer.extra, deal: this.views.filled(shown, deal) }, answer.params);
  }
}
