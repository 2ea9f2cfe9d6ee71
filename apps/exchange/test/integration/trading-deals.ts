/*
 * Fiat deals of the two traders of `TradingLog`: each has a sell and a buy ad, of which the other takes parts; both
 * take parts of the demo shop's ads, and deposit with the demo acceptor. The course of a deal depends on its id.
 */
import type { Body } from './trading-log.js';
import type { Fields, Random } from './trading-kinds.js';

const USDT = '3';
const FUND = 'fund66';
/** More than all deals of a run take. */
const AD_NUMBER = '2000';
const REASON = 'a run of faults';
/** Within this time after a start the demo has its shop and its acceptor, on a machine with other work. */
const SEEDED_MS_MAX = 120_000;
const DEAL_PATH = '/api/c2c/do_legal_deal';
const SHOP_PATH = '/api/legal/do_deal';

export type Attempt = (method: string, path: string, fields: Fields, token: string) => Promise<Body | null>;
/** Other users whom the traders need. */
export interface Helpers {
  /** Sessions of the demo shop's owner, the demo acceptor, and a finance operator. */
  readonly seller: string;
  readonly acceptor: string;
  readonly finance: string;
  /** Admins for changes of settings: one asks, two others approve, so that the change is in force at once. */
  readonly admins: readonly [string, string, string];
}
interface ListedDeal {
  readonly id: string;
  readonly kind: 'c2c' | 'shop';
  readonly type: 'buy' | 'sell';
  readonly is_sure: number;
  readonly appeal: number;
}
interface ListedDeposit {
  readonly id: string;
  readonly is_sure: number;
}
/** The way of a deal to its end: straight, with talk, given up, or through an appeal that is taken back or decided. */
type Course = 'pay' | 'talk' | 'cancel' | 'appeal' | 'decide';
const COURSES: readonly Course[] = ['pay', 'talk', 'cancel', 'appeal', 'decide'];
/** `is_sure` of ended deals. */
const [FINISHED, CANCELLED] = [1, 2];

/** The answer about the end of a deal or a deposit, which must not change. */
export interface DealEnd {
  readonly path: '/api/c2c_deal' | '/api/acceptor/my_deal';
  readonly id: string;
  readonly token: string;
  readonly isSure: number;
}

/** The ads, and the course of the deals on them. */
export class TradingDeals {
  /** Ads of each trader: one from which the other buys, and one to which the other sells. */
  private readonly ads = new Map<string, readonly [sell: string, buy: string]>();
  private shopAd = '';
  private acceptorId = '';
  readonly ends: DealEnd[] = [];

  constructor(
    private readonly attempt: Attempt,
    private readonly tokens: readonly [string, string],
    private readonly helpers: Helpers,
  ) {}

  /** Publishes the ads of each trader, before anything breaks. @throws when one is refused. */
  async publish(): Promise<void> {
    // A buyer with three cancels is blocked for the day; a run has more than one fault.
    const cancels = { key: 'c2c_cancels_a_day', value: '1000', reason: REASON };
    const [asking, ...approving] = this.helpers.admins;
    const { approval_id: id } = await this.must('POST', '/api/admin/settings/save', cancels, asking);
    // Without one it was in force already.
    if (id !== undefined)
      for (const token of approving)
        await this.must('POST', '/api/admin/approvals/approve', { id: String(id), reason: REASON }, token);
    for (const token of this.tokens) {
      const common = { total_number: AD_NUMBER, way: 'bank', coin_code: 'CNY', currency_id: USDT, password: FUND };
      const sell = await this.must('POST', '/api/c2c_send', { ...common, price: '6.50', type: 'sell' }, token);
      const buy = await this.must('POST', '/api/c2c_send', { ...common, price: '6.40', type: 'buy' }, token);
      this.ads.set(token, [String(sell.id), String(buy.id)]);
    }
    // The people of the demo make them when all services are there, a moment after the exchange is ready.
    for (const until = Date.now() + SEEDED_MS_MAX; this.shopAd === '' || this.acceptorId === '';) {
      if (Date.now() > until) throw new Error('the demo install has no shop, or no acceptor');
      const shops = await this.must('GET', '/api/legal/ads', { type: 'sell', currency_id: USDT }, this.tokens[0]);
      this.shopAd = String((shops.message as { data: readonly { id: number }[] }).data[0]?.id ?? '');
      const acceptors = await this.must('GET', '/api/acceptor/list', {}, this.tokens[0]);
      this.acceptorId = String((acceptors.message as readonly { id: number }[])[0]?.id ?? '');
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  /** Takes a few coins of one of the other trader's ads, or of the shop's. */
  deal(random: Random, token: string): { readonly path: string; readonly fields: Fields } {
    const [sell = '', buy = ''] = this.ads.get(this.other(token)) ?? [];
    const drawn = random(4);
    const id = drawn === 0 ? this.shopAd : drawn === 1 ? buy : sell;
    const number = drawn === 0 ? '10.5' : `${1 + random(3)}.5`;
    return { path: drawn === 0 ? SHOP_PATH : DEAL_PATH, fields: { id, number, password: FUND } };
  }
  /** Pays a little in with the acceptor. */
  deposit(random: Random): Fields {
    const person = { mobile: '+1 5550100', deal_account: '4000 1234 5678' };
    return { acceptor_id: this.acceptorId, type: 'buy', way: 'bank', money: `${1 + random(9)}.25`, ...person };
  }

  /** Continues the deals that this trader has taken, on both sides. */
  async continueDeals(token: string): Promise<void> {
    for (const deal of await this.unfinished(token)) await this.step(deal, token);
    for (const { id } of await this.openDeposits(token)) await this.endDeposit(id, token);
  }

  private async step({ id, kind, type, is_sure: state, appeal }: ListedDeal, token: string): Promise<void> {
    const owner = kind === 'shop' ? this.helpers.seller : this.other(token);
    const [buyer, seller] = type === 'sell' ? [token, owner] : [owner, token];
    const course = COURSES[Number(BigInt(id) % BigInt(COURSES.length))]!;
    if (state === 0) {
      if (course === 'cancel') return this.end(id, token, CANCELLED, '/api/c2c/user_legal_pay_cancel', buyer);
      if (course === 'talk')
        for (const one of [buyer, seller])
          await this.attempt('POST', '/api/c2c/chat', { id, text: `of deal ${id} <b>to pay</b>` }, one);
      await this.attempt('POST', '/api/c2c/user_legal_pay', { id, password: FUND }, buyer);
    }
    if (course === 'appeal' || course === 'decide') {
      // Taken back once, it is left to the seller: there is one appeal on a deal that goes straight afterwards.
      const file =
        appeal === 0
          ? await this.attempt('POST', '/api/c2c/appeal', { id, reason: `${REASON}: nothing came` }, buyer)
          : null;
      if (course === 'decide') return this.decide(id, token, file, buyer);
      await this.attempt('POST', '/api/c2c/appeal_cancel', { id }, buyer);
    }
    const path = type === 'sell' ? '/api/c2c/legal_deal_sure' : '/api/c2c/legal_deal_user_sure';
    await this.end(id, token, FINISHED, path, seller);
  }

  /** Finance decides for the seller: the coins go back. */
  private async decide(id: string, token: string, opened: Body | null, buyer: string): Promise<void> {
    const file = opened?.type === 'ok' ? opened : await this.attempt('GET', '/api/c2c/appeal', { id }, buyer);
    const found = file?.type === 'ok' ? ((file.appeal ?? file.message) as { readonly id?: string }).id : undefined;
    if (found === undefined) return;
    const fields = { id: found, outcome: 'seller', reason: REASON };
    const answer = await this.attempt('POST', '/api/admin/appeals/decide', fields, this.helpers.finance);
    if (answer?.type === 'ok') this.ends.push({ path: '/api/c2c_deal', id, token, isSure: CANCELLED });
  }
  private async end(id: string, token: string, isSure: number, path: string, by: string): Promise<void> {
    const answer = await this.attempt('POST', path, { id, password: FUND }, by);
    if (answer?.type === 'ok') this.ends.push({ path: '/api/c2c_deal', id, token, isSure });
  }

  /** Half of the deposits are confirmed by the acceptor, the others taken back. */
  private async endDeposit(id: string, token: string): Promise<void> {
    const isConfirmed = BigInt(id) % 2n === 0n;
    const answer = isConfirmed
      ? await this.attempt('POST', '/api/acceptor/confirm', { id, password: FUND }, this.helpers.acceptor)
      : await this.attempt('POST', '/api/acceptor/user_cancel', { id }, token);
    const isSure = isConfirmed ? FINISHED : CANCELLED;
    if (answer?.type === 'ok') this.ends.push({ path: '/api/acceptor/my_deal', id, token, isSure });
  }

  /** Brings every deal to its end and takes the ads off, so that the next run finds the money free. */
  async finish(): Promise<void> {
    const deadline = Date.now() + 30_000;
    for (const token of this.tokens)
      while ((await this.isBusy(token)) && Date.now() < deadline) await this.continueDeals(token);
    for (const [token, ids] of this.ads)
      for (const id of ids) {
        let answer: Body | null = null;
        while (answer?.type !== 'ok' && Date.now() < deadline)
          answer = await this.attempt('POST', '/api/c2c/back_send', { id, password: FUND }, token);
        if (answer?.type !== 'ok') throw new Error(`the ad ${id} could not be taken off: ${answer?.key}`);
      }
    this.ads.clear();
  }

  private async isBusy(token: string): Promise<boolean> {
    return (await this.unfinished(token)).length > 0 || (await this.openDeposits(token)).length > 0;
  }
  private async unfinished(token: string): Promise<readonly ListedDeal[]> {
    const rows = await this.listed<ListedDeal>('/api/c2c_user_deal', {}, token);
    return rows.filter(({ is_sure: state }) => state === 0 || state === 3);
  }
  private async openDeposits(token: string): Promise<readonly ListedDeposit[]> {
    const rows = await this.listed<ListedDeposit>('/api/acceptor/my_deal', { type: 'buy' }, token);
    return rows.filter(({ is_sure: state }) => state === 0);
  }
  private async listed<T>(path: string, fields: Fields, token: string): Promise<readonly T[]> {
    const answer = await this.attempt('GET', path, { page: '1', ...fields }, token);
    return answer?.type === 'ok' ? (answer.message as { data: readonly T[] }).data : [];
  }

  private async must(method: string, path: string, fields: Fields, token: string): Promise<Body> {
    const answer = await this.attempt(method, path, fields, token);
    if (answer?.type !== 'ok') throw new Error(`${path}: ${answer?.key}`);
    return answer;
  }

  private other(token: string): string {
    return token === this.tokens[0] ? this.tokens[1] : this.tokens[0];
  }
}
