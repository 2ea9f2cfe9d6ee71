import { Injectable } from '@nestjs/common';
import { Sagas, type Moves, type Saga } from '@bourse/ledger-client';
import { Timers, type DueTimer, type Tx } from '@bourse/persistence';
import { Notice, randomId } from '@bourse/platform';
import { LeverDatabase, AccountStore, PositionStore, type AccountName } from './ports.js';
import { overnightFeeOrder, unpaidFeeOrder } from '../domain/journals.js';
import { chargeOvernightFee, DAY_MS, nextMidnight, payableOvernightFees } from '../domain/overnight-fees.js';
import { withUnpaidFeeSettled, STATUS, type Position } from '../domain/position.js';
import { AccountClaims } from './account-claims.js';
import { PositionEvents } from './position-events.js';

export const OVERNIGHT_TIMER = 'lever.night';

/** Sets the timers of the first midnight, in the transaction that opens the positions. */
export const scheduleOvernightFees = (timers: Timers, tx: Tx, opened: readonly Position[]): Promise<void> =>
  timers.setAll(
    tx,
    OVERNIGHT_TIMER,
    opened.map(({ id, openedAt }) => ({ id, dueAt: nextMidnight(openedAt ?? 0) })),
  );

/**
 * Charges the overnight fee (rules §3) at 00:00 UTC to each open position. The margin pays first; the remainder is
 * stored as unpaid and collected from the balance under a claim of the account. A timer takes its due time as its now:
 * three missed midnights charge three fees.
 */
@Injectable()
export class OvernightFees {
  private readonly fees: Moves;
  private readonly collections: Saga<null>;

  constructor(
    sagas: Sagas,
    private readonly database: LeverDatabase,
    private readonly timers: Timers,
    private readonly accounts: AccountStore,
    private readonly store: PositionStore,
    private readonly claims: AccountClaims,
    private readonly positionEvents: PositionEvents,
  ) {
    this.fees = sagas.defineMove({ name: 'lever.night' });
    this.collections = sagas.define<null>({
      name: 'lever.rest',
      onPosted: async (tx, { object, userId }) => {
        await this.settleInFlight(tx, object, userId);
        return new Notice('common.success');
      },
      // The balance was read under the claim and no other service debits it: only a defect leads here.
      onRefused: async (tx, { object, userId }, refusal) => {
        await this.settleInFlight(tx, object, userId);
        return refusal;
      },
    });
    timers.handleAll(OVERNIGHT_TIMER, (due, tx) => this.charge(due, tx));
  }

  private async charge(due: readonly DueTimer[], tx: Tx): Promise<void> {
    const ids = due.map(({ id }) => id);
    // Locks are taken in one order everywhere: timers, accounts, positions.
    const touched = await this.store.accountsOf(tx, ids);
    await this.accounts.touch(tx, touched);
    const found = new Map((await this.store.lock(tx, ids)).map((one) => [one.id, one]));
    for (const { id, dueAt } of due) {
      const position = found.get(id);
      if (position?.status !== STATUS.open) continue;
      const { position: after, charge } = chargeOvernightFee(position, dueAt);
      if (!(await this.store.change(tx, position, after)))
        throw new Error(`invariant: position ${id} has changed under its lock`);
      found.set(id, { ...after, revision: position.revision + 1 });
      await this.timers.set(tx, OVERNIGHT_TIMER, id, dueAt + DAY_MS);
      if (charge.fromMargin > 0n)
        await this.fees.begin(tx, { object: `${id}:${charge.day}`, command: overnightFeeOrder(position, charge) });
    }
    for (const account of touched) this.positionEvents.publishAfterCommit(tx, account);
  }

  /** Collects unpaid overnight fees from the balance, which stops at 0. False if the account is taken. */
  async collectOvernightFees(account: AccountName): Promise<boolean> {
    const claimed = await this.claims.tryClaim(account);
    if (!claimed) return false;
    const payable = payableOvernightFees(claimed.balance, claimed.positions);
    const parts = claimed.positions.flatMap((position) => {
      const paid = payable.get(position.id);
      return paid === undefined ? [] : [{ position, paid }];
    });
    const settlement = randomId();
    const isPaid = parts.some(({ paid }) => paid > 0n);
    try {
      await this.database.transaction(async (tx) => {
        await claimed.commit(tx, isPaid ? inFlight(account, settlement) : null);
        for (const { position, paid } of parts)
          if (!(await this.store.change(tx, position, withUnpaidFeeSettled(position, position.changedAt, paid))))
            throw new Error(`invariant: position ${position.id} has changed under a claim`);
        if (isPaid)
          await this.collections.begin(tx, {
            object: inFlight(account, settlement),
            note: null,
            command: unpaidFeeOrder(account, parts, settlement),
          });
      });
    } catch (error) {
      await claimed.release();
      throw error;
    }
    return true;
  }

  private settleInFlight(tx: Tx, object: string, userId: number): Promise<void> {
    return this.claims.settleInFlight(tx, [{ userId, quote: Number(object.split(':')[1]), inFlight: object }]);
  }
}

const inFlight = ({ quote }: AccountName, settlement: string): string => `rest:${quote}:${settlement}`;
