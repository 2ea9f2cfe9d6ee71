import { Injectable } from '@nestjs/common';
import { profitsAt, ratePasses, type LeverAccount } from '@bourse/formulas';
import { Sagas, type Moves } from '@bourse/ledger-client';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { accountOf, pairsOf, type Marks } from '../domain/account.js';
import { openedOrder } from '../domain/journals.js';
import { opened, STATUS, type Position } from '../domain/position.js';
import { isTouched } from '../domain/triggers.js';
import { coverOf } from './draft.js';
import { Judge, type Seat, type Triggered } from './judge.js';
import { LeverMarkets, TRADING_AGE_MS } from './lever-markets.js';
import { BURST_RATE, OPEN_RATE, OVERNIGHT } from './lever-settings.js';
import { setNights } from './nights.js';
import { LeverDatabase, PositionStore, type AccountName, type Change } from './ports.js';
import { PositionEvents } from './position-events.js';

/**
 * Touch orders that the market has touched: 0 → 1 at their stored price (rules §3). One that would leave the account
 * below the opening rate, or the house without its cover, stays where it is and is asked again with the next tick.
 */
@Injectable()
export class OpenEntrusts {
  private readonly fees: Moves;

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
    this.fees = sagas.defineMove({ name: 'lever.opened' });
  }

  /** Opens, in one transaction, those that the tick has touched and that may open at the marks of this moment. */
  async trigger(account: AccountName, touching: Marks): Promise<Triggered> {
    const seat = await this.judge.claimForRisk(account);
    if (!seat) return 'taken';
    try {
      const found = this.opening(seat, touching);
      if (found.length > 0) {
        await this.database.transaction((tx) => this.openAll(tx, seat, found));
        return 'done';
      }
      await seat.leave();
      return 'nothing';
    } catch (error) {
      await seat.leave();
      if (error instanceof NoCover) return 'nothing';
      throw error;
    }
  }

  /** What opens, the oldest first; each is judged by the account with those before it. */
  private opening({ balance, positions }: Seat, touching: Marks): readonly Change[] {
    const marks = this.markets.marks(new Set(positions.map(({ pairId }) => pairId)), TRADING_AGE_MS);
    const at = this.clock.now();
    const terms = { overnight: this.settings.get(OVERNIGHT), burst: this.settings.get(BURST_RATE) };
    const changes: Change[] = [];
    let all = positions;
    for (const before of positions) {
      if (!isTouchedAt(before, touching) || !this.mayOpen(balance, all, before, marks)) continue;
      const after = opened(before, at, terms);
      changes.push({ before, after });
      all = all.map((one) => (one.id === before.id ? after : one));
    }
    return changes;
  }

  private mayOpen(balance: bigint, positions: readonly Position[], position: Position, marks: Marks): boolean {
    const mark = marks.get(position.pairId);
    if (mark === undefined) return false;
    if (!pairsOf(positions).every((pairId) => marks.has(pairId))) return false;
    return ratePasses(withOpened(accountOf(balance, positions, marks), position, mark), this.openRate);
  }
  private get openRate(): bigint {
    return this.settings.get(OPEN_RATE);
  }

  /**
   * What the house cannot cover stays where it is. An open one adds its margin and no profit, so those after it were
   * judged more strictly than they had to be.
   * @throws NoCover when the house covers none of them: nothing is done then
   */
  private async openAll(tx: Tx, seat: Seat, wanted: readonly Change[]): Promise<void> {
    await seat.enter(tx, null);
    const covered = await this.cover(tx, seat, wanted);
    if (covered.length === 0) throw new NoCover();
    if (!(await this.store.changeAll(tx, covered)))
      throw new Error(`invariant: a position of ${seat.account.userId} has changed under a claim`);
    await setNights(
      this.timers,
      tx,
      covered.map(({ after }) => after),
    );
    await this.fees.beginAll(
      tx,
      covered
        .filter(({ before: { fee } }) => fee > 0n)
        .map(({ before: position }) => ({ object: position.id, command: openedOrder(position) })),
    );
    for (const { after } of covered) this.positionEvents.opened(tx, after);
    this.positionEvents.changed(tx, seat.account);
  }

  /**
   * The orders that the house covers, in their order. One statement asks for all of them, since a hundred statements
   * outlast the claim; they are asked one by one only if the house does not cover all.
   */
  private async cover(tx: Tx, seat: Seat, wanted: readonly Change[]): Promise<readonly Change[]> {
    const most = coverOf(seat, this.settings);
    const { quote } = seat.account;
    const all = wanted.reduce((sum, { before }) => sum + before.notional, 0n);
    if (await this.store.expose(tx, quote, all, most)) return wanted;
    const covered: Change[] = [];
    for (const change of wanted)
      if (await this.store.expose(tx, quote, change.before.notional, most)) covered.push(change);
    return covered;
  }
}

function isTouchedAt(position: Position, marks: Marks): boolean {
  const mark = marks.get(position.pairId);
  return position.status === STATUS.pending && mark !== undefined && isTouched(position, mark);
}

/** The house has no cover for what would open. */
class NoCover extends Error {}

/** The account once a touch order stands: its margin and fee have left the balance when it was taken. */
const withOpened = (account: LeverAccount, position: Position, mark: bigint): LeverAccount => ({
  balance: account.balance,
  caution: account.caution + position.caution,
  originCaution: account.originCaution + position.originCaution,
  profits: account.profits + profitsAt(position.scales, position, mark),
});
