import { Injectable } from '@nestjs/common';
import { available, held, ledgerPartition, TOPICS, userEvent, type Leg } from '@bourse/events';
import { Commands, Sagas, type LedgerOrder, type Moves, type Saga } from '@bourse/ledger-client';
import { Log } from '@bourse/messaging';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { closingTime, holdOf, isDue, type Box } from '../domain/box.js';
import { MAX_OPEN, SECONDS } from './box-settings.js';
import { BoxStore } from './ports.js';

const CLOSING = 'box.close';

/** Opens boxes and closes them when they are due. */
@Injectable()
export class Boxes {
  private readonly opening: Saga<{ readonly seconds: number }>;
  private readonly returns: Moves;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly log: Log,
    private readonly store: BoxStore,
    private readonly settings: Settings,
    private readonly timers: Timers,
    private readonly clock: Clock,
  ) {
    this.opening = sagas.define<{ readonly seconds: number }>({
      name: 'box.open',
      onPosted: async (tx, { object, note, acceptedAt }) => {
        const closesAt = closingTime(acceptedAt, note.seconds);
        this.tell(tx, await this.store.open(tx, object, closesAt));
        await this.timers.set(tx, CLOSING, object, closesAt);
        return new Notice('box.opened', { id: object, closes_at: closesAt });
      },
      onRefused: async (tx, { object, userId }, refusal) => {
        await this.store.drop(tx, object);
        await this.store.giveBack(tx, userId);
        return refusal;
      },
    });
    this.returns = sagas.defineMove({ name: 'box.return' });
    this.timers.handle(CLOSING, ({ id, dueAt }, tx) => this.close(tx, id, dueAt));
  }

  /** @throws Refused `box.tooMany` when the person has too many, and as the ledger says. */
  open(userId: number, currency: number, amount: string, context: CallContext): Promise<Notice> {
    const most = this.settings.get(MAX_OPEN);
    const seconds = this.settings.get(SECONDS);
    return this.commands.run(context, {
      decide: async (tx) => {
        if (!(await this.store.take(tx, userId, most))) throw new Refused('box.tooMany', { most });
        const object = await this.store.insert(tx, { userId, currency, amount, seconds });
        const command = stakeOf({ id: object, userId, currency, amount });
        return this.opening.ask({ object, note: { seconds }, command });
      },
    });
  }

  list(userId: number): Promise<readonly Box[]> {
    return this.store.list(userId);
  }

  /** Closes a box before its time. @throws Refused `common.notFound` if it is not an open box of this person. */
  closeEarly(userId: number, id: string, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      decide: async (tx) => {
        const box = await this.store.close(tx, id, { userId });
        if (!box) throw new Refused('common.notFound');
        await this.timers.cancel(tx, CLOSING, id);
        await this.closed(tx, box);
        const answer = new Notice('common.success', { id });
        return this.returns.move({ object: id, command: returnOf(box), answer });
      },
    });
  }

  private async closed(tx: Tx, box: Box): Promise<void> {
    this.tell(tx, box);
    await this.store.giveBack(tx, box.userId);
  }

  private async close(tx: Tx, id: string, now: number): Promise<void> {
    const box = await this.store.close(tx, id, { dueAt: Math.max(now, this.clock.now()) });
    if (!box) return;
    if (!isDue({ ...box, state: 'open' }, this.clock.now())) throw new Error(`invariant: box ${id} is not due`);
    await this.closed(tx, box);
    await this.returns.begin(tx, { object: id, command: returnOf(box) });
  }

  /** Notifies the owner by the socket once the transaction is committed. */
  private tell(tx: Tx, { id, userId, currency, amount, state, closesAt }: Box): void {
    if (state === 'waiting') throw new Error(`invariant: box ${id} is pushed before it is open`);
    const box = { id, currency, amount, state, closes_at: closesAt ?? 0 };
    tx.emit(
      TOPICS.userEvents,
      ledgerPartition(userId, this.log.partitionsOf(TOPICS.userEvents)),
      userEvent(userId, 'box_update', { box }),
    );
  }
}

type Stake = Pick<Box, 'id' | 'userId' | 'currency' | 'amount'>;

const commandOf = (box: Stake, what: string, onBehalfOf: number | null, leg: Leg): LedgerOrder => ({
  issuer: 'service-template',
  userId: box.userId,
  onBehalfOf,
  journals: [{ id: `${holdOf(box.id)}:${what}`, causeType: 'box', causeId: box.id, legs: [leg] }],
});

/** The first step: moves an available amount into a hold of the box; it may be refused. */
const stakeOf = (box: Stake): LedgerOrder =>
  commandOf(box, 'open', box.userId, {
    from: available(box.userId, 'change'),
    to: held(box.userId, 'change', holdOf(box.id)),
    currency: box.currency,
    amount: box.amount,
  });

/** Releases the hold of a box; the ledger cannot refuse it. */
const returnOf = (box: Stake): LedgerOrder =>
  commandOf(box, 'return', null, {
    from: held(box.userId, 'change', holdOf(box.id)),
    to: available(box.userId, 'change'),
    currency: box.currency,
    amount: 'rest',
  });
