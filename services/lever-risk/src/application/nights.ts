import { Injectable } from '@nestjs/common';
import { Sagas, type Moves, type Saga } from '@bourse/ledger-client';
import { Timers, type DueTimer, type Tx } from '@bourse/persistence';
import { Notice, randomId } from '@bourse/platform';
import { LeverDatabase, AccountStore, PositionStore, type AccountName } from './ports.js';
import { nightOrder, restOrder } from '../domain/journals.js';
import { chargeNight, nextNight, nightRests } from '../domain/night.js';
import { paidRest, STATUS, type Position } from '../domain/position.js';
import { Judge } from './judge.js';
import { PositionEvents } from './position-events.js';

export const NIGHT = 'lever.night';
const DAY_MS = 86_400_000;

/** In the transaction that opens a position. */
export const setNights = (timers: Timers, tx: Tx, opened: readonly Position[]): Promise<void> =>
  timers.setAll(
    tx,
    NIGHT,
    opened.map(({ id, openedAt }) => ({ id, dueAt: nextNight(openedAt ?? 0) })),
  );

/**
 * The night fee (rules §3): at 00:00 UTC, of each position that is open then, out of its margin. What the margin does
 * not cover is noted, and taken from the balance under the judge's claim. A timer's due time is its now: three missed
 * midnights charge three fees.
 */
@Injectable()
export class Nights {
  private readonly fees: Moves;
  private readonly rests: Saga<null>;

  constructor(
    sagas: Sagas,
    private readonly database: LeverDatabase,
    private readonly timers: Timers,
    private readonly accounts: AccountStore,
    private readonly store: PositionStore,
    private readonly judge: Judge,
    private readonly positionEvents: PositionEvents,
  ) {
    this.fees = sagas.defineMove({ name: 'lever.night' });
    this.rests = sagas.define<null>({
      name: 'lever.rest',
      onPosted: async (tx, { object, userId }) => {
        await this.landed(tx, object, userId);
        return new Notice('common.success');
      },
      // The balance was read under the claim and nobody else debits it: only a mistake comes here, and it is told.
      onRefused: async (tx, { object, userId }, refusal) => {
        await this.landed(tx, object, userId);
        return refusal;
      },
    });
    timers.handleAll(NIGHT, (due, tx) => this.charge(due, tx));
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
      const { position: after, night } = chargeNight(position, dueAt);
      if (!(await this.store.change(tx, position, after)))
        throw new Error(`invariant: position ${id} has changed under its lock`);
      found.set(id, { ...after, revision: position.revision + 1 });
      await this.timers.set(tx, NIGHT, id, dueAt + DAY_MS);
      if (night.ofCaution > 0n)
        await this.fees.begin(tx, { object: `${id}:${night.day}`, command: nightOrder(position, night) });
    }
    for (const account of touched) this.positionEvents.changed(tx, account);
  }

  /** What margins did not cover of night fees, out of the balance, stopping at 0. False when it has to wait. */
  async payRests(account: AccountName): Promise<boolean> {
    const seat = await this.judge.tryClaim(account);
    if (!seat) return false;
    const rests = nightRests(seat.balance, seat.positions);
    const parts = seat.positions.flatMap((position) => {
      const paid = rests.get(position.id);
      return paid === undefined ? [] : [{ position, paid }];
    });
    const settlement = randomId();
    const isPaid = parts.some(({ paid }) => paid > 0n);
    try {
      await this.database.transaction(async (tx) => {
        await seat.enter(tx, isPaid ? inFlight(account, settlement) : null);
        for (const { position, paid } of parts)
          if (!(await this.store.change(tx, position, paidRest(position, position.changedAt, paid))))
            throw new Error(`invariant: position ${position.id} has changed under a claim`);
        if (isPaid)
          await this.rests.begin(tx, {
            object: inFlight(account, settlement),
            note: null,
            command: restOrder(account, parts, settlement),
          });
      });
    } catch (error) {
      await seat.leave();
      throw error;
    }
    return true;
  }

  private landed(tx: Tx, object: string, userId: number): Promise<void> {
    return this.judge.land(tx, [{ userId, quote: Number(object.split(':')[1]), inFlight: object }]);
  }
}

const inFlight = ({ quote }: AccountName, settlement: string): string => `rest:${quote}:${settlement}`;
