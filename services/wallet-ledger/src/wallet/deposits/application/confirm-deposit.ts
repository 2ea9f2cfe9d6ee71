import { available, LedgerCommandV1, ledgerPartition, TOPICS, type Leg } from '@bourse/events';
import { toUnits, type Units } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import type { Clock } from '@bourse/platform';
import { confirmationsOf, decideDeposit } from '../domain/deposit.js';
import type { DepositFacts } from './deposit-facts.js';
import type { DepositRow, DepositStore, NewDeposit } from './ports.js';

/** The user id whose partition keeps deposits without an owner in suspense. */
const NOBODY = 1;

/** Books a deposit that has its confirmations, in the transaction that changes its state (rules §8.3). */
export class ConfirmDeposit {
  constructor(
    private readonly store: DepositStore,
    private readonly partitions: number,
    private readonly clock: Clock,
    private readonly scaleOf: (currency: number) => number | undefined,
    private readonly facts: Pick<DepositFacts, 'credited' | 'held' | 'seen'>,
  ) {}

  /** Notifies the owners of the deposits in a block, in the transaction that stores it. */
  seen(tx: Tx, deposits: readonly NewDeposit[]): void {
    this.facts.seen(tx, deposits);
  }

  /**
   * Does nothing if the deposit is not waiting, or not deep enough at this tip. A held deposit waits again when it gets
   * a block back, and when its return has ended without a payment: meanwhile others were decided without it.
   */
  async execute(tx: Tx, id: string, tip: number): Promise<void> {
    const known = await this.store.read(tx, id);
    if (!known) return;
    // Before the deposit, as in its return.
    if (known.userId !== null) await this.store.alone(tx, known.userId, known.currencyId);
    const first = await this.store.lock(tx, id);
    // It was assigned to a person meanwhile: it is still due, and the next round decides it.
    if (first?.userId !== known.userId) return;
    if (confirmationsOf(first.height, tip) < first.needed) return;
    if (first.state !== 'seen' && !(await this.store.takeAgain(tx, id))) return;
    const scale = this.scaleOf(first.currencyId);
    if (scale === undefined) throw new Error(`invariant: deposit ${id} is of a coin that is not there`);
    await this.decide(tx, first, scale);
  }

  /**
   * Books a deposit to which an owner was assigned: a held one moves from suspense to the owner's partition of the
   * ledger and is then decided like any deposit. A deposit without its confirmations waits for them. The caller has
   * `alone` of the owner.
   */
  async owned(tx: Tx, row: DepositRow & { readonly userId: number }): Promise<void> {
    if (row.state !== 'held') return;
    const scale = this.scaleOf(row.currencyId);
    if (scale === undefined) throw new Error(`invariant: deposit ${row.id} is of a coin that is not there`);
    if (ledgerPartition(row.userId, this.partitions) !== ledgerPartition(NOBODY, this.partitions)) {
      const leg = { currency: row.currencyId, amount: row.amount };
      emitDeposit(
        tx,
        this.partitions,
        { id: row.id, userId: null },
        {
          transition: 'unowned',
          legs: [{ from: 'h.suspense', to: 'h.outside', ...leg }],
        },
      );
      emitDeposit(tx, this.partitions, row, {
        transition: 'owned',
        legs: [{ from: 'h.outside', to: 'h.suspense', ...leg }],
      });
    }
    await this.decide(tx, row, scale);
  }

  private async decide(tx: Tx, first: DepositRow, scale: number): Promise<void> {
    const others = first.userId === null ? [] : await this.store.held(tx, first.userId, first.currencyId);
    const held = others.filter(({ id }) => id !== first.id);
    const amount = toUnits(first.amount, scale);
    const heldBefore = held.reduce((sum, row) => sum + toUnits(row.amount, scale), 0n) as Units;
    switch (
      decideDeposit({ amount, minDeposit: toUnits(first.minimum, scale), heldBefore, owned: first.userId !== null })
    ) {
      case 'hold':
        return first.state === 'held' ? this.facts.held(tx, first) : this.book(tx, first, 'held');
      case 'credit':
        return this.book(tx, first, 'credited');
      case 'creditAll':
        for (const row of held) await this.book(tx, row, 'credited');
        return this.book(tx, first, 'credited');
    }
  }

  private async book(tx: Tx, row: DepositRow, to: 'held' | 'credited'): Promise<void> {
    if (row.state !== 'seen' && row.state !== 'held')
      throw new Error(`invariant: deposit ${row.id} is ${row.state} and is to be ${to}`);
    if (!(await this.store.move(tx, row.id, row.state, to, { at: this.clock.now() })))
      throw new Error(`invariant: deposit ${row.id} was locked and is no longer ${row.state}`);
    const person = row.userId ?? NOBODY;
    emitDeposit(tx, this.partitions, row, {
      transition: to === 'held' ? 'held' : 'credit',
      legs: [
        {
          from: row.state === 'held' ? 'h.suspense' : 'h.outside',
          to: to === 'held' ? 'h.suspense' : available(person, 'change'),
          currency: row.currencyId,
          amount: row.amount,
        },
      ],
    });
    if (to === 'credited') await this.facts.credited(tx, row);
    else this.facts.held(tx, row);
  }
}

/**
 * Emits a movement of a deposit to the ledger: `deposit:<id>:<transition>`. It cannot be refused: suspense has the
 * amount that leaves it.
 */
export function emitDeposit(
  tx: Tx,
  partitions: number,
  { id, userId }: Pick<DepositRow, 'id' | 'userId'>,
  {
    transition,
    legs,
  }: { readonly transition: 'held' | 'credit' | 'return' | 'unowned' | 'owned'; readonly legs: Leg[] },
): void {
  const person = userId ?? NOBODY;
  tx.emit(
    TOPICS.ledgerCommands,
    ledgerPartition(person, partitions),
    LedgerCommandV1.encode({
      issuer: 'chain',
      userId: person,
      journals: [{ id: `deposit:${id}:${transition}`, causeType: 'deposit', causeId: id, legs }],
    }),
  );
}
