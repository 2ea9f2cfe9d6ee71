import { Injectable } from '@nestjs/common';
import type { Direction } from '@bourse/formulas';
import { Sagas, type Moves } from '@bourse/ledger-client';
import { AnswerStore, Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, randomId } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import type { Marks } from '../domain/account.js';
import { closeOrder, revokeOrder } from '../domain/journals.js';
import { chargeNights, type Night } from '../domain/night.js';
import { CLOSED_BY, closed, closing, revoked, STATUS, type ClosedBy, type Position } from '../domain/position.js';
import { settle, type Settled } from '../domain/settlement.js';
import { isBurstAt, stopReached } from '../domain/triggers.js';
import { entering, Judge, type Seat } from './judge.js';
import { LeverMarkets } from './lever-markets.js';
import { BURST_RATE } from './lever-settings.js';
import { NIGHT } from './nights.js';
import { LeverDatabase, PositionStore, type AccountName } from './ports.js';
import { positionView } from './position-view.js';
import { Tidings } from './tidings.js';

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
    private readonly tidings: Tidings,
    private readonly clock: Clock,
  ) {
    this.answers = new AnswerStore(database);
    this.closings = sagas.defineMove({ name: 'lever.close', onAllBooked: (tx, objects) => this.booked(tx, objects) });
    this.revokes = sagas.defineMove({ name: 'lever.revoke' });
  }

  /** One open position at the mark price. @throws Refused `common.notFound`, `lever.state`, `market.stale` */
  async close(userId: number, id: string, context: CallContext): Promise<Notice> {
    const answer = await this.closings.call(context, async () => {
      const position = await this.own(userId, id, STATUS.open);
      const marks = this.markets.freshMarks([position.pairId]);
      return this.claimed(position, (seat) => {
        const found = seat.positions.find((one) => one.id === id);
        if (found?.status !== STATUS.open) throw new Refused('lever.state');
        return entering(seat, async (tx) => {
          const { object, command, positions } = await this.decide(tx, seat, [found], marks, () => CLOSED_BY.user);
          const [after] = positions;
          if (!after) throw new Error(`invariant: position ${id} was not closed`);
          // As it is once the money is booked, which is when this is answered.
          const order = positionView(closed(after), this.markets.byPair(after.pairId), marks, 0n);
          return { object, command, answer: new Notice('lever.closed', { order }) };
        });
      });
    });
    const { order, settling } = answer.extra as { order?: object; settling?: number };
    const isSettling = settling === 1 && order !== undefined;
    return isSettling
      ? new Notice(answer.key, { ...answer.extra, order: { ...order, status: STATUS.closing, status_name: 'closing' } })
      : answer;
  }

  /** All of a person's positions, or those of one direction; they are in status 2 until each is booked. */
  async batch(
    userId: number,
    which: 'all' | Direction,
    quote: number | undefined,
    context: CallContext,
  ): Promise<Notice> {
    const answer = await this.answers.once(context, async () => {
      const ids: string[] = [];
      // A quote in which nothing is open, known or not, has nothing to close: its account is not so much as claimed.
      for (const each of await this.store.quotes(userId))
        if (quote === undefined || each === quote) ids.push(...(await this.closeAll({ userId, quote: each }, which)));
      return new Notice('lever.closed', { ids });
    });
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: a close is answered with a notice');
  }

  private async closeAll(account: AccountName, which: 'all' | Direction): Promise<string[]> {
    const seat = await this.judge.claim(account);
    try {
      const wanted = seat.positions.filter(
        ({ status, direction }) => status === STATUS.open && (which === 'all' || which === direction),
      );
      if (wanted.length === 0) {
        await seat.leave();
        return [];
      }
      const marks = this.markets.freshMarks(wanted.map(({ pairId }) => pairId));
      await this.write(seat, wanted, marks, () => CLOSED_BY.user);
      return wanted.map(({ id }) => id);
    } catch (error) {
      await seat.leave();
      throw error;
    }
  }

  /**
   * Closes what the prices close: the whole account where it is liquidated at them, else what has reached its target
   * or stop. The index has proposed it; here it is decided, by the account as it is. False while somebody has the
   * account.
   */
  async trigger(account: AccountName, liquidating: Marks, trading: Marks): Promise<boolean> {
    const seat = await this.judge.tryClaim(account);
    if (!seat) return false;
    try {
      const open = seat.positions.filter(({ status }) => status === STATUS.open);
      const isBurst = isBurstAt(seat.balance, seat.positions, liquidating, this.settings.get(BURST_RATE));
      const reached = (position: Position): ClosedBy | null => {
        const mark = trading.get(position.pairId);
        return mark === undefined ? null : stopReached(position, mark);
      };
      const wanted = isBurst ? open : open.filter((position) => reached(position) !== null);
      if (wanted.length === 0) await seat.leave();
      else if (isBurst) await this.write(seat, wanted, liquidating, () => CLOSED_BY.burst);
      else await this.closeByStops(seat, wanted, trading, reached);
      return true;
    } catch (error) {
      await seat.leave();
      throw error;
    }
  }

  /** A settlement has one reason, which its owner is told: targets and stops of one tick close one after the other. */
  private async closeByStops(
    seat: Seat,
    wanted: readonly Position[],
    marks: Marks,
    reached: (position: Position) => ClosedBy | null,
  ): Promise<void> {
    const [first] = wanted;
    const by = first && reached(first);
    await this.write(
      seat,
      wanted.filter((position) => reached(position) === by),
      marks,
      () => by ?? CLOSED_BY.stop,
    );
  }

  private write(
    seat: Seat,
    wanted: readonly Position[],
    marks: Marks,
    by: (position: Position) => ClosedBy,
  ): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { object, command } = await this.decide(tx, seat, wanted, marks, by);
      await this.closings.begin(tx, { object, command });
    });
  }

  /** 1 → 2 of positions of one account, at their marks, with what it moves. */
  private async decide(
    tx: Tx,
    seat: Seat,
    wanted: readonly Position[],
    marks: Marks,
    by: (position: Position) => ClosedBy,
  ) {
    const { account } = seat;
    const object = settlementOf(account);
    const at = this.clock.now();
    // A midnight that has passed is owed, whether or not its timer came before this close.
    const nights = new Map<string, readonly Night[]>();
    const charged = new Map<string, Position>();
    for (const position of wanted) {
      const owed = chargeNights(position, await this.timers.cancel(tx, NIGHT, position.id), at);
      nights.set(position.id, owed.nights);
      charged.set(position.id, owed.position);
    }
    await seat.enter(tx, object);
    const standing = seat.positions.map((position) => charged.get(position.id) ?? position);
    const { settled } = settle([...charged.values()], marks, seat.balance, standing);
    const positions: Position[] = [];
    for (const one of settled) positions.push(await this.closeOne(tx, one, at, by(one.position), object));
    this.tidings.changed(tx, account);
    return { object, command: closeOrder(settled, object, nights), positions };
  }

  private async closeOne(tx: Tx, one: Settled, at: number, by: ClosedBy, settlement: string): Promise<Position> {
    const after = closing(one.position, at, { ...one, by, settlement });
    if (!(await this.store.change(tx, one.position, after)))
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
    this.tidings.closedByMarket(
      tx,
      changes.map(({ after }) => after),
    );
    const ended = new Map<number, bigint>();
    for (const { quote, notional } of positions) ended.set(quote, (ended.get(quote) ?? 0n) + notional);
    // In one order everywhere: two that give back in two quotes do not wait for one another.
    const sorted = [...ended].toSorted(([a], [b]) => a - b);
    for (const [quote, notional] of sorted) await this.store.expose(tx, quote, -notional, null);
    for (const { inFlight, ...account } of accounts) {
      this.tidings.closed(
        tx,
        positions.filter(({ settlement }) => settlement === inFlight),
      );
      this.tidings.changed(tx, account);
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
          this.tidings.changed(tx, found);
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

/** Names a settlement, and with it the account that it settles. */
const settlementOf = ({ userId, quote }: AccountName): string => `close:${userId}:${quote}:${randomId()}`;
function accountOfSettlement(settlement: string): AccountName {
  const [, userId, quote] = settlement.split(':');
  return { userId: Number(userId), quote: Number(quote) };
}
