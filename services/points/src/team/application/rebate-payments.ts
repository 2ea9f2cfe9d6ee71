import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { available, REBATE_CAUSE, TOPICS, userNotices } from '@bourse/events';
import { Sagas, type LedgerOrder, type Moves } from '@bourse/ledger-client';
import { Reference } from '@bourse/messaging';
import { formatTrimmed, formatUnits, toUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { dayOf, paymentOf, settled } from '../domain/rebate.js';
import { PointsDatabase } from '../../shared/application/database.js';
import { RebateStore, type Carry, type OwedDay, type SettledDay } from './rebate-ports.js';
import { coinOf } from './team-coins.js';
import { TeamStore } from './team-ports.js';

/** Timers: a day ends, and the next piece of what is owed is paid. */
const DAY_TIMER = 'rebate.day';
const PIECE_TIMER = 'rebate.piece';
/** Rebates of one transaction. */
const PIECE = 500;
const PROFITS = '/account/profit';

type Named = Pick<OwedDay, 'day' | 'person' | 'currency'>;
/** Names a rebate once: by it the ledger knows the journal. */
const nameOf = ({ day, person, currency }: Named): string => `${day}:${person}:${currency}`;
function named(object: string): Named {
  const [day = 0, person = 0, currency = 0] = object.split(':').map(Number);
  return { day, person, currency };
}

/** `h.fees → u.change`; it waits where the house is short, with an alarm (rules §11). */
function rebateOrder(rebate: Named, amount: string): LedgerOrder {
  const { person, currency } = rebate;
  const leg = { from: 'h.fees', to: available(person, 'change'), currency, amount };
  return {
    issuer: 'points',
    userId: person,
    onBehalfOf: null,
    journals: [{ id: `rebate:${nameOf(rebate)}`, causeType: REBATE_CAUSE, causeId: nameOf(rebate), legs: [leg] }],
  };
}

/**
 * Pays the rebates of a day at 00:05 UTC of the next (rules §11, §13), each once. Several missed midnights are several
 * days. An amount below one unit of the coin, or below zero, is carried on [TEAM-021] [TEAM-022].
 */
@Injectable()
export class RebatePayments implements OnApplicationBootstrap {
  private readonly moves: Moves;

  constructor(
    sagas: Sagas,
    private readonly database: PointsDatabase,
    private readonly timers: Timers,
    private readonly team: TeamStore,
    private readonly store: RebateStore,
    private readonly reference: Reference,
    private readonly clock: Clock,
  ) {
    this.moves = sagas.defineMove({
      name: 'team.rebate',
      onAllBooked: (tx, objects) => this.booked(tx, objects.map(named)),
    });
    timers.handle(DAY_TIMER, ({ dueAt }, tx) => this.close(tx, dueAt));
    timers.handle(PIECE_TIMER, ({ id, dueAt }, tx) => this.pay(tx, Number(id), dueAt));
  }

  /** The first start of an install: earlier days are not owed. */
  async onApplicationBootstrap(): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.team.alone(tx);
      if ((await this.store.closed(tx)) !== null) return;
      const today = dayOf(this.clock.now());
      await this.store.close(tx, today - 1);
      await this.timers.set(tx, DAY_TIMER, 'next', paymentOf(today));
    });
  }

  /** Nothing is added to a day from here on. */
  private async close(tx: Tx, dueAt: number): Promise<void> {
    const day = dayOf(dueAt) - 1;
    await this.team.alone(tx);
    await this.store.close(tx, day);
    await this.timers.set(tx, DAY_TIMER, 'next', paymentOf(day + 1));
    await this.timers.set(tx, PIECE_TIMER, String(day), dueAt);
  }

  private async pay(tx: Tx, day: number, dueAt: number): Promise<void> {
    await this.team.alone(tx);
    const owed = await this.store.owed(tx, day, PIECE);
    if (owed.length === 0) return;
    const carries = new Map<string, Carry>(
      (await this.store.carries(tx, owed)).map((carry) => [`${carry.person}.${carry.currency}`, carry]),
    );
    const days = owed.map((one): SettledDay => {
      const { person, currency, sum } = one;
      const { scale } = coinOf(this.reference, currency);
      const key = `${person}.${currency}`;
      const { amount, carry } = settled({ sum, carry: carries.get(key)?.amount ?? 0n }, scale);
      carries.set(key, { person, currency, amount: carry });
      return { ...one, amount: formatUnits(amount, scale), isPaid: amount > 0n };
    });
    await this.store.settle(tx, days, [...carries.values()]);
    const paid = days.filter(({ isPaid }) => isPaid);
    if (paid.length > 0)
      await this.moves.beginAll(
        tx,
        paid.map((one) => ({ object: nameOf(one), command: rebateOrder(one, one.amount) })),
      );
    if (owed.length === PIECE) await this.timers.set(tx, PIECE_TIMER, String(day), dueAt);
  }

  private async booked(tx: Tx, rebates: readonly Named[]): Promise<void> {
    const at = this.clock.now();
    const paid = await this.store.paid(tx, rebates, at);
    if (paid.length === 0) return;
    const notices = paid.map((rebate) => {
      const { scale, name } = coinOf(this.reference, rebate.currency);
      const amount = `${formatTrimmed(toUnits(rebate.amount, scale), scale)} ${name}`;
      const id = `rebate:${nameOf(rebate)}`;
      return { userId: rebate.person, id, kind: 'rebatePaid' as const, params: { amount }, link: PROFITS, at };
    });
    tx.emit(TOPICS.userNotices, 0, userNotices(notices));
  }
}
