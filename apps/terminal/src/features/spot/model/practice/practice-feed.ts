import { bookChecksum, PERIODS, type BookAnswer, type Channel, type Level, type Period } from '@bourse/contract';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { BUY } from '@bourse/matching';
import type { LiveSubscription, Subscription, SubscriptionHandlers } from '@bourse/realtime';
import type { PracticeMarket } from './practice-market.js';
import type { Print } from './prints.js';

/** The pushes of one channel at a time, without their types: the panel that subscribed knows them. */
type Handlers = SubscriptionHandlers<never>;
type Push = Record<string, unknown>;
/** Newest prints that a panel is given at once: more are not seen. */
const TAPE = 60;

/** A replayed market in the form of the live feed: the panels of a market subscribe to it as to the exchange. */
export class PracticeFeed {
  readonly status = 'live' as const;
  private readonly entries = new Set<{ readonly what: Subscription; readonly handlers: Handlers }>();
  private sequence = 0;
  private told: number;

  constructor(private readonly practice: PracticeMarket) {
    this.told = practice.printed;
  }

  /** A replay is never late. */
  readonly ageOf = (): number => 0;

  readonly subscribe = <C extends Channel>(
    what: Subscription & { channel: C },
    handlers: SubscriptionHandlers<never>,
  ): LiveSubscription => {
    const entry = { what, handlers };
    this.entries.add(entry);
    return { close: () => this.entries.delete(entry), again: () => handlers.reset?.(), confirm: () => undefined };
  };

  /** Tells the panels what has happened since the last time. @param barOf the present bar of an interval */
  publish(barOf: (period: Period) => Push | undefined): void {
    this.sequence += 1;
    const { prints } = this.practice.day;
    const from = Math.max(this.told, this.practice.printed - TAPE);
    const news = prints.slice(from, this.practice.printed).map((print, index) => this.tradeOf(print, from + index));
    this.told = this.practice.printed;
    this.send('depth', () => this.depth());
    for (const push of news) this.send('trades', () => push);
    for (const period of PERIODS)
      this.send(
        'kline',
        () => {
          const bar = barOf(period);
          return bar && { ...this.head, ...bar, period, final: 0 };
        },
        period,
      );
  }

  /** The book and the newest trades, as the call for them answers. */
  book(): BookAnswer {
    const { market, printed, day } = this.practice;
    const { bids, asks } = this.levels();
    const from = Math.max(0, printed - TAPE);
    return {
      ...this.head,
      ...this.prices,
      in: bids,
      out: asks,
      complete: day.prints
        .slice(from, printed)
        .map((print, index) => {
          const { amount: number, ts, ...trade } = this.tradeOf(print, from + index);
          return { ...trade, ts, number, create_time: '' };
        })
        .reverse(),
      user_cny: formatUnits(0n, market.quoteScale),
      user_currency: formatUnits(0n, market.baseScale),
      checksum: checksumOf(bids, asks),
    };
  }

  private get head() {
    const { market, now } = this.practice;
    const { symbol, quoteId: legal_id, baseId: currency_id } = market;
    return { symbol, legal_id, currency_id, ts: now, seq: this.sequence, prev_seq: this.sequence - 1 };
  }

  private get prices() {
    const last_price = this.price(this.practice.last);
    return { last_price, proportion: '0', yesterday: '0', today: '0' };
  }

  private depth(): Push {
    const { bids, asks } = this.levels();
    return { ...this.head, ...this.prices, kind: 'full', bids, asks, checksum: checksumOf(bids, asks) };
  }

  private levels(): { readonly bids: Level[]; readonly asks: Level[] } {
    const { market } = this.practice;
    const { bids, asks } = this.practice.offered();
    const level = ([price, lots]: readonly [number, number]): Level => ({
      price: this.price(price),
      number: formatTrimmed(BigInt(lots), market.numberScale),
    });
    return { bids: bids.map(level), asks: asks.map(level) };
  }

  private tradeOf({ at, price, lots, side }: Print, index: number) {
    return {
      ...this.head,
      id: String(index),
      ts: at,
      price: this.price(price),
      amount: formatTrimmed(BigInt(lots), this.practice.market.numberScale),
      direction: side === BUY ? ('buy' as const) : ('sell' as const),
      house: 0 as const,
    };
  }

  private price(ticks: number): string {
    return formatTrimmed(BigInt(ticks), this.practice.market.priceScale);
  }

  private send(channel: Channel, push: () => Push | undefined, interval?: Period): void {
    const takers = [...this.entries].filter(({ what }) => what.channel === channel && what.interval === interval);
    const sent = takers.length > 0 ? push() : undefined;
    if (sent) for (const { handlers } of takers) handlers.event(sent as never);
  }
}

const checksumOf = (bids: readonly Level[], asks: readonly Level[]): number =>
  bookChecksum(
    bids.map(({ price, number }) => [price, number] as const),
    asks.map(({ price, number }) => [price, number] as const),
  );
