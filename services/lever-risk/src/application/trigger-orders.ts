import { Injectable } from '@nestjs/common';
import { profitsAt, ratePasses, type LeverAccount } from '@bourse/formulas';
import { Sagas, type Moves } from '@bourse/ledger-client';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { accountOf, pairsOf, type Marks } from '../domain/account.js';
import { openedOrder } from '../domain/journals.js';
import { opened, STATUS, type Position } from '../domain/position.js';
import type { RiskAccount } from '../domain/risk-book.js';
import { asOfTick, isTriggered } from '../domain/triggers.js';
import { houseLimit } from './draft.js';
import { AccountClaims, type ClaimedAccount, type TriggerOutcome } from './account-claims.js';
import { LeverMarkets, TRADING_AGE_MS } from './lever-markets.js';
import { LIQUIDATION_RATE, OPEN_RATE, OVERNIGHT } from './lever-settings.js';
import { scheduleOvernightFees } from './overnight-fees.js';
import { LeverDatabase, Openings, PositionStore, type Change } from './ports.js';
import { PositionEvents } from './position-events.js';

/**
 * Opens trigger orders that the market has reached: 0 → 1 at their stored price (rules §3). An order that would leave
 * the account below the opening rate, or the house without its cover, stays pending and is tried again on the next
 * tick. So does one that its owner could not submit now: the market or leverage is closed, or the owner is frozen.
 */
@Injectable()
export class TriggerOrders {
  private readonly fees: Moves;

  constructor(
    sagas: Sagas,
    private readonly database: LeverDatabase,
    private readonly claims: AccountClaims,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly settings: Settings,
    private readonly timers: Timers,
    private readonly positionEvents: PositionEvents,
    private readonly openings: Openings,
    private readonly clock: Clock,
  ) {
    this.fees = sagas.defineMove({ name: 'lever.opened' });
  }

  /**
   * Opens, in one transaction, the orders that the tick has reached and that may open at the current marks.
   * @param known the account at the tick: orders placed later wait for the next one
   */
  async trigger(known: RiskAccount, tick: Marks): Promise<TriggerOutcome> {
    if (!(await this.openings.areOpen(known.userId))) return 'nothing';
    const claimed = await this.claims.claimForRisk(known);
    if (!claimed) return 'taken';
    try {
      const reached = reachedOrders(asOfTick(known.positions, claimed).positions, tick);
      if (this.opening(claimed, reached).length > 0) {
        await this.database.transaction((tx) => this.openAll(tx, claimed, reached));
        return 'done';
      }
      await claimed.release();
      return 'nothing';
    } catch (error) {
      await claimed.release();
      if (error instanceof NoneOpensError) return 'nothing';
      throw error;
    }
  }

  /**
   * The orders that open, the oldest first; each is checked on the account with those before it.
   * @param reached ids of the orders that the tick has reached
   */
  private opening({ balance, positions }: ClaimedAccount, reached: ReadonlySet<string>): readonly Change[] {
    const marks = this.markets.marks(new Set(positions.map(({ pairId }) => pairId)), TRADING_AGE_MS);
    const at = this.clock.now();
    const terms = { overnight: this.settings.get(OVERNIGHT), liquidationRate: this.settings.get(LIQUIDATION_RATE) };
    const changes: Change[] = [];
    let all = positions;
    for (const before of positions) {
      if (!reached.has(before.id) || !this.mayOpen(balance, all, before, marks)) continue;
      const after = opened(before, at, terms);
      changes.push({ before, after });
      all = all.map((one) => (one.id === before.id ? after : one));
    }
    return changes;
  }

  private mayOpen(balance: bigint, positions: readonly Position[], position: Position, marks: Marks): boolean {
    const mark = marks.get(position.pairId);
    if (mark === undefined || !this.markets.byPair(position.pairId).isOpen) return false;
    if (!pairsOf(positions).every((pairId) => marks.has(pairId))) return false;
    return ratePasses(withOpened(accountOf(balance, positions, marks), position, mark), this.openRate);
  }
  private get openRate(): bigint {
    return this.settings.get(OPEN_RATE);
  }

  /**
   * Opens the orders that the house covers. Orders after one that it does not cover were checked with that one open,
   * which is stricter than needed: an opened order adds its margin and no profit.
   * @throws NoneOpensError if none may open or the house covers none; the transaction then has no effect
   */
  private async openAll(tx: Tx, claimed: ClaimedAccount, reached: ReadonlySet<string>): Promise<void> {
    // Decided again: the prices may have changed while the transaction waited.
    const wanted = this.opening(claimed, reached);
    if (wanted.length === 0) throw new NoneOpensError();
    await claimed.commit(tx, null);
    const covered = await this.cover(tx, claimed, wanted);
    if (covered.length === 0) throw new NoneOpensError();
    if (!(await this.store.changeAll(tx, covered)))
      throw new Error(`invariant: a position of ${claimed.account.userId} has changed under a claim`);
    await scheduleOvernightFees(
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
    for (const { after } of covered) this.positionEvents.notifyOpened(tx, after);
    this.positionEvents.publishAfterCommit(tx, claimed.account);
  }

  /**
   * The orders that the house covers, in their order. One statement adds all of them, since a hundred statements
   * outlast the claim; they are added one by one only if the house does not cover all.
   */
  private async cover(tx: Tx, claimed: ClaimedAccount, wanted: readonly Change[]): Promise<readonly Change[]> {
    const most = houseLimit(claimed, this.settings);
    const { quote } = claimed.account;
    const all = wanted.reduce((sum, { before }) => sum + before.notional, 0n);
    if (await this.store.addOpenNotional(tx, quote, all, most)) return wanted;
    const covered: Change[] = [];
    for (const change of wanted)
      if (await this.store.addOpenNotional(tx, quote, change.before.notional, most)) covered.push(change);
    return covered;
  }
}

/** Ids of the trigger orders that these prices reach. */
function reachedOrders(positions: readonly Position[], marks: Marks): ReadonlySet<string> {
  const reached = positions.filter((position) => {
    const mark = marks.get(position.pairId);
    return position.status === STATUS.pending && mark !== undefined && isTriggered(position, mark);
  });
  return new Set(reached.map(({ id }) => id));
}

/** None of the orders may open, or the house covers none. */
class NoneOpensError extends Error {}

/** The account once a trigger order is open: its margin and fee left the balance when it was accepted. */
const withOpened = (account: LeverAccount, position: Position, mark: bigint): LeverAccount => ({
  balance: account.balance,
  margin: account.margin + position.margin,
  initialMargin: account.initialMargin + position.initialMargin,
  profits: account.profits + profitsAt(position.scales, position, mark),
});
