import { Injectable } from '@nestjs/common';
import type { LeverPosition } from '@bourse/contract';
import { ledgerPartition, TOPICS, userEvent, userNotices, userNoticesOf } from '@bourse/events';
import { marginRatio } from '@bourse/formulas';
import { AskUnavailable, Log, Views } from '@bourse/messaging';
import { formatUnits, rescale, toUnits } from '@bourse/money';
import { isTransient, type Tx } from '@bourse/persistence';
import { accountOf, profitsOf, type Marks } from '../domain/account.js';
import { CLOSED_BY, STATUS, type Position } from '../domain/position.js';
import { accountKey } from '../domain/risk-book.js';
import { RATE_SCALE } from './draft.js';
import { groupBy } from './groups.js';
import { LeverMarkets } from './lever-markets.js';
import { Balances, PositionStore, type AccountName } from './ports.js';
import { closedNotice, openedNotice } from './position-notices.js';
import { liquidationOf, positionView } from './position-view.js';

/** Channel of private states, which are sent and not stored (`PRIVATE_EVENTS`, lane of `lever_trade`). */
const LIVE_CHANNEL = 'live/lever_trade';
const USDT = 'USDT';
const PROFITS_SCALE = 8;
/** Changes of an account within this time are published as one state. */
const COALESCE_MS = 40;

/** An account whose state is to be published, with the ids of its changed trigger orders. */
interface Waiting {
  readonly account: AccountName;
  readonly pending: readonly string[];
}

/** Balance and positions of one user and quote, with their marks. */
interface PricedAccount {
  readonly balance: bigint;
  readonly positions: readonly Position[];
  readonly marks: Marks;
}

/** Publishes positions to their owners: states as views, which are not stored, and closes as numbered events. */
@Injectable()
export class PositionEvents {
  private readonly waiting = new Map<string, Waiting>();
  private publishing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: Log,
    private readonly views: Views,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly balances: Balances,
  ) {}

  /** Publishes the close of positions that closed together: one event per reason. */
  publishClosed(tx: Tx, positions: readonly Position[]): void {
    for (const [closedType, [first, ...more]] of groupBy(positions, ({ closedBy }) => closedBy)) {
      if (!first || closedType === CLOSED_BY.none) continue;
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
   * Sends personal notices of positions that liquidation, a stop or a target has closed, and of those that closed to
   * cover them. A close by the owner, its cover included, sends none.
   */
  notifyClosed(tx: Tx, positions: readonly Position[]): void {
    const own = new Set(positions.flatMap((one) => (one.closedBy === CLOSED_BY.user ? [one.settlement] : [])));
    const notices = positions.flatMap((position) => {
      if (own.has(position.settlement)) return [];
      const { scale } = this.markets.currency(position.quote);
      return closedNotice(position, this.markets.byPair(position.pairId), scale) ?? [];
    });
    for (const message of userNoticesOf(notices)) tx.emit(TOPICS.userNotices, 0, message);
  }
  /** Sends the personal notice that a trigger order has opened its position. */
  notifyOpened(tx: Tx, position: Position): void {
    const notice = openedNotice(position, this.markets.byPair(position.pairId));
    tx.emit(TOPICS.userNotices, 0, userNotices([notice]));
  }

  /**
   * Publishes the state of an account once the transaction is committed.
   * @param pending ids of the trigger orders that are new or changed: only these are in the state
   */
  publishAfterCommit(tx: Tx, account: AccountName, pending: readonly string[] = []): void {
    tx.afterCommit(() => this.publishSoon([account], pending));
  }

  /** Publishes the states of accounts after `COALESCE_MS`, each once. */
  publishSoon(accounts: Iterable<AccountName>, pending: readonly string[] = []): void {
    for (const account of accounts) {
      const key = accountKey(account);
      const before = this.waiting.get(key)?.pending ?? [];
      this.waiting.set(key, { account, pending: [...before, ...pending] });
    }
    if (this.waiting.size === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      // One at a time: states that were read earlier must not be published later.
      this.publishing = this.publishing.then(() => this.publishWaiting()).catch(() => undefined);
    }, COALESCE_MS).unref();
  }

  private async publishWaiting(): Promise<void> {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const [quote, accounts] of groupBy(waiting, ({ account }) => account.quote))
      await this.publishStates(quote, accounts);
  }

  /**
   * Publishes the states of one quote. If an account cannot be read the others are published, found by halving. A state
   * that is not published follows on the next tick, except for trigger orders, which the lists show.
   */
  private async publishStates(quote: number, accounts: readonly Waiting[]): Promise<void> {
    try {
      for (const state of await this.statesOf(quote, accounts)) this.views.publish(LIVE_CHANNEL, state);
    } catch (error) {
      if (error instanceof AskUnavailable || isTransient(error) || accounts.length === 1) return;
      const middle = Math.ceil(accounts.length / 2);
      await this.publishStates(quote, accounts.slice(0, middle));
      await this.publishStates(quote, accounts.slice(middle));
    }
  }

  private async statesOf(quote: number, accounts: readonly Waiting[]) {
    const quotes = new Set([...this.markets.quotes(), quote]);
    const ids = accounts.map(({ account }) => account.userId);
    const [{ balances }, positions] = await Promise.all([
      this.balances.of(quote, ids),
      this.store.liveOf(ids.flatMap((userId) => [...quotes].map((each) => ({ userId, quote: each })))),
    ]);
    const { scale } = this.markets.currency(quote);
    const byUser = groupBy(positions, ({ userId }) => userId);
    return accounts.map(({ account: { userId }, pending }) => {
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

  /** All open positions, since each price changes all liquidation prices, and the named trigger orders. */
  private stateOf(
    quote: number,
    { balance, positions, marks }: PricedAccount,
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
      hazard_rate: formatUnits(marginRatio(account), RATE_SCALE),
      profits: formatUnits(profits, scale),
    };
  }

  /** USDT value of amounts in quotes, at the mark prices. */
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

/** Sum of the profits of the open positions. */
export const openProfits = (positions: readonly Position[], marks: Marks): bigint =>
  positions.reduce((sum, position) => (position.status === STATUS.open ? sum + profitsOf(position, marks) : sum), 0n);

const ofQuote = (positions: readonly Position[], quote: number): Position[] =>
  positions.filter((position) => position.quote === quote);
