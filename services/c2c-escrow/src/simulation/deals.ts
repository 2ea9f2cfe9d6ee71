import { NO_OUT_STOPS } from '@bourse/contract';
import type { PartyFacts } from '@bourse/messaging';
import { FundGate, type OwnUploads } from '@bourse/messaging';
import type { SimulatedCall, SimulatedEnd, SimulatedHost, SimulatedMove, SimulatedTables } from '@bourse/ledger-client';
import { formatUnits, type Units } from '@bourse/money';
import { Timers } from '@bourse/persistence';
import { Notice, WrittenAmount, type CallContext, type Ids } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { AdLimits } from '../application/ad-limits.js';
import { C2cAds } from '../application/c2c-ads.js';
import { C2C_CANCELS, C2C_MAX_ADS, C2C_MIN_VALUE, C2C_OPEN_DEALS } from '../application/c2c-settings.js';
import { c2cRules, C2cTakes } from '../application/c2c-takes.js';
import { shopRules } from '../application/shop-ads.js';
import { DealActs } from '../application/deal-acts.js';
import { DealDeadlines } from '../application/deal-deadlines.js';
import { DealPeople, type DealFacts } from '../application/deal-facts.js';
import { DealPushes, DealEvents } from '../application/deal-events.js';
import { DealViews } from '../application/deal-views.js';
import { Escrow } from '../application/escrow.js';
import { PlainCalls } from '../application/plain-calls.js';
import type { C2cDatabase } from '../application/ports.js';
import { heldForSurplus, type Ad, type AdType, type DealKind } from '../domain/ad.js';
import { adHold, buyerOf, heldFor, holdOf, isUnfinished, sellerOf, type Deal } from '../domain/deal.js';
import { appealProblems, AppealsRunning, appealsOf, QuickSilence } from './appeals.js';
import { AD, DEAL, SimulatedAds, SimulatedDeals, TAKER, type TakerCount } from './deal-stores.js';
import { DealWatch, wrongsOf } from './deal-watch.js';
import { FixedPrices } from './shop-stores.js';
import type { SimulatedPart } from './part.js';

const USDT = 3;
const SCALE = 8;
const FUND = 'fund66';
/** Deals are to be paid within seconds here. */
const LIMIT_MINUTES = 4 / 60;
/** How much people do in a run: they look at their deals this often, have so many at once, and so many in all. */
const PACE = { lookMs: 150, openMax: 2, dealsMax: 30 };
const CROWD = { lookMs: 10, openMax: 6, dealsMax: 200 };
const paceOf = ({ crowd }: SimulatedHost): typeof PACE => (crowd === 'c2c-escrow' ? CROWD : PACE);

/** One ad of four is a shop's: its coins come out of the merchant account, and go back there. */
const kindOf = (total: bigint): DealKind => (total % 4n === 0n ? 'shop' : 'c2c');
/** Shops of the people of a run: their terms are the part's next door, here only their ads matter. */
const SHOP_OF_ALL = 100;

/** People whose names nobody looks at. */
class NamelessPeople extends DealPeople {
  readonly prefix = '{';
  ask<const Users extends readonly number[]>(...userIds: Users): Promise<{ [K in keyof Users]: PartyFacts }> {
    const facts = userIds.map((userId): PartyFacts => ({
      ...{ userId, name: '***', accountNumber: String(userId), realName: '', phone: '', lang: 'en', payment: null },
    }));
    return Promise.resolve(facts as { [K in keyof Users]: PartyFacts });
  }
  seal(_dealId: string, facts: DealFacts): string {
    return JSON.stringify(facts);
  }
  open(_dealId: string, sealed: string): DealFacts {
    return JSON.parse(sealed) as DealFacts;
  }
}

/** The use cases of a process, and the people who use it beside the calls of the run. */
class Running {
  readonly people = new Set<number>();

  constructor(
    private readonly host: SimulatedHost,
    private readonly ads: SimulatedAds,
    private readonly deals: SimulatedDeals,
    private readonly publishing: C2cAds,
    private readonly takes: C2cTakes,
    private readonly acts: DealActs,
    private readonly appeals: AppealsRunning,
  ) {
    setInterval(() => void this.act().catch(() => undefined), paceOf(host).lookMs);
  }

  publish(userId: number, type: AdType, total: bigint, context: CallContext): Promise<Notice> {
    this.people.add(userId);
    const ownedBy =
      kindOf(total) === 'shop'
        ? ({ kind: 'shop', ownerAccount: 'merchant', shopId: SHOP_OF_ALL, level: 'verified' } as const)
        : ({ kind: 'c2c', ownerAccount: 'legal', shopId: null, level: '' } as const);
    return this.publishing.publish(userId, type, context, () =>
      Promise.resolve({
        ...{ ...ownedBy, type, currencyId: USDT, currencyName: 'USDT' },
        ...{ scale: SCALE, coinCode: 'CNY', fiatScale: 2, price: 650n, way: 'bank', total, min: 0n, max: total },
        limitMinutes: LIMIT_MINUTES,
      }),
    );
  }
  /** Takes an ad that is on the shelf, in part or what is left. */
  async take(userId: number, lot: number, context: CallContext): Promise<Notice> {
    this.people.add(userId);
    const { rows } = await this.ads.list({ states: ['shelf'] });
    const offered = rows.filter(({ ownerId, surplus }) => ownerId !== userId && surplus > 0n);
    const ad = offered[Math.floor(lot * offered.length)];
    const number =
      ad && lot < 0.7 ? formatUnits((ad.surplus * BigInt(1 + Math.floor(lot * 1_000))) / 1_000n, SCALE) : '';
    if (ad?.kind === 'shop') {
      // A shop's ad is always taken by a number.
      const written = new WrittenAmount(number === '' ? formatUnits(ad.surplus, SCALE) : number, 'number', {});
      return this.takes.take(userId, ad.id, FUND, shopRules({ number: written }), context);
    }
    const written = new WrittenAmount(number === '' ? undefined : number, 'number', {});
    return this.takes.take(userId, ad?.id ?? 1, FUND, c2cRules(written), context);
  }

  /** What somebody of all people does next, by lot; not always what they may. */
  private async act(): Promise<void> {
    const { random, clock } = this.host;
    const context = {
      ...{ commandId: null, hasKey: false, bodyHash: null, lang: 'en', validUntil: clock.real() + 4_000 },
      outStops: NO_OUT_STOPS,
    } as CallContext;
    const { rows, total } = await this.deals.list({});
    const people = [...this.people];
    if (people.length > 0 && total < paceOf(this.host).dealsMax && random.chance(0.4)) {
      await this.take(random.pick(people), random.next(), context);
      return;
    }
    if (random.chance(0.05)) {
      const { rows: ads } = await this.ads.list({ states: ['shelf'] });
      const ad = ads[random.int(Math.max(1, ads.length))];
      if (ad) await this.publishing.withdraw(ad.ownerId, ad.id, FUND, context, { kind: ad.kind });
      return;
    }
    if (random.chance(0.1)) {
      await this.appeals.decide(context);
      return;
    }
    // Also of deals that were cancelled: their buyers may appeal.
    const appealable = rows.filter(({ state }) => state === 'paid' || state === 'cancelled');
    if (appealable.length > 0 && random.chance(0.2)) {
      await this.appeals.act(random.pick(appealable), random.next(), context);
      return;
    }
    const running = rows.filter(isUnfinished);
    if (running.length === 0) return;
    const deal = random.pick(running);
    const [userId, other] = random.chance(0.9) ? [buyerOf(deal), sellerOf(deal)] : [sellerOf(deal), buyerOf(deal)];
    const by = (who: number) => ({ userId: who, dealId: deal.id, password: FUND });
    const die = random.next();
    if (die < 0.35) await this.acts.pay(by(userId), undefined, context);
    else if (die < 0.5) await this.acts.cancel(by(userId), context);
    else if (die < 0.9) await this.acts.confirm(by(other), deal.type, context);
  }

  /** An operator takes an ad off the shelf, whatever runs on it. */
  async remove(lot: number): Promise<void> {
    const { rows } = await this.ads.list({ states: ['shelf'] });
    const ad = rows[Math.floor(lot * rows.length)];
    if (ad) await this.host.database.transaction((tx) => this.publishing.takeOffByOperator(tx, ad.id));
  }
}

function start(host: SimulatedHost): Running {
  const { database, sagas, log, reference, clock, config, random } = host;
  const own = database as unknown as C2cDatabase;
  const ids: Ids = { next: () => String(1 + random.int(2 ** 47)) };
  const settings = new FixedSettings();
  settings.set(C2C_OPEN_DEALS, paceOf(host).openMax);
  settings.set(C2C_CANCELS, 1_000);
  settings.set(C2C_MIN_VALUE, 0n as Units);
  settings.set(C2C_MAX_ADS, 1_000);
  const [ads, deals, people] = [new SimulatedAds(database), new SimulatedDeals(database), new NamelessPeople()];
  const escrow = new Escrow(sagas, own, config);
  const plain = new PlainCalls(own, clock);
  const views = new DealViews(people, clock, config);
  const timers = new Timers(database, clock);
  const silence = new QuickSilence(timers);
  const pushes = new DealPushes(log, views);
  const dealEvents = new DealEvents(pushes, undefined, silence);
  const fund = new FundGate(() => Promise.resolve({ ok: true }));
  const limits = new AdLimits(settings, new FixedPrices());
  const publishing = new C2cAds(sagas, ads, deals, escrow, plain, people, fund, reference, limits, settings, clock);
  const takes = new C2cTakes(
    ...([sagas, ads, deals, publishing, plain, people, fund, dealEvents, views, settings, timers, clock, ids] as const),
  );
  const uploads = { own: () => Promise.resolve(null) } as unknown as OwnUploads;
  const acts = new DealActs(ads, deals, escrow, plain, fund, uploads, dealEvents, views, clock);
  new DealDeadlines(timers, ads, deals, escrow, dealEvents);
  const appeals = new AppealsRunning(host, {
    ...{ ads, deals, acts, escrow, plain, pushes, silence, timers, settings, ids },
  });
  timers.start();
  const running = new Running(host, ads, deals, publishing, takes, acts, appeals);
  setInterval(() => {
    if (random.chance(0.1)) void running.remove(random.next()).catch(() => undefined);
  }, PACE.lookMs * 7);
  return running;
}

/** The notice with an id as the clients of a run read it. */
const withId = ({ key, extra }: Notice): Notice => new Notice(key, { id: String(extra['id']) });
const adsOf = (server: SimulatedTables): readonly Ad[] => server.rows<Ad>(AD);
const dealsOf = (server: SimulatedTables): readonly Deal[] => server.rows<Deal>(DEAL);

/** Ads are published, taken and withdrawn, deals paid, cancelled, confirmed, and forgotten until their deadline. */
export const DEALS: SimulatedPart<Running> = {
  name: 'deals',
  start,

  draw(random, user): SimulatedCall<Running> {
    if (random.chance(0.4)) {
      const lot = random.next();
      return {
        fields: { call: 'take' },
        run: async (running, context) => withId(await running.take(user, lot, context)),
      };
    }
    const type = random.pick(['sell', 'sell', 'buy'] as const);
    const total = random.chance(0.1) ? 10n ** 13n : BigInt(1 + random.int(100 * 10 ** SCALE));
    return {
      fields: { call: 'publish', type, total: String(total) },
      run: async (running, context) => withId(await running.publish(user, type, total, context)),
    };
  },

  watch: () => new DealWatch(),
  isSettled: ({ server }) =>
    adsOf(server).every(({ state }) => state !== 'waiting') &&
    dealsOf(server).every(({ state }) => state !== 'waiting' && state !== 'unpaid') &&
    appealsOf(server).every(({ state }) => state !== 'waiting'),

  holds(server) {
    const holds = new Map<string, bigint>();
    const add = (hold: string, units: bigint): void => {
      if (units > 0n) holds.set(hold, (holds.get(hold) ?? 0n) + units);
    };
    for (const ad of adsOf(server))
      if (ad.type === 'sell' && ad.state === 'shelf') add(adHold(ad.id), heldForSurplus(ad));
    for (const deal of dealsOf(server))
      if (deal.state === 'unpaid' || deal.state === 'paid') add(holdOf(deal), heldFor(deal));
    return holds;
  },

  moves: ({ server }) =>
    dealsOf(server)
      .filter(({ state }) => state === 'finished')
      .flatMap((deal): SimulatedMove[] => {
        const move = (whose: number | string, units: bigint): SimulatedMove => ({ whose, currency: USDT, units });
        return [move(buyerOf(deal), deal.number), move(sellerOf(deal), -heldFor(deal)), move('h.fees', deal.fee)];
      }),

  check({ server, calls }: SimulatedEnd<Running>) {
    const [ads, deals] = [adsOf(server), dealsOf(server)];
    const problems = [...ads.flatMap((ad) => wrongsOf(ad, deals)), ...appealProblems(server, deals)];
    const open = new Map<number, number>();
    for (const { takerId } of deals.filter(isUnfinished)) open.set(takerId, (open.get(takerId) ?? 0) + 1);
    for (const { userId, deals: counted } of server.rows<TakerCount>(TAKER))
      if (counted !== (open.get(userId) ?? 0))
        problems.push(`I3 ${counted} deals are counted for ${userId}, ${open.get(userId) ?? 0} are under way`);
    const ids = new Set([...ads.map(({ id }) => String(id)), ...deals.map(({ id }) => id)]);
    for (const { fields, told } of calls) {
      if (fields['product'] !== 'deals') continue;
      const ok = told.flatMap((one) => (one.kind === 'ok' ? [one.id] : []));
      for (const id of ok) if (!ids.has(id)) problems.push(`I6 ${id} was told ok and is not there`);
      if (new Set(ok).size > 1) problems.push(`I6 ${ok.join(' and ')} are answers to one command id`);
      if (ok.length > 0 && told.some(({ kind }) => kind === 'refused'))
        problems.push(`I6 ${ok[0]} was told ok and refused under one command id`);
    }
    return problems;
  },

  figures: (server) => ({
    ads: adsOf(server).length,
    deals: dealsOf(server).length,
    'finished deals': dealsOf(server).filter(({ state }) => state === 'finished').length,
    'deals of shops': dealsOf(server).filter(({ kind }) => kind === 'shop').length,
    'expired deals': dealsOf(server).filter(({ cancelledBy }) => cancelledBy === 'deadline').length,
    appeals: appealsOf(server).length,
    'decided appeals': appealsOf(server).filter(({ state }) => state === 'buyer' || state === 'seller').length,
    'late appeals': dealsOf(server).filter(({ inAd }) => !inAd).length,
    'recorded appeals': appealsOf(server).filter(({ withEscrow }) => !withEscrow).length,
    'silent sellers': appealsOf(server).filter(({ openedBy }) => openedBy === 'system').length,
  }),
};
