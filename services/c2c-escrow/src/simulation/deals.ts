import { NO_OUT_STOPS } from '@bourse/contract';
import type { PartyFacts } from '@bourse/messaging';
import { FundGate, type OwnUploads } from '@bourse/messaging';
import type {
  SimulatedCall,
  SimulatedEnd,
  SimulatedHost,
  SimulatedMove,
  SimulatedTables,
  SimulatedPart,
} from '@bourse/ledger-client';
import { formatUnits, type Units } from '@bourse/money';
import { Timers } from '@bourse/persistence';
import { Notice, WrittenAmount, type CallContext, type Ids } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { AdLimits } from '../deals/application/ad-limits.js';
import { AdCommands } from '../deals/application/ad-commands.js';
import { C2C_CANCELS, C2C_MAX_ADS, C2C_MIN_VALUE, C2C_OPEN_DEALS } from '../deals/application/settings.js';
import { toC2cRules, DealOpening } from '../deals/application/deal-opening.js';
import { toShopRules } from '../shops/application/shop-ads.js';
import { DealCommands } from '../deals/application/deal-commands.js';
import { DealDeadlines } from '../deals/application/deadlines.js';
import { DealParties, type PartySnapshot } from '../deals/application/parties.js';
import { DealPushes, DealEvents } from '../deals/application/events.js';
import { DealViews } from '../deals/application/views.js';
import { Escrow } from '../deals/application/escrow.js';
import { surplusHold, type Ad, type AdType, type DealKind } from '../deals/domain/ad.js';
import {
  adHoldName,
  buyerOf,
  dealHoldAmount,
  dealHoldName,
  isUnfinished,
  sellerOf,
  type Deal,
} from '../deals/domain/deal.js';
import { findAppealProblems, AppealsRunning, listAppeals, QuickSellerTimeout } from './appeals.js';
import { AD, DEAL, SimulatedAds, SimulatedDeals, TAKER, type TakerCount } from './deal-stores.js';
import { DealWatch, findAdProblems } from './deal-watch.js';
import { FixedPrices } from './shop-stores.js';

const USDT = 3;
const SCALE = 8;
const FUND = 'fund66';
/** Deadlines of deals are within seconds. */
const LIMIT_MINUTES = 4 / 60;
/** Activity of the people in a run: interval between actions, open deals at once, deals in all. */
const PACE = { intervalMs: 150, openMax: 2, dealsMax: 30 };
const PEOPLE = { intervalMs: 10, openMax: 6, dealsMax: 200 };
const toPace = ({ crowd }: SimulatedHost): typeof PACE => (crowd === 'c2c-escrow' ? PEOPLE : PACE);

/** One ad in four is a shop's: its coins come from the merchant account and return to it. */
const toKind = (total: bigint): DealKind => (total % 4n === 0n ? 'shop' : 'c2c');
/** Shops of the people in a run; the shops product simulates their terms, here only their ads matter. */
const SIMULATED_SHOP = 100;

/** Parties without names, which no check of the simulator reads. */
class NamelessParties extends DealParties {
  readonly prefix = '{';
  findUsers<const Users extends readonly number[]>(...userIds: Users): Promise<{ [K in keyof Users]: PartyFacts }> {
    const facts = userIds.map((userId): PartyFacts => ({
      ...{ userId, name: '***', accountNumber: String(userId), realName: '', phone: '', lang: 'en', payment: null },
    }));
    return Promise.resolve(facts as { [K in keyof Users]: PartyFacts });
  }
  seal(_dealId: string, facts: PartySnapshot): string {
    return JSON.stringify(facts);
  }
  open(_dealId: string, sealed: string): PartySnapshot {
    return JSON.parse(sealed) as PartySnapshot;
  }
}

/** The use cases of a process, and the actions of people beside the calls of the run. */
class DealsRunning {
  readonly people = new Set<number>();

  constructor(
    private readonly host: SimulatedHost,
    private readonly ads: SimulatedAds,
    private readonly deals: SimulatedDeals,
    private readonly adCommands: AdCommands,
    private readonly opening: DealOpening,
    private readonly commands: DealCommands,
    private readonly appeals: AppealsRunning,
  ) {
    setInterval(() => void this.act().catch(() => undefined), toPace(host).intervalMs);
  }

  publish(userId: number, type: AdType, total: bigint, context: CallContext): Promise<Notice> {
    this.people.add(userId);
    const ownedBy =
      toKind(total) === 'shop'
        ? ({ kind: 'shop', ownerAccount: 'merchant', shopId: SIMULATED_SHOP, level: 'verified' } as const)
        : ({ kind: 'c2c', ownerAccount: 'legal', shopId: null, level: '' } as const);
    return this.adCommands.publish(userId, context, () =>
      Promise.resolve({
        ...{ ...ownedBy, type, currencyId: USDT, currencyName: 'USDT' },
        ...{ scale: SCALE, coinCode: 'CNY', fiatScale: 2, price: 650n, way: 'bank', total, min: 0n, max: total },
        limitMinutes: LIMIT_MINUTES,
      }),
    );
  }
  /** Takes a part of an ad on the shelf, or its surplus. */
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
      return this.opening.takeAd(userId, ad.id, FUND, toShopRules({ number: written }), context);
    }
    const written = new WrittenAmount(number === '' ? undefined : number, 'number', {});
    return this.opening.takeAd(userId, ad?.id ?? 1, FUND, toC2cRules(written), context);
  }

  /** A random action of a random person; not always an allowed one. */
  private async act(): Promise<void> {
    const { random, clock } = this.host;
    const context = {
      ...{ commandId: null, hasKey: false, bodyHash: null, lang: 'en', validUntil: clock.real() + 4_000 },
      outStops: NO_OUT_STOPS,
    } as CallContext;
    const { rows, total } = await this.deals.list({});
    const people = [...this.people];
    if (people.length > 0 && total < toPace(this.host).dealsMax && random.chance(0.4)) {
      await this.take(random.pick(people), random.next(), context);
      return;
    }
    if (random.chance(0.05)) {
      const { rows: ads } = await this.ads.list({ states: ['shelf'] });
      const ad = ads[random.int(Math.max(1, ads.length))];
      if (ad) await this.adCommands.withdraw(ad.ownerId, ad.id, FUND, context, { kind: ad.kind });
      return;
    }
    if (random.chance(0.1)) {
      await this.appeals.decide(context);
      return;
    }
    // Including cancelled deals: their buyers may appeal.
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
    if (die < 0.35) await this.commands.pay(by(userId), undefined, context);
    else if (die < 0.5) await this.commands.cancel(by(userId), context);
    else if (die < 0.9) await this.commands.confirm(by(other), deal.type, context);
  }

  /** An operator removes an ad, whatever deals are under way on it. */
  async remove(lot: number): Promise<void> {
    const { rows } = await this.ads.list({ states: ['shelf'] });
    const ad = rows[Math.floor(lot * rows.length)];
    if (ad) await this.host.database.transaction((tx) => this.adCommands.withdrawByOperator(tx, ad.id));
  }
}

function start(host: SimulatedHost): DealsRunning {
  const { database, sagas, log, reference, clock, config, random } = host;
  const ids: Ids = { next: () => String(1 + random.int(2 ** 47)) };
  const settings = new FixedSettings();
  settings.set(C2C_OPEN_DEALS, toPace(host).openMax);
  settings.set(C2C_CANCELS, 1_000);
  settings.set(C2C_MIN_VALUE, 0n as Units);
  settings.set(C2C_MAX_ADS, 1_000);
  const [ads, deals, parties] = [new SimulatedAds(database), new SimulatedDeals(database), new NamelessParties()];
  const escrow = new Escrow(sagas, config);
  const views = new DealViews(parties, clock, config);
  const timers = new Timers(database, clock);
  const sellerTimeout = new QuickSellerTimeout(timers);
  const pushes = new DealPushes(log, views);
  const dealEvents = new DealEvents(pushes, undefined, sellerTimeout);
  const fund = new FundGate(() => Promise.resolve({ ok: true }));
  const limits = new AdLimits(settings, new FixedPrices());
  const adCommands = new AdCommands(
    sagas,
    ads,
    deals,
    escrow,
    sagas.commands,
    parties,
    fund,
    reference,
    limits,
    settings,
    clock,
  );
  const opening = new DealOpening(
    ...([
      sagas,
      ads,
      deals,
      adCommands,
      sagas.commands,
      parties,
      fund,
      dealEvents,
      views,
      settings,
      timers,
      clock,
      ids,
    ] as const),
  );
  const uploads = { own: () => Promise.resolve(null) } as unknown as OwnUploads;
  const commands = new DealCommands(ads, deals, escrow, sagas.commands, fund, uploads, dealEvents, views, clock);
  new DealDeadlines(timers, ads, deals, escrow, dealEvents, clock);
  const appeals = new AppealsRunning(host, {
    ...{ ads, deals, commands, escrow, pushes, sellerTimeout, timers, settings, ids },
  });
  timers.start();
  const running = new DealsRunning(host, ads, deals, adCommands, opening, commands, appeals);
  setInterval(() => {
    if (random.chance(0.1)) void running.remove(random.next()).catch(() => undefined);
  }, PACE.intervalMs * 7);
  return running;
}

/** The notice with the deal's id, as the clients of a run read it. */
const withId = ({ key, extra }: Notice): Notice => new Notice(key, { id: String(extra['id']) });
const listAds = (server: SimulatedTables): readonly Ad[] => server.rows<Ad>(AD);
const listDeals = (server: SimulatedTables): readonly Deal[] => server.rows<Deal>(DEAL);

/** Ads are published, taken and withdrawn; deals are paid, cancelled, confirmed, and left to their deadline. */
export const DEALS: SimulatedPart<DealsRunning> = {
  name: 'deals',
  start,

  draw(random, user): SimulatedCall<DealsRunning> {
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
    listAds(server).every(({ state }) => state !== 'waiting') &&
    listDeals(server).every(({ state }) => state !== 'waiting' && state !== 'unpaid') &&
    listAppeals(server).every(({ state }) => state !== 'waiting'),

  holds(server) {
    const holds = new Map<string, bigint>();
    const add = (hold: string, units: bigint): void => {
      if (units > 0n) holds.set(hold, (holds.get(hold) ?? 0n) + units);
    };
    for (const ad of listAds(server))
      if (ad.type === 'sell' && ad.state === 'shelf') add(adHoldName(ad.id), surplusHold(ad));
    for (const deal of listDeals(server))
      if (deal.state === 'unpaid' || deal.state === 'paid') add(dealHoldName(deal), dealHoldAmount(deal));
    return holds;
  },

  moves: ({ server }) =>
    listDeals(server)
      .filter(({ state }) => state === 'finished')
      .flatMap((deal): SimulatedMove[] => {
        const move = (whose: number | string, units: bigint): SimulatedMove => ({ whose, currency: USDT, units });
        return [
          move(buyerOf(deal), deal.number),
          move(sellerOf(deal), -dealHoldAmount(deal)),
          move('h.fees', deal.fee),
        ];
      }),

  check({ server, calls }: SimulatedEnd<DealsRunning>) {
    const [ads, deals] = [listAds(server), listDeals(server)];
    const problems = [...ads.flatMap((ad) => findAdProblems(ad, deals)), ...findAppealProblems(server, deals)];
    const open = new Map<number, number>();
    for (const { takerId } of deals.filter(isUnfinished)) open.set(takerId, (open.get(takerId) ?? 0) + 1);
    for (const { userId, deals: counted } of server.rows<TakerCount>(TAKER))
      if (counted !== (open.get(userId) ?? 0))
        problems.push(`I3 ${counted} deals are counted for ${userId}, ${open.get(userId) ?? 0} are under way`);
    const ids = new Set([...ads.map(({ id }) => String(id)), ...deals.map(({ id }) => id)]);
    for (const { fields, told } of calls) {
      if (fields['product'] !== 'deals') continue;
      const ok = told.flatMap((one) => (one.kind === 'ok' ? [one.id] : []));
      for (const id of ok) if (!ids.has(id)) problems.push(`I6 ${id} was answered ok and does not exist`);
      if (new Set(ok).size > 1) problems.push(`I6 ${ok.join(' and ')} are answers to one command id`);
      if (ok.length > 0 && told.some(({ kind }) => kind === 'refused'))
        problems.push(`I6 ${ok[0]} was answered ok and refused under one command id`);
    }
    return problems;
  },

  figures: (server) => ({
    ads: listAds(server).length,
    deals: listDeals(server).length,
    'finished deals': listDeals(server).filter(({ state }) => state === 'finished').length,
    'deals of shops': listDeals(server).filter(({ kind }) => kind === 'shop').length,
    'expired deals': listDeals(server).filter(({ cancelledBy }) => cancelledBy === 'deadline').length,
    appeals: listAppeals(server).length,
    'decided appeals': listAppeals(server).filter(({ state }) => state === 'buyer' || state === 'seller').length,
    'late appeals': listDeals(server).filter(({ inAd }) => !inAd).length,
    'recorded appeals': listAppeals(server).filter(({ withEscrow }) => !withEscrow).length,
    'silent sellers': listAppeals(server).filter(({ openedBy }) => openedBy === 'system').length,
  }),
};
