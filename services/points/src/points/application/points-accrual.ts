import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MAKER_ID, TAKER_ID } from '@bourse/contract';
import { isExchangeFee, TOPICS, userNotices, type FeesPaid } from '@bourse/events';
import { Sagas, type Moves } from '@bourse/ledger-client';
import { decimals, formatTrimmed, toUnits } from '@bourse/money';
import { Timers, type DueTimer, type Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { bookingTime, pointsOfDay, usdValue } from '../domain/points-accrual.js';
import { credited, dayOf, POINTS_SCALE, type PointsAccount } from '../domain/points-account.js';
import { AccrualStore, UsdPrices, type DayPoints, type FeeValue, type UnvaluedFee } from './accrual-ports.js';
import { dayObject, dayOrder } from './points-journals.js';
import { PointsStore } from './points-ports.js';
import { PointsDatabase } from '../../shared/application/database.js';

/** The booking of a day, by its number. */
const DAY_TIMER = 'points.day';
/** People of one transaction. */
const BATCH = 500;
/** House accounts earn nothing. */
const HOUSE: ReadonlySet<number> = new Set([MAKER_ID, TAKER_ID]);
const LINK = '/account/integralExchange';

/**
 * Points for fees paid: one for each USD, booked at 00:05 UTC for the day before, by payer (rules §10, §13). The value
 * of a fee is fixed when its fact arrives; a fee that arrives for a booked day counts for the first that is not booked.
 */
@Injectable()
export class PointsAccrual implements OnApplicationBootstrap {
  private readonly bookings: Moves;

  constructor(
    sagas: Sagas,
    private readonly database: PointsDatabase,
    private readonly store: AccrualStore,
    private readonly accounts: PointsStore,
    private readonly prices: UsdPrices,
    private readonly timers: Timers,
    private readonly clock: Clock,
  ) {
    this.bookings = sagas.defineMove({
      name: 'points.day',
      onAllBooked: (tx, objects) => this.booked(tx, objects),
    });
    timers.handle(DAY_TIMER, (timer, tx) => this.bookDay(tx, timer));
  }

  /** The first process of an install starts with the present day. */
  async onApplicationBootstrap(): Promise<void> {
    await this.database.transaction(async (tx) => {
      const day = dayOf(this.clock.now());
      if (await this.store.begin(tx, day)) await this.timers.set(tx, DAY_TIMER, String(day), bookingTime(day));
    });
  }

  /** Takes fees from the ledger, in the transaction that moves the position in its stream. */
  async take(tx: Tx, facts: readonly FeesPaid[]): Promise<void> {
    const fees = facts
      .flatMap((fact) => fact.fees)
      .filter(({ cause, payer }) => isExchangeFee(cause) && !HOUSE.has(payer))
      .map(({ journal, payer, currency, amount, at }): UnvaluedFee => ({
        ...{ journal, userId: payer, currencyId: currency, amount, at },
      }));
    const before = await this.store.takeUnvalued(tx, BATCH);
    await this.value(tx, [...before, ...fees]);
  }

  private async value(tx: Tx, fees: readonly UnvaluedFee[]): Promise<void> {
    if (fees.length === 0) return;
    const next = (await this.store.nextDay(tx)) ?? dayOf(this.clock.now());
    const [valued, unvalued]: [FeeValue[], UnvaluedFee[]] = [[], []];
    for (const fee of fees) {
      const price = this.prices.of(fee.currencyId);
      if (price === null) unvalued.push(fee);
      else
        valued.push({
          day: Math.max(dayOf(fee.at), next),
          userId: fee.userId,
          value: usdValue(exact(fee.amount), exact(price)),
        });
    }
    await this.store.add(tx, summed(valued));
    await this.store.keepUnvalued(tx, unvalued);
  }

  private async bookDay(tx: Tx, { id, dueAt }: DueTimer): Promise<void> {
    const day = Number(id);
    if (await this.store.close(tx, day)) await this.timers.set(tx, DAY_TIMER, String(day + 1), bookingTime(day + 1));
    const open = await this.store.open(tx, day, BATCH);
    const settled = open.map(({ userId, value }) => ({ userId, ...pointsOfDay(value) }));
    const owed = settled.filter((row) => row.owed < 0n);
    const next = (await this.store.nextDay(tx)) ?? day + 1;
    await this.store.add(
      tx,
      owed.map(({ userId, owed: value }) => ({ day: next, userId, value })),
    );
    await this.store.settle(
      tx,
      settled.map(({ userId, points }) => ({ day, userId, points })),
    );
    await this.bookings.beginAll(
      tx,
      settled
        .filter(({ points }) => points > 0n)
        .map(({ userId, points }) => ({ object: dayObject(day, userId), command: dayOrder(userId, day, points) })),
    );
    // The others of this day come before the next one: they are due at the same time as these.
    if (open.length === BATCH) await this.timers.set(tx, DAY_TIMER, id, dueAt);
  }

  /** The ledger has booked these points: they are in the accounts, and people are notified. */
  private async booked(tx: Tx, objects: readonly string[]): Promise<void> {
    const rows = await this.store.book(tx, objects.map(keyOf));
    const userIds = [...new Set(rows.map(({ userId }) => userId))];
    const accounts = await this.accounts.lockAccounts(tx, userIds);
    // Booked at 00:05 of the day after, whatever the hour at which the ledger got the command.
    const withDays = (account: PointsAccount): PointsAccount =>
      rows
        .filter(({ userId }) => userId === account.userId)
        .sort((a, b) => a.day - b.day)
        .reduce((sum, { points, day }) => credited(sum, points, 0n, day + 1), account);
    await this.accounts.saveAccounts(tx, accounts.map(withDays));
    const at = this.clock.now();
    const told = rows.map(({ day, userId, points }) => ({
      ...{ userId, id: `points:day:${day}`, kind: 'pointsBooked' as const, link: LINK, at },
      params: { amount: `${formatTrimmed(points, POINTS_SCALE)} PTS` },
    }));
    if (told.length > 0) tx.emit(TOPICS.userNotices, 0, userNotices(told));
  }
}

const exact = (text: string): { readonly units: bigint; readonly scale: number } => {
  const isNegative = text.startsWith('-');
  const plain = isNegative ? text.slice(1) : text;
  const scale = decimals(plain);
  const units = toUnits(plain, scale);
  return { units: isNegative ? -units : units, scale };
};

const keyOf = (object: string): Pick<DayPoints, 'day' | 'userId'> => {
  const [day, userId] = object.split(':').map(Number);
  return { day: day!, userId: userId! };
};

/** One row for each day and person, in an order that all writers share. */
function summed(fees: readonly FeeValue[]): readonly FeeValue[] {
  const sums = new Map<string, FeeValue>();
  for (const fee of fees) {
    const key = dayObject(fee.day, fee.userId);
    sums.set(key, { ...fee, value: (sums.get(key)?.value ?? 0n) + fee.value });
  }
  return [...sums.values()].sort((a, b) => a.day - b.day || a.userId - b.userId);
}
