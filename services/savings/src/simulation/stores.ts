// Stores of the simulator: the tables of `PostgresSubscriptions` with their checks, on a server in memory.
import type { Tx } from '@bourse/persistence';
import { rejectUnused, type MemoryTx } from '@bourse/persistence/memory';
import { DepositConfigs, SubscriptionStore, type DepositConfig } from '../application/savings-ports.js';
import { accepted, type Accepted, type Agreement, type Subscription } from '../domain/subscription.js';

export const SCHEMA = 'savings';
export const SUBSCRIPTION = `${SCHEMA}.subscription`;
export const CURRENCY = 3;

/** Days of a term that does not end while a run lasts. */
export const ENDLESS = 100_000;
/** Terms that end while a run is under load, while it heals, and not at all. */
export class SimulatedConfigs extends DepositConfigs {
  async all(): Promise<readonly DepositConfig[]> {
    return [1, 4, ENDLESS].map((day, at) => ({
      id: at + 1,
      currencyId: CURRENCY,
      day,
      interestRate: '3.7',
      saveMin: '10',
      isOpen: true,
    }));
  }
}

const isAccepted = (subscription: Subscription | undefined): subscription is Accepted =>
  subscription !== undefined && subscription.state !== 'waiting';

export class SimulatedSubscriptions extends SubscriptionStore {
  lockReserved(tx: Tx, { userId, currencyId }: Agreement): Promise<bigint> {
    return (tx as MemoryTx).statement('sum the interest of a person', async (at) => {
      await at.lock(`${SCHEMA}.terms_of`, `${userId} ${currencyId}`);
      return [...at.rows<Subscription>(SUBSCRIPTION)]
        .map(([, row]) => row)
        .filter((row) => row.userId === userId && row.currencyId === currencyId)
        .filter(({ state }) => state === 'waiting' || state === 'accruing')
        .reduce((sum, { profit }) => sum + profit, 0n);
    });
  }

  async insert(tx: Tx, agreement: Agreement): Promise<void> {
    const row: Subscription = {
      ...agreement,
      state: 'waiting',
      createdAt: null,
      startAt: null,
      endAt: null,
      endedAt: null,
    };
    await (tx as MemoryTx).statement('insert a subscription', async (at) => {
      await at.lock(SUBSCRIPTION, row.id);
      if (at.get(SUBSCRIPTION, row.id)) throw new Error(`subscription ${row.id} is there already`);
      await at.put(SUBSCRIPTION, row.id, row);
    });
  }

  accept(
    tx: Tx,
    outcomes: readonly { readonly object: string; readonly acceptedAt: number }[],
    dayMs: number,
  ): Promise<readonly Accepted[]> {
    return (tx as MemoryTx).statement('accept subscriptions', async (at) => {
      const taken: Accepted[] = [];
      for (const { object, acceptedAt } of outcomes) {
        await at.lock(SUBSCRIPTION, object);
        const waiting = at.get<Subscription>(SUBSCRIPTION, object);
        if (!waiting) throw new Error(`invariant: subscription ${object} is not there`);
        const row = accepted(waiting, acceptedAt, dayMs);
        await at.put(SUBSCRIPTION, object, row);
        taken.push(row);
      }
      return taken;
    });
  }

  async drop(tx: Tx, id: string): Promise<void> {
    await (tx as MemoryTx).statement('drop a subscription', async (at) => {
      await at.lock(SUBSCRIPTION, id);
      const row = at.get<Subscription>(SUBSCRIPTION, id);
      if (row?.state !== 'waiting') throw new Error(`invariant: subscription ${id} does not wait for the ledger`);
      await at.put(SUBSCRIPTION, id, null);
    });
  }

  lock(tx: Tx, id: string): Promise<Accepted | null> {
    return (tx as MemoryTx).statement('lock a subscription', async (at) => {
      await at.lock(SUBSCRIPTION, id);
      const row = at.get<Subscription>(SUBSCRIPTION, id);
      return isAccepted(row) ? row : null;
    });
  }

  lockDue(tx: Tx, until: number, limit: number): Promise<readonly Accepted[]> {
    const isDue = (row: Subscription | undefined): row is Accepted =>
      isAccepted(row) && row.state === 'accruing' && row.endAt <= until;
    return (tx as MemoryTx).statement('lock what is due', async (at) => {
      const seen = [...at.rows<Subscription>(SUBSCRIPTION)].map(([, row]) => row).filter(isDue);
      const taken: Accepted[] = [];
      for (const { id } of seen.sort((a, b) => a.endAt - b.endAt || (a.id < b.id ? -1 : 1))) {
        if (taken.length === limit) break;
        await at.lock(SUBSCRIPTION, id);
        const row = at.get<Subscription>(SUBSCRIPTION, id);
        if (isDue(row)) taken.push(row);
      }
      return taken;
    });
  }

  async saveEnded(tx: Tx, ended: readonly Accepted[]): Promise<void> {
    await (tx as MemoryTx).statement('save ends', async (at) => {
      for (const row of ended) {
        await at.lock(SUBSCRIPTION, row.id);
        if (at.get<Subscription>(SUBSCRIPTION, row.id)?.state !== 'accruing')
          throw new Error('invariant: a subscription has ended twice');
        await at.put(SUBSCRIPTION, row.id, row);
      }
    });
  }

  list(): Promise<never> {
    return rejectUnused();
  }
}
