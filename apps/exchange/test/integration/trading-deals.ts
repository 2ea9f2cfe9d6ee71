/* C2C deals between the two traders of `TradingLog`: each has a sell ad, of which the other takes parts. */
import type { Body } from './trading-log.js';
import type { Fields } from './trading-kinds.js';

const USDT = '3';
const FUND = 'fund66';
/** More than all deals of a run take. */
const AD_NUMBER = '2000';

export type Attempt = (method: string, path: string, fields: Fields, token: string) => Promise<Body | null>;
interface ListedDeal {
  readonly id: string;
  readonly is_sure: number;
}

/** The ads, and what becomes of the deals on them. */
export class TradingDeals {
  /** Ad of each trader. */
  private readonly ads = new Map<string, string>();
  /** Deals whose release was answered. */
  readonly released = new Set<string>();

  constructor(
    private readonly attempt: Attempt,
    private readonly tokens: readonly [string, string],
  ) {}

  /** Publishes an ad for each trader, before anything breaks. @throws when one is refused. */
  async publish(): Promise<void> {
    for (const token of this.tokens) {
      const answer = await this.attempt(
        'POST',
        '/api/c2c_send',
        {
          total_number: AD_NUMBER,
          price: '6.50',
          way: 'bank',
          coin_code: 'CNY',
          currency_id: USDT,
          type: 'sell',
          password: FUND,
        },
        token,
      );
      if (answer?.type !== 'ok' || answer.id === undefined) throw new Error(`an ad: ${answer?.key}`);
      this.ads.set(token, String(answer.id));
    }
  }

  /** Takes a few coins from the other trader's ad. */
  fields(random: (below: number) => number, token: string): Fields {
    return { id: this.ads.get(this.other(token)) ?? '', number: `${1 + random(3)}.5`, password: FUND };
  }

  /** Pays what this trader has taken, and lets the other release what is paid. */
  async goOn(token: string): Promise<void> {
    for (const { id, is_sure: state } of await this.unfinished(token)) {
      if (state === 0) await this.attempt('POST', '/api/c2c/user_legal_pay', { id, password: FUND }, token);
      const release = await this.attempt('POST', '/api/c2c/legal_deal_sure', { id, password: FUND }, this.other(token));
      if (release?.type === 'ok') this.released.add(id);
    }
  }

  /** Brings every deal to its end and takes the ads off, so that the next run finds the money free. */
  async finish(): Promise<void> {
    const deadline = Date.now() + 30_000;
    for (const token of this.tokens)
      while ((await this.unfinished(token)).length > 0 && Date.now() < deadline) await this.goOn(token);
    for (const [token, id] of this.ads) {
      let answer: Body | null = null;
      while (answer?.type !== 'ok' && Date.now() < deadline)
        answer = await this.attempt('POST', '/api/c2c/back_send', { id, password: FUND }, token);
      if (answer?.type !== 'ok') throw new Error(`the ad ${id} could not be taken off: ${answer?.key}`);
    }
    this.ads.clear();
  }

  private async unfinished(token: string): Promise<readonly ListedDeal[]> {
    const answer = await this.attempt('GET', '/api/c2c_user_deal', { page: '1' }, token);
    if (answer?.type !== 'ok') return [];
    const { data } = answer.message as { data: readonly ListedDeal[] };
    return data.filter(({ is_sure: state }) => state === 0 || state === 3);
  }

  private other(token: string): string {
    return token === this.tokens[0] ? this.tokens[1] : this.tokens[0];
  }
}
