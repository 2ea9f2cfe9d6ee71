import { Injectable } from '@nestjs/common';
import type { Direction } from '@bourse/formulas';
import { Sagas, type LedgerOrder, type Moves } from '@bourse/ledger-client';
import { AnswerStore, Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, randomId } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { pairsOf, type Marks } from '../domain/account.js';
import { coverFor, withoutWorst } from '../domain/cover.js';
import { closeOrder, revokeOrder } from '../domain/journals.js';
import { chargeNights, type Night } from '../domain/night.js';
import { CLOSED_BY, closed, closing, revoked, STATUS, type ClosedBy, type Position } from '../domain/position.js';
import { settle } from '../domain/settlement.js';
import { isBurstAt, stopReached } from '../domain/triggers.js';
import { entering, Judge, type Seat, type Triggered } from './judge.js';
import { LeverMarkets, LIQUIDATING_AGE_MS, TRADING_AGE_MS } from './lever-markets.js';
import { BURST_RATE } from './lever-settings.js';
import { NIGHT } from './nights.js';
import { LeverDatabase, PositionStore, type AccountName } from './ports.js';
import { positionView } from './position-view.js';
import { PositionEvents } from './position-events.js';

/** What is to close of one account, and how. */
interface Closing {
  readonly wanted: readonly Position[];
  readonly by: (position: Position) => ClosedBy;
  /** A price that is older closes nothing. */
  readonly maxAgeMs: number;
  /** Whether positions that cover a loss close too; else the close is refused with their ids. */
  readonly withCover: boolean;
}
/** A close as it was decided. */
interface Decided {
  readonly object: string;
  readonly command: LedgerOrder;
  readonly positions: readonly Position[];
  /** Positions that close to cover the others. */
  readonly cover: readonly string[];
  readonly marks: Marks;
}
const STALE = 'market.stale';
const NEEDS_COVER = 'lever.closeCover';
const isRefusedAs = (error: unknown, key: string): boolean => error instanceof Refused && error.key === key;

/** Closes positions, and gives touch orders back (rules §3). */
@Injectable()
export class ClosePositions {
  private readonly closings: Moves;
  private readonly revokes: Moves;
  private readonly answers: AnswerStore;

  constructor(
    sagas: Sagas,
    private readonly database: LeverDatabase,
    private readonly judge: Judge,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly settings: Settings,
    private readonly timers: Timers,
    private readonly positionEvents: PositionEvents,
    private readonly clock: Clock,
  ) {
    this.answers = new AnswerStore(database);
    this.closings = sagas.defineMove({ name: 'lever.close', onAllBooked: (tx, objects) => this.booked(tx, objects) });
    this.revokes = sagas.defineMove({ name: 'lever.revoke' });
  }

  /**
   * One open position at the mark price; with `withCover` those too that cover what it loses.
   * @throws Refused `common.notFound`, `lever.state`, `market.stale`, `lever.closeCover` with `ids`
   */
  async close(userId: number, id: string, withCover: boolean, context: CallContext): Promise<Notice> {
    const answer = await this.closings.call(context, async () => {
      const position = await this.own(userId, id, STATUS.open);
      return this.claimed(position, (seat) => {
        const found = seat.positions.find((one) => one.id === id);
        if (found?.status !== STATUS.open) throw new Refused('lever.state');
        return entering(seat, async (tx) => {
          const { object, command, positions, cover, marks } = await this.decide(tx, seat, {
            wanted: [found],
            by: () => CLOSED_BY.user,
            maxAgeMs: TRADING_AGE_MS,
            withCover,
          });
          const after = positions.find((one) => one.id === id);
          if (!after) throw new Error(`invariant: position ${id} was not closed`);
          // As it is once the money is booked, which is when this is answered.
          const order = positionView(closed(after), this.markets.byPair(after.pairId), marks, 0n);
          const ids = cover.length > 0 ? { ids: cover } : {};
          return { object, command, answer: new Notice('lever.closed', { order, ...ids }) };
        });
      });
    });
    const { order, settling } = answer.extra as { order?: object; settling?: number };
    const isSettling = settling === 1 && order !== undefined;
    return isSettling
      ? new Notice(answer.key, { ...answer.extra, order: { ...order, status: STATUS.closing, status_name: 'closing' } })
      : answer;
  }

  /**
   * All of a person's positions, or those of one direction; they are in status 2 until each is booked.
   * @throws Refused `market.stale`, `lever.closeCover` with `ids`
   */
  async batch(
    userId: number,
    {
      which,
      quote,
      withCover,
    }: {
      readonly which: 'all' | Direction;
      readonly quote?: number | undefined;
      readonly withCover: boolean;
    },
    context: CallContext,
  ): Promise<Notice> {
    const answer = await this.answers.once(context, async () => {
      // Where nothing of that direction is open there is nothing to close: that account is not even claimed.
      const open = await this.store.openQuotes(userId, which === 'all' ? undefined : which);
      const quotes = open.filter((each) => quote === undefined || each === quote);
      const accounts = quotes.map((each) => ({ userId, quote: each }));
      // A refusal closes nothing: all accounts are asked before the first of them closes.
      if (!withCover && accounts.length > 1) await this.refuseWithoutCover(accounts, which);
      const ids: string[] = [];
      for (const account of accounts) ids.push(...(await this.closeAll(account, which, withCover)));
      return new Notice('lever.closed', { ids });
    });
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: a close is answered with a notice');
  }

  /** @throws Refused `lever.closeCover` with the positions of all accounts that must close too */
  private async refuseWithoutCover(accounts: readonly AccountName[], which: 'all' | Direction): Promise<void> {
    const ids: string[] = [];
    for (const account of accounts) {
      const { balance, positions } = await this.judge.look(account);
      const marks = this.markets.marks(pairsOf(positions), TRADING_AGE_MS);
      const wanted = openOf(positions, which).filter(({ pairId }) => marks.has(pairId));
      ids.push(...(coverFor(wanted, positions, marks, balance) ?? []).map(({ id }) => id));
    }
    if (ids.length > 0) throw new Refused(NEEDS_COVER, {}, { extra: { ids } });
  }

  private async closeAll(
    account: AccountName,
    which: 'all' | Direction,
    withCover: boolean,
  ): Promise<readonly string[]> {
    const seat = await this.judge.claim(account);
    try {
      const wanted = openOf(seat.positions, which);
      if (wanted.length === 0) {
        await seat.leave();
        return [];
      }
      const cover = await this.write(seat, {
        wanted,
        by: () => CLOSED_BY.user,
        maxAgeMs: TRADING_AGE_MS,
        withCover,
      });
      return [...wanted.map(({ id }) => id), ...cover];
    } catch (error) {
      await seat.leave();
      throw error;
    }
  }

  /**
   * Closes what the prices of a tick close: the whole account where it is liquidated at them, else what has reached
   * its target or stop. The index has proposed it; here it is decided, by the account as it is, and executed at the
   * prices of this moment.
   */
  async trigger(account: AccountName, liquidating: Marks, trading: Marks): Promise<Triggered> {
    const seat = await this.judge.claimForRisk(account);
    if (!seat) return 'taken';
    try {
      const open = openOf(seat.positions, 'all');
      const isBurst = isBurstAt(seat.balance, seat.positions, liquidating, this.settings.get(BURST_RATE));
      const reached = (position: Position): ClosedBy | null => {
        const mark = trading.get(position.pairId);
        return mark === undefined ? null : stopReached(position, mark);
      };
      const isClosed = isBurst
        ? await this.closeDue(seat, open, () => CLOSED_BY.burst, LIQUIDATING_AGE_MS)
        : await this.closeByStops(seat, open, reached);
      if (!isClosed) await seat.leave();
      return isClosed ? 'done' : 'nothing';
    } catch (error) {
      await seat.leave();
      throw error;
    }
  }

  /**
   * Targets and stops of one tick close together. What needs a position without a fresh price to cover its loss waits,
   * and does not hold up the others.
   */
  private async closeByStops(
    seat: Seat,
    open: readonly Position[],
    reached: (position: Position) => ClosedBy | null,
  ): Promise<boolean> {
    const marks = this.markets.marks(pairsOf(open), TRADING_AGE_MS);
    let wanted: readonly Position[] = open.filter(
      (position) => reached(position) !== null && marks.has(position.pairId),
    );
    while (wanted.length > 0) {
      if (await this.closeDue(seat, wanted, (position) => reached(position) ?? CLOSED_BY.stop, TRADING_AGE_MS))
        return true;
      wanted = withoutWorst(wanted, marks);
    }
    return false;
  }

  /** False where a price that it needs is not fresh: nothing is done then. */
  private async closeDue(
    seat: Seat,
    wanted: readonly Position[],
    by: (position: Position) => ClosedBy,
    maxAgeMs: number,
  ): Promise<boolean> {
    if (wanted.length === 0) return false;
    try {
      await this.write(seat, { wanted, by, maxAgeMs, withCover: true });
      return true;
    } catch (error) {
      if (isRefusedAs(error, STALE)) return false;
      throw error;
    }
  }

  /** Writes a close that no call waits for; the ids of its cover. */
  private write(seat: Seat, closing: Closing): Promise<readonly string[]> {
    return this.database.transaction(async (tx) => {
      const { object, command, cover } = await this.decide(tx, seat, closing);
      await this.closings.begin(tx, { object, command });
      return cover;
    });
  }

  /**
   * 1 → 2 of positions of one account, at the marks of this moment, with what it moves.
   * @throws Refused `market.stale`, `lever.closeCover`
   */
  private async decide(tx: Tx, seat: Seat, { wanted, by, maxAgeMs, withCover }: Closing): Promise<Decided> {
    const { account } = seat;
    const object = settlementOf(account);
    const at = this.clock.now();
    // A midnight that has passed is owed, whether or not its timer came before this close.
    const nights = new Map<string, readonly Night[]>();
    const charged = new Map<string, Position>();
    const charge = async (positions: readonly Position[]): Promise<void> => {
      for (const position of positions) {
        const owed = chargeNights(position, await this.timers.cancel(tx, NIGHT, position.id), at);
        nights.set(position.id, owed.nights);
        charged.set(position.id, owed.position);
      }
    };
    const standing = (): Position[] => seat.positions.map((position) => charged.get(position.id) ?? position);
    await charge(wanted);
    const marks = this.markets.marks(pairsOf(seat.positions), maxAgeMs);
    if (!wanted.every(({ pairId }) => marks.has(pairId))) throw new Refused(STALE);
    const cover: string[] = [];
    // Nights that a covering position owes take from what it covers: asked until nothing is missing.
    for (let isCovered = false; !isCovered;) {
      const more = coverFor([...charged.values()], standing(), marks, seat.balance);
      if (more === null) throw new Refused(STALE);
      await charge(more);
      cover.push(...more.map(({ id }) => id));
      isCovered = more.length === 0;
    }
    if (cover.length > 0 && !withCover) throw new Refused(NEEDS_COVER, {}, { extra: { ids: cover } });
    await seat.enter(tx, object);
    const { settled } = settle([...charged.values()], marks, seat.balance, standing());
    const reasonOf = (position: Position): ClosedBy => (cover.includes(position.id) ? CLOSED_BY.cover : by(position));
    const positions: Position[] = [];
    for (const one of settled) {
      const held = (nights.get(one.position.id) ?? []).reduce((sum, { ofCaution }) => sum + ofCaution, 0n);
      const close = { ...one, by: reasonOf(one.position), settlement: object, nights: held };
      positions.push(await this.closeOne(tx, one.position, closing(one.position, at, close)));
    }
    this.positionEvents.changed(tx, account);
    return { object, command: closeOrder(settled, object, nights), positions, cover, marks };
  }

  private async closeOne(tx: Tx, before: Position, after: Position): Promise<Position> {
    if (!(await this.store.change(tx, before, after)))
      throw new Error(`invariant: position ${after.id} has changed under a claim`);
    return after;
  }

  /** 2 → 3: the ledger has booked settlements. Each statement is about all that were booked together. */
  private async booked(tx: Tx, settlements: readonly string[]): Promise<void> {
    const accounts = settlements.map((settlement) => ({ ...accountOfSettlement(settlement), inFlight: settlement }));
    await this.judge.land(tx, accounts);
    const positions = await this.store.settling(tx, settlements);
    const changes = positions.map((before) => ({ before, after: closed(before) }));
    if (!(await this.store.changeAll(tx, changes))) throw new Error('invariant: a position has changed under its lock');
    await this.store.countOutcomes(
      tx,
      changes.map(({ after }) => after),
    );
    this.positionEvents.closedByMarket(
      tx,
      changes.map(({ after }) => after),
    );
    const ended = new Map<number, bigint>();
    for (const { quote, notional } of positions) ended.set(quote, (ended.get(quote) ?? 0n) + notional);
    // In one order everywhere: two that give back in two quotes do not wait for one another.
    const sorted = [...ended].toSorted(([a], [b]) => a - b);
    for (const [quote, notional] of sorted) await this.store.expose(tx, quote, -notional, null);
    for (const { inFlight, ...account } of accounts) {
      this.positionEvents.closed(
        tx,
        positions.filter(({ settlement }) => settlement === inFlight),
      );
      this.positionEvents.changed(tx, account);
    }
  }

  /** 0 → 4. @throws Refused `common.notFound`, `lever.state` */
  cancel(userId: number, id: string, context: CallContext): Promise<Notice> {
    return this.revokes.call(context, async () => {
      const position = await this.own(userId, id, STATUS.pending);
      return this.claimed(position, (seat) => {
        const found = seat.positions.find((one) => one.id === id);
        if (found?.status !== STATUS.pending) throw new Refused('lever.state');
        return entering(seat, async (tx) => {
          await seat.enter(tx, null);
          const after = revoked(found, this.clock.now());
          if (!(await this.store.change(tx, found, after)))
            throw new Error(`invariant: position ${id} has changed under a claim`);
          this.positionEvents.changed(tx, found);
          const market = this.markets.byPair(found.pairId);
          const order = positionView(after, market, this.markets.marks([found.pairId]), 0n);
          return { object: id, command: revokeOrder(found), answer: new Notice('lever.cancelled', { order }) };
        });
      });
    });
  }

  /** A position of this person in this state. @throws Refused `common.notFound`, `lever.state` */
  private async own(userId: number, id: string, status: Position['status']): Promise<Position> {
    const position = await this.store.find(id, userId);
    if (!position) throw new Refused('common.notFound');
    if (position.status !== status) throw new Refused('lever.state');
    return position;
  }

  private async claimed<T>(position: Position, decide: (seat: Seat) => T): Promise<T> {
    const seat = await this.judge.claim(position);
    try {
      return decide(seat);
    } catch (error) {
      await seat.leave();
      throw error;
    }
  }
}

const openOf = (positions: readonly Position[], which: 'all' | Direction): Position[] =>
  positions.filter(({ status, direction }) => status === STATUS.open && (which === 'all' || which === direction));

/** Names a settlement, and with it the account that it settles. */
const settlementOf = ({ userId, quote }: AccountName): string => `close:${userId}:${quote}:${randomId()}`;
function accountOfSettlement(settlement: string): AccountName {
  const [, userId, quote] = settlement.split(':');
  return { userId: Number(userId), quote: Number(quote) };
}
