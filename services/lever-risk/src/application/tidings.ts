import { Injectable } from '@nestjs/common';
import type { LeverPosition } from '@bourse/contract';
import { ledgerPartition, TOPICS, userEvent, userNotices, userNoticesOf } from '@bourse/events';
import { hazardRate } from '@bourse/formulas';
import { AskUnavailable, Log, Views } from '@bourse/messaging';
import { formatUnits, rescale, toUnits } from '@bourse/money';
import { isTransient, type Tx } from '@bourse/persistence';
import { accountOf, profitsOf, type Marks } from '../domain/account.js';
import { CLOSED_BY, STATUS, type ClosedBy, type Position } from '../domain/position.js';
import { RATE_SCALE } from './draft.js';
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

/** All of one person and quote, as lists and pushes show it. */
export interface Standing {
  readonly balance: bigint;
  readonly positions: readonly Position[];
  readonly marks: Marks;
}

/** Tells owners what becomes of their positions: states as views that nobody keeps, closes as numbered events. */
@Injectable()
export class Tidings {
  private readonly waiting = new Map<string, AccountName>();
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

  /** Something has changed for them: once the transaction stands, their state is told. */
  changed(tx: Tx, account: AccountName): void {
    tx.afterCommit(() => this.tell([account]));
  }

  /** Tells the states of accounts, a moment later and each once. */
  tell(accounts: Iterable<AccountName>): void {
    for (const account of accounts) this.waiting.set(`${account.userId}/${account.quote}`, account);
    if (this.waiting.size === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.tellAll();
    }, GATHER_MS).unref();
  }

  private async tellAll(): Promise<void> {
    const accounts = [...this.waiting.values()];
    this.waiting.clear();
    for (const [quote, people] of grouped(accounts)) await this.tellPeople(quote, people);
  }

  /** What is not told is told with the next tick. Where somebody's rows cannot be read, the others are told. */
  private async tellPeople(quote: number, people: readonly number[]): Promise<void> {
    try {
      for (const state of await this.statesOf(quote, people)) this.views.publish(LIVE_CHANNEL, state);
    } catch (error) {
      if (error instanceof AskUnavailable || isTransient(error) || people.length === 1) return;
      const middle = Math.ceil(people.length / 2);
      await this.tellPeople(quote, people.slice(0, middle));
      await this.tellPeople(quote, people.slice(middle));
    }
  }

  private async statesOf(quote: number, people: readonly number[]) {
    const quotes = new Set([...this.markets.quotes(), quote]);
    const [{ balances }, positions] = await Promise.all([
      this.balances.of(quote, people),
      this.store.liveOf(people.flatMap((userId) => [...quotes].map((each) => ({ userId, quote: each })))),
    ]);
    const { scale } = this.markets.currency(quote);
    return people.map((userId) => {
      const all = positions.filter((position) => position.userId === userId);
      const marks = this.markets.marks(new Set(all.map(({ pairId }) => pairId)));
      const own = ofQuote(all, quote);
      const payload = {
        ...this.stateOf(quote, { balance: toUnits(balances[userId] ?? '0', scale), positions: own, marks }),
        profits_all: this.worth([...quotes].map((each) => [each, openProfits(ofQuote(all, each), marks)])),
      };
      return { userId, payload };
    });
  }

  private stateOf(quote: number, { balance, positions, marks }: Standing): Readonly<Record<string, unknown>> {
    const { scale } = this.markets.currency(quote);
    const account = accountOf(balance, positions, marks);
    const shown = (status: Position['status']): LeverPosition[] =>
      positions
        .filter((position) => position.status === status)
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
      trades_all: shown(STATUS.open),
      trades_entrust: shown(STATUS.pending),
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
        const market = this.markets.all().find(({ quoteName, base }) => quoteName === USDT && base === quote);
        const mark = market && this.markets.latest(market);
        if (market && mark !== undefined)
          sum += rescale(units * mark, scale + market.scales.priceScale, PROFITS_SCALE, 'floor');
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

function grouped(accounts: readonly AccountName[]): Map<number, number[]> {
  const people = new Map<number, number[]>();
  for (const { userId, quote } of accounts) people.set(quote, [...(people.get(quote) ?? []), userId]);
  return people;
}
