import { Injectable } from '@nestjs/common';
import type { LeverPosition } from '@bourse/contract';
import { ledgerPartition, TOPICS, userEvent, userNotices, userNoticesOf } from '@bourse/events';
import { hazardRate } from '@bourse/formulas';
import { AskUnavailable, Log, Views } from '@bourse/messaging';
import { formatUnits, rescale, toUnits } from '@bourse/money';
import { isTransient, type Tx } from '@bourse/persistence';
import { accountOf, profitsOf, type Marks } from '../domain/account.js';
import { CLOSED_BY, STATUS, type ClosedBy, type Position } from '../domain/position.js';
import { accountKey } from '../domain/risk-book.js';
import { RATE_SCALE } from './draft.js';
import { groupBy } from './groups.js';
import { LeverMarkets } from './lever-markets.js';
import { Balances, PositionStore, type AccountName } from './ports.js';
import { closedNotice, openedNotice } from './position-notices.js';
import { liquidationOf, positionView } from './position-view.js';

/** Channel of private states that are sent and not kept (`PRIVATE_EVENTS`, lane of `lever_trade`). */
export const LIVE_CHANNEL = 'live/lever_trade';
const USDT = 'USDT';
const PROFITS_SCALE = 8;
/** States that come within this long of each other are told as one. */
const GATHER_MS = 40;

/** An account whose state is to be sent, with the ids of its pending orders that have changed. */
interface Waiting {
  readonly account: AccountName;
  readonly pending: readonly string[];
}

/** All of one person and quote, as lists and pushes show it. */
export interface Standing {
  readonly balance: bigint;
  readonly positions: readonly Position[];
  readonly marks: Marks;
}

/** Tells owners what becomes of their positions: states as views that nobody keeps, closes as numbered events. */
@Injectable()
export class PositionEvents {
  private readonly waiting = new Map<string, Waiting>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: Log,
    private readonly views: Views,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly balances: Balances,
  ) {}

  /** These are closed together: their owner takes them off the screen. One event for each reason. */
  closed(tx: Tx, positions: readonly Position[]): void {
    const reasons = new Map<Exclude<ClosedBy, 0>, Position[]>();
    for (const position of positions)
      if (position.closedBy !== CLOSED_BY.nobody)
        reasons.set(position.closedBy, [...(reasons.get(position.closedBy) ?? []), position]);
    for (const [closedType, [first, ...more]] of reasons) {
      if (!first) continue;
      const event = userEvent(first.userId, 'lever_closed', {
        type: 'lever_closed',
        ids: [first, ...more].map(({ id }) => id),
        legal_id: first.quote,
        closed_type: closedType,
      });
      tx.emit(TOPICS.userEvents, ledgerPartition(first.userId, this.log.partitionsOf(TOPICS.userEvents)), event);
    }
  }

  /**
   * Personal notices of what risk, stops and targets have closed, and of what has closed to cover that; what people
   * close themselves, cover included, they know.
   */
  closedByMarket(tx: Tx, positions: readonly Position[]): void {
    const own = new Set(positions.flatMap((one) => (one.closedBy === CLOSED_BY.user ? [one.settlement] : [])));
    const notices = positions.flatMap((position) => {
      if (own.has(position.settlement)) return [];
      const { scale } = this.markets.currency(position.quote);
      return closedNotice(position, this.markets.byPair(position.pairId), scale) ?? [];
    });
    for (const message of userNoticesOf(notices)) tx.emit(TOPICS.userNotices, 0, message);
  }
  /** The personal notice that a touch order has opened its position. */
  opened(tx: Tx, position: Position): void {
    const notice = openedNotice(position, this.markets.byPair(position.pairId));
    tx.emit(TOPICS.userNotices, 0, userNotices([notice]));
  }

  /**
   * Something has changed for them: once the transaction is committed, their state is sent. `pending`: ids of the
   * pending orders that are new or have changed, the only ones that are sent.
   */
  changed(tx: Tx, account: AccountName, pending: readonly string[] = []): void {
    tx.afterCommit(() => this.tell([account], pending));
  }

  /** Sends the states of accounts, a moment later and each once. */
  tell(accounts: Iterable<AccountName>, pending: readonly string[] = []): void {
    for (const account of accounts) {
      const key = accountKey(account);
      const before = this.waiting.get(key)?.pending ?? [];
      this.waiting.set(key, { account, pending: [...before, ...pending] });
    }
    if (this.waiting.size === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.tellAll();
    }, GATHER_MS).unref();
  }

  private async tellAll(): Promise<void> {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const [quote, people] of groupBy(waiting, ({ account }) => account.quote))
      await this.tellPeople(quote, people);
  }

  /**
   * What is not sent is sent with the next tick, but for pending orders: lists show those. Where somebody's rows cannot
   * be read, the others are sent.
   */
  private async tellPeople(quote: number, people: readonly Waiting[]): Promise<void> {
    try {
      for (const state of await this.statesOf(quote, people)) this.views.publish(LIVE_CHANNEL, state);
    } catch (error) {
      if (error instanceof AskUnavailable || isTransient(error) || people.length === 1) return;
      const middle = Math.ceil(people.length / 2);
      await this.tellPeople(quote, people.slice(0, middle));
      await this.tellPeople(quote, people.slice(middle));
    }
  }

  private async statesOf(quote: number, people: readonly Waiting[]) {
    const quotes = new Set([...this.markets.quotes(), quote]);
    const ids = people.map(({ account }) => account.userId);
    const [{ balances }, positions] = await Promise.all([
      this.balances.of(quote, ids),
      this.store.liveOf(ids.flatMap((userId) => [...quotes].map((each) => ({ userId, quote: each })))),
    ]);
    const { scale } = this.markets.currency(quote);
    const byUser = groupBy(positions, ({ userId }) => userId);
    return people.map(({ account: { userId }, pending }) => {
      const all = byUser.get(userId) ?? [];
      const marks = this.markets.marks(new Set(all.map(({ pairId }) => pairId)));
      const own = ofQuote(all, quote);
      const payload = {
        ...this.stateOf(quote, { balance: toUnits(balances[userId] ?? '0', scale), positions: own, marks }, pending),
        profits_all: this.worth([...quotes].map((each) => [each, openProfits(ofQuote(all, each), marks)])),
      };
      return { userId, payload };
    });
  }

  /** All open positions, since each price moves the liquidation prices of all; of the pending ones those named. */
  private stateOf(
    quote: number,
    { balance, positions, marks }: Standing,
    pending: readonly string[],
  ): Readonly<Record<string, unknown>> {
    const { scale } = this.markets.currency(quote);
    const account = accountOf(balance, positions, marks);
    const shown = (isShown: (position: Position) => boolean): LeverPosition[] =>
      positions
        .filter(isShown)
        .map((position) =>
          positionView(
            position,
            this.markets.byPair(position.pairId),
            marks,
            liquidationOf(position, account, positions, marks),
          ),
        );
    const profits = openProfits(positions, marks);
    return {
      type: 'lever_trade',
      legal_id: quote,
      trades_all: shown(({ status }) => status === STATUS.open),
      trades_entrust: shown(({ id, status }) => status === STATUS.pending && pending.includes(id)),
      hazard_rate: formatUnits(hazardRate(account), RATE_SCALE),
      profits: formatUnits(profits, scale),
    };
  }

  /** The USDT value of amounts in quotes, by the mark prices. */
  worth(amounts: Iterable<readonly [quote: number, units: bigint]>): string {
    let sum = 0n;
    for (const [quote, units] of amounts) {
      const { name, scale } = this.markets.currency(quote);
      if (name === USDT) sum += rescale(units, scale, PROFITS_SCALE, 'floor');
      else {
        const price = this.markets.priceIn(quote);
        if (price) sum += rescale(units * price.mark, scale + price.priceScale, PROFITS_SCALE, 'floor');
      }
    }
    return formatUnits(sum, PROFITS_SCALE);
  }
}

/** Profits of open positions. */
export const openProfits = (positions: readonly Position[], marks: Marks): bigint =>
  positions.reduce((sum, position) => (position.status === STATUS.open ? sum + profitsOf(position, marks) : sum), 0n);

const ofQuote = (positions: readonly Position[], quote: number): Position[] =>
  positions.filter((position) => position.quote === quote);
