import { Injectable } from '@nestjs/common';
import type { Direction } from '@bourse/formulas';
import { Commands, Sagas, type LedgerOrder, type Moves } from '@bourse/ledger-client';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, randomId } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { accountOf, pairsOf, type Marks } from '../domain/account.js';
import { ClosePlan } from '../domain/close-plan.js';
import { withoutWorst } from '../domain/cover.js';
import { closeOrder, revokeOrder } from '../domain/journals.js';
import { chargeOverdueFees, nextMidnight } from '../domain/overnight-fees.js';
import type { SplitPosition } from '../domain/part-close.js';
import {
  CLOSED_BY,
  closed,
  closing,
  revoked,
  STATUS,
  wholeOf,
  type ClosedBy,
  type Position,
} from '../domain/position.js';
import type { RiskAccount } from '../domain/risk-book.js';
import { settle, type Settled } from '../domain/settlement.js';
import { asOfTick, isLiquidatedAt, stopReached } from '../domain/triggers.js';
import { AccountClaims, releaseAll, type ClaimedAccount, type TriggerOutcome } from './account-claims.js';
import { LeverMarkets, LIQUIDATING_AGE_MS, TRADING_AGE_MS } from './lever-markets.js';
import { LIQUIDATION_RATE } from './lever-settings.js';
import { OVERNIGHT_TIMER } from './overnight-fees.js';
import { LeverDatabase, PositionStore, type AccountName } from './ports.js';
import type { CloseBody } from './fields.js';
import { liquidationOf, positionView } from './position-view.js';
import { PositionEvents } from './position-events.js';

/** A request to close positions of one account. */
interface Closing {
  readonly wanted: readonly Position[];
  /** How many contracts of the one wanted position close; absent: all. */
  readonly contracts?: number | undefined;
  readonly by: (position: Position) => ClosedBy;
  /** A price older than this closes nothing. */
  readonly maxAgeMs: number;
  /** Whether positions that cover a loss close too; otherwise the close is refused with their ids. */
  readonly withCover: boolean;
}
/** A close before it is written. */
interface Planned extends Pick<Closing, 'wanted' | 'by'> {
  readonly at: number;
  readonly plan: ClosePlan;
  readonly marks: Marks;
  /** Ids of positions that close although the request does not say so. */
  readonly unasked: readonly string[];
}
/** A decided close. */
interface Decided {
  readonly object: string;
  readonly command: LedgerOrder;
  /** The positions in status 2. */
  readonly positions: readonly Position[];
  readonly settled: readonly Settled[];
  /** The rest of a position of which a part closes; null: nothing stays open. */
  readonly rest: Position | null;
  /** Ids of the positions that close to cover the others. */
  readonly cover: readonly string[];
  readonly marks: Marks;
}
const STALE = 'market.stale';
const needsCover = (ids: readonly string[]): Refused => new Refused('lever.closeCover', {}, { extra: { ids } });
const isRefusedAs = (error: unknown, key: string): boolean => error instanceof Refused && error.key === key;

/** Closes positions and cancels trigger orders (rules §3). */
@Injectable()
export class ClosePositions {
  private readonly closings: Moves;
  private readonly revokes: Moves;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly database: LeverDatabase,
    private readonly claims: AccountClaims,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly settings: Settings,
    private readonly timers: Timers,
    private readonly positionEvents: PositionEvents,
    private readonly clock: Clock,
  ) {
    this.closings = sagas.defineMove({ name: 'lever.close', onAllBooked: (tx, objects) => this.booked(tx, objects) });
    this.revokes = sagas.defineMove({ name: 'lever.revoke' });
  }

  /**
   * Closes one open position, or some of its contracts, at the mark price; with `withCover` also the positions that
   * cover its loss.
   * @throws Refused `common.notFound`, `lever.state`, `lever.shareInteger`, `lever.shareMax` {max}, `market.stale`,
   *   `lever.closeCover` with `ids`
   */
  async close(userId: number, fields: CloseBody, context: CallContext): Promise<Notice> {
    const { id, withCover = false } = fields;
    const answer = await this.commands.run(context, {
      prepare: async () => {
        const position = await this.own(userId, id, STATUS.open);
        const { share: contracts } = fields;
        checkContracts(position, contracts);
        return { contracts, claimed: await this.claims.claim(position) };
      },
      decide: async (tx, { contracts, claimed }) => {
        const found = claimed.positions.find((one) => one.id === id);
        if (found?.status !== STATUS.open) throw new Refused('lever.state');
        checkContracts(found, contracts);
        const decided = await this.decide(tx, claimed, {
          wanted: [found],
          contracts,
          by: () => CLOSED_BY.user,
          maxAgeMs: TRADING_AGE_MS,
          withCover,
        });
        const { object, command } = decided;
        const notice = new Notice('lever.closed', this.answerOf(id, claimed, decided));
        return this.closings.move({ object, command, answer: notice });
      },
      abandon: ({ claimed }) => claimed.release(),
    });
    return answer.extra['settling'] === 1 ? new Notice(answer.key, asClosing(answer.extra)) : answer;
  }

  /** The closed position, or the rest with the part that has closed, as they are once the money is booked. */
  private answerOf(id: string, claimed: ClaimedAccount, { positions, settled, rest, cover, marks }: Decided) {
    const ids = cover.length > 0 ? { ids: cover } : {};
    const after = positions.find((one) => wholeOf(one) === id);
    if (!after) throw new Error(`invariant: position ${id} was not closed`);
    const market = this.markets.byPair(after.pairId);
    const closedView = positionView(closed(after), market, marks, 0n);
    if (rest === null) return { order: closedView, ...ids };
    const closes = new Set(positions.map((one) => wholeOf(one)));
    const left = [rest, ...claimed.positions.filter((one) => !closes.has(one.id))];
    const balance = settled.reduce(
      (sum, { position, gain, loss, overnightFee }) => sum + position.margin + gain - loss - overnightFee,
      claimed.balance,
    );
    const prices = this.markets.marks(pairsOf(left));
    const liquidation = liquidationOf(rest, accountOf(balance, left, prices), left, prices);
    return { order: positionView(rest, market, prices, liquidation), part: closedView, ...ids };
  }

  /**
   * Closes all positions of a user, or those of one direction, in one transaction: a refusal closes nothing, and a
   * repeat names what the command has closed.
   * @throws Refused `market.stale`, `lever.closeCover` with `ids`
   */
  batch(
    userId: number,
    {
      which,
      quote,
      base,
      withCover,
    }: {
      readonly which: 'all' | Direction;
      readonly quote?: number | undefined;
      readonly base?: number | undefined;
      readonly withCover: boolean;
    },
    context: CallContext,
  ): Promise<Notice> {
    const choice = { which, pairIds: base === undefined ? undefined : this.markets.pairs(quote, base) };
    return this.commands.run(context, {
      prepare: async () => {
        // An account without a position of that direction is not claimed.
        const open = await this.store.openQuotes(userId, which === 'all' ? undefined : which);
        const quotes = open.filter((each) => quote === undefined || each === quote);
        return this.claims.claimAll(quotes.map((each) => ({ userId, quote: each })));
      },
      decide: (tx, accounts) => this.decideAll(tx, accounts, choice, withCover),
      abandon: releaseAll,
    });
  }

  /** @throws Refused `market.stale`, `lever.closeCover` with the covering positions of all accounts */
  private async decideAll(tx: Tx, accounts: readonly ClaimedAccount[], choice: Choice, withCover: boolean) {
    const planned: (readonly [ClaimedAccount, Planned | null])[] = [];
    // Locks are taken in one order everywhere: the timers of all accounts, then account by account with its positions.
    for (const claimed of accounts) {
      const wanted = openOf(claimed.positions, choice);
      const closing = { wanted, by: () => CLOSED_BY.user, maxAgeMs: TRADING_AGE_MS };
      planned.push([claimed, wanted.length === 0 ? null : await this.plan(tx, claimed, closing)]);
    }
    const cover = planned.flatMap(([, one]) => one?.unasked ?? []);
    if (cover.length > 0 && !withCover) throw needsCover(cover);
    const moves: Pick<Decided, 'object' | 'command'>[] = [];
    for (const [claimed, plan] of planned)
      if (plan) {
        const { object, command } = await this.apply(tx, claimed, plan);
        moves.push({ object, command });
      } else await claimed.commit(tx, null);
    const ids = planned.flatMap(([, one]) => (one ? [...one.wanted.map(({ id }) => id), ...one.plan.cover] : []));
    const answer = new Notice('lever.closed', { ids });
    const [first, ...others] = moves;
    return first ? this.closings.move({ ...first, answer }, ...others.map((one) => this.closings.part(one))) : answer;
  }

  /**
   * Decides a proposal of the risk book on the account as it is now, as far as the tick found it so: closes all of that
   * if the prices of the tick liquidate it, then and now, else the positions that have reached target or stop. Executes
   * at the current prices.
   * @param known the account at the tick
   */
  async trigger(known: RiskAccount, liquidating: Marks, trading: Marks): Promise<TriggerOutcome> {
    const claimed = await this.claims.claimForRisk(known);
    if (!claimed) return 'taken';
    try {
      const judged = asOfTick(known.positions, claimed);
      const found = new Map(judged.positions.map((position) => [position.id, position]));
      const open = openOf(claimed.positions, { which: 'all' }).filter(({ id }) => found.has(id));
      const rate = this.settings.get(LIQUIDATION_RATE);
      const isLiquidated = [known, judged].every(({ balance, positions }) =>
        isLiquidatedAt(balance, positions, liquidating, rate),
      );
      const reached = ({ id, pairId }: Position): ClosedBy | null => {
        const [position, mark] = [found.get(id), trading.get(pairId)];
        return position === undefined || mark === undefined ? null : stopReached(position, mark);
      };
      const isClosed = isLiquidated
        ? await this.closeDue(claimed, open, () => CLOSED_BY.liquidation, LIQUIDATING_AGE_MS)
        : await this.closeByStops(claimed, open, reached);
      if (!isClosed) await claimed.release();
      return isClosed ? 'done' : 'nothing';
    } catch (error) {
      await claimed.release();
      throw error;
    }
  }

  /**
   * Closes the targets and stops of one tick together. A position whose loss can be covered only at a stale price waits
   * and does not delay the others.
   */
  private async closeByStops(
    claimed: ClaimedAccount,
    open: readonly Position[],
    reached: (position: Position) => ClosedBy | null,
  ): Promise<boolean> {
    const marks = this.markets.marks(pairsOf(open), TRADING_AGE_MS);
    let wanted: readonly Position[] = open.filter(
      (position) => reached(position) !== null && marks.has(position.pairId),
    );
    while (wanted.length > 0) {
      if (await this.closeDue(claimed, wanted, (position) => reached(position) ?? CLOSED_BY.stop, TRADING_AGE_MS))
        return true;
      wanted = withoutWorst(wanted, marks);
    }
    return false;
  }

  /** False, without effect, if a price that the close needs is not fresh. */
  private async closeDue(
    claimed: ClaimedAccount,
    wanted: readonly Position[],
    by: (position: Position) => ClosedBy,
    maxAgeMs: number,
  ): Promise<boolean> {
    if (wanted.length === 0) return false;
    try {
      await this.write(claimed, { wanted, by, maxAgeMs, withCover: true });
      return true;
    } catch (error) {
      if (isRefusedAs(error, STALE)) return false;
      throw error;
    }
  }

  /** Writes a close that no call waits for. */
  private write(claimed: ClaimedAccount, closing: Closing): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { object, command } = await this.decide(tx, claimed, closing);
      await this.closings.begin(tx, { object, command });
    });
  }

  /**
   * 1 → 2: closes positions of one account at the current marks.
   * @throws Refused `market.stale`, `lever.closeCover`
   */
  private async decide(tx: Tx, claimed: ClaimedAccount, { withCover, ...closing }: Closing): Promise<Decided> {
    const planned = await this.plan(tx, claimed, closing);
    if (planned.unasked.length > 0 && !withCover) throw needsCover(planned.unasked);
    return this.apply(tx, claimed, planned);
  }

  /** Decides what closes, and cancels the timers of that. @throws Refused `market.stale` */
  private async plan(
    tx: Tx,
    claimed: ClaimedAccount,
    { wanted, contracts, by, maxAgeMs }: Omit<Closing, 'withCover'>,
  ): Promise<Planned> {
    const at = this.clock.now();
    const plan = new ClosePlan(claimed.positions);
    // The fee of a midnight that has passed is owed even if its timer has not fired yet.
    const charge = async (positions: readonly Position[]): Promise<void> => {
      for (const position of positions) {
        const owed = chargeOverdueFees(position, await this.timers.cancel(tx, OVERNIGHT_TIMER, position.id), at);
        plan.add(owed.position, owed.overnightCharges);
      }
    };
    await charge(wanted);
    const [first] = wanted;
    if (contracts !== undefined && first) plan.divide(first.id, contracts, randomId());
    const marks = this.markets.marks(pairsOf(claimed.positions), maxAgeMs);
    if (!wanted.every(({ pairId }) => marks.has(pairId))) throw new Refused(STALE);
    // The overnight fees of a covering position reduce what it covers, hence the loop.
    for (let isCovered = false; !isCovered;) {
      const more = plan.addCover(marks, claimed.balance);
      if (more === null) throw new Refused(STALE);
      await charge(more);
      isCovered = more.length === 0;
    }
    const closesWhole = contracts !== undefined && plan.split === null && first && contracts < first.contracts;
    return { at, plan, wanted, by, marks, unasked: closesWhole ? [...plan.cover, first.id] : plan.cover };
  }

  /** Writes a close that is planned. */
  private async apply(tx: Tx, claimed: ClaimedAccount, { at, plan, by, marks }: Planned): Promise<Decided> {
    const { account } = claimed;
    const object = settlementOf(account);
    const { split, cover, overnightCharges } = plan;
    const rest = split && { ...split.rest, changedAt: at };
    await claimed.commit(tx, object);
    const { settled } = settle(plan.closing, marks, claimed.balance, plan.account);
    const reasonOf = (position: Position): ClosedBy => (cover.includes(position.id) ? CLOSED_BY.cover : by(position));
    const positions: Position[] = [];
    for (const one of settled) {
      const charges = overnightCharges.get(wholeOf(one.position)) ?? [];
      const held = charges.reduce((sum, { fromMargin }) => sum + fromMargin, 0n);
      const close = { ...one, by: reasonOf(one.position), settlement: object, overnightFromMargin: held };
      const after = closing(one.position, at, close);
      if (rest && one.position === split?.part) await this.closePart(tx, { part: after, rest }, at);
      else await this.change(tx, one.position, after);
      positions.push(after);
    }
    this.positionEvents.publishAfterCommit(tx, account);
    const command = closeOrder(settled, object, overnightCharges);
    return { object, command, positions, settled, rest, cover, marks };
  }

  /** Stores the part, which closes, as a position of its own and what the whole keeps. */
  private async closePart(tx: Tx, { part, rest }: SplitPosition, at: number): Promise<void> {
    await this.store.insert(tx, part);
    await this.change(tx, rest, rest);
    await this.timers.set(tx, OVERNIGHT_TIMER, rest.id, nextMidnight(at));
  }

  private async change(tx: Tx, before: Position, after: Position): Promise<void> {
    if (!(await this.store.change(tx, before, after)))
      throw new Error(`invariant: position ${after.id} has changed under a claim`);
  }

  /** 2 → 3: the ledger has booked settlements. Each statement covers all that were booked together. */
  private async booked(tx: Tx, settlements: readonly string[]): Promise<void> {
    const accounts = settlements.map((settlement) => ({ ...accountOfSettlement(settlement), inFlight: settlement }));
    await this.claims.settleInFlight(tx, accounts);
    const positions = await this.store.settling(tx, settlements);
    const changes = positions.map((before) => ({ before, after: closed(before) }));
    if (!(await this.store.changeAll(tx, changes))) throw new Error('invariant: a position has changed under its lock');
    await this.store.countOutcomes(
      tx,
      changes.map(({ after }) => after),
    );
    this.positionEvents.notifyClosed(
      tx,
      changes.map(({ after }) => after),
    );
    const ended = new Map<number, bigint>();
    for (const { quote, notional } of positions) ended.set(quote, (ended.get(quote) ?? 0n) + notional);
    // Quotes in one order everywhere, so that two transactions cannot deadlock.
    const sorted = [...ended].toSorted(([a], [b]) => a - b);
    for (const [quote, notional] of sorted) await this.store.addOpenNotional(tx, quote, -notional, null);
    for (const { inFlight, ...account } of accounts) {
      this.positionEvents.publishClosed(
        tx,
        positions.filter(({ settlement }) => settlement === inFlight),
      );
      this.positionEvents.publishAfterCommit(tx, account);
    }
  }

  /** 0 → 4. @throws Refused `common.notFound`, `lever.state` */
  cancel(userId: number, id: string, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => this.claims.claim(await this.own(userId, id, STATUS.pending)),
      decide: async (tx, claimed) => {
        const found = claimed.positions.find((one) => one.id === id);
        if (found?.status !== STATUS.pending) throw new Refused('lever.state');
        await claimed.commit(tx, null);
        const after = revoked(found, this.clock.now());
        await this.change(tx, found, after);
        this.positionEvents.publishAfterCommit(tx, found);
        const market = this.markets.byPair(found.pairId);
        const order = positionView(after, market, this.markets.marks([found.pairId]), 0n);
        const answer = new Notice('lever.cancelled', { order });
        return this.revokes.move({ object: id, command: revokeOrder(found), answer });
      },
      abandon: (claimed) => claimed.release(),
    });
  }

  /** Reads a position of this user in this state. @throws Refused `common.notFound`, `lever.state` */
  private async own(userId: number, id: string, status: Position['status']): Promise<Position> {
    const position = await this.store.find(id, userId);
    if (!position) throw new Refused('common.notFound');
    if (position.status !== status) throw new Refused('lever.state');
    return position;
  }
}

/** Open positions of both directions or of one, and of all pairs or of some. */
interface Choice {
  readonly which: 'all' | Direction;
  readonly pairIds?: readonly number[] | undefined;
}
const openOf = (positions: readonly Position[], { which, pairIds }: Choice): Position[] =>
  positions.filter(
    ({ status, direction, pairId }) =>
      status === STATUS.open &&
      (which === 'all' || which === direction) &&
      (pairIds === undefined || pairIds.includes(pairId)),
  );

/** @throws Refused `lever.shareMax` {max} */
function checkContracts({ contracts: max }: Position, wanted: number | undefined): void {
  if (wanted !== undefined && wanted > max) throw new Refused('lever.shareMax', { max }, { field: 'share' });
}

/** An answer whose money is not booked yet: what has closed is still in status 2. */
function asClosing(extra: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const closes = 'part' in extra ? 'part' : 'order';
  const view = extra[closes];
  if (typeof view !== 'object') return extra;
  return { ...extra, [closes]: { ...view, status: STATUS.closing, status_name: 'closing' } };
}

/** Id of a settlement; it names the account. */
const settlementOf = ({ userId, quote }: AccountName): string => `close:${userId}:${quote}:${randomId()}`;
function accountOfSettlement(settlement: string): AccountName {
  const [, userId, quote] = settlement.split(':');
  return { userId: Number(userId), quote: Number(quote) };
}
