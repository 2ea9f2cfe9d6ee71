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
import { Judge, type Seat } from './judge.js';
import { LeverMarkets, TRADING_AGE_MS } from './lever-markets.js';
import { BURST_RATE, OPEN_RATE, OVERNIGHT } from './lever-settings.js';
import { setNights } from './nights.js';
import { LeverDatabase, PositionStore, type AccountName } from './ports.js';
import { Tidings } from './tidings.js';

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
    private readonly tidings: Tidings,
    private readonly clock: Clock,
  ) {
    this.fees = sagas.defineMove({ name: 'lever.opened' });
  }

  /**
   * Opens the first that the tick has touched and that may open at the marks of this moment. False while somebody has
   * the account.
   */
  async trigger(account: AccountName, touching: Marks): Promise<boolean> {
    const seat = await this.judge.tryClaim(account);
    if (!seat) return false;
    try {
      const marks = this.markets.marks(new Set(seat.positions.map(({ pairId }) => pairId)), TRADING_AGE_MS);
      const found = seat.positions.find(
        (position) => isTouchedAt(position, touching) && this.mayOpen(seat, position, marks),
      );
      if (found) await this.database.transaction((tx) => this.open(tx, seat, found));
      else await seat.leave();
      return true;
    } catch (error) {
      await seat.leave();
      if (error instanceof NoCover) return true;
      throw error;
    }
  }

  private mayOpen(seat: Seat, position: Position, marks: Marks): boolean {
    const mark = marks.get(position.pairId);
    if (mark === undefined) return false;
    if (!pairsOf(seat.positions).every((pairId) => marks.has(pairId))) return false;
    return ratePasses(withOpened(accountOf(seat.balance, seat.positions, marks), position, mark), this.openRate);
  }
  private get openRate(): bigint {
    return this.settings.get(OPEN_RATE);
  }

  /** @throws NoCover when the house cannot cover it: nothing is done then */
  private async open(tx: Tx, seat: Seat, position: Position): Promise<void> {
    const at = this.clock.now();
    const terms = { overnight: this.settings.get(OVERNIGHT), burst: this.settings.get(BURST_RATE) };
    const after = opened(position, at, terms);
    await seat.enter(tx, null);
    if (!(await this.store.expose(tx, position.quote, position.notional, coverOf(seat, this.settings))))
      throw new NoCover();
    if (!(await this.store.change(tx, position, after)))
      throw new Error(`invariant: position ${position.id} has changed under a claim`);
    await setNights(this.timers, tx, [after]);
    if (position.fee > 0n) await this.fees.begin(tx, { object: position.id, command: openedOrder(position) });
    this.tidings.opened(tx, after);
    this.tidings.changed(tx, seat.account);
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
