// Stores of the simulator: the tables of points with their checks, on a server in memory.
import type { Tx } from '@bourse/persistence';
import { rejectUnused, type MemoryDatabase, type MemoryTx } from '@bourse/persistence/memory';
import { AccrualStore, type DayPoints, type FeeValue, type UnvaluedFee } from '../points/application/accrual-ports.js';
import {
  PointsProgram,
  PointsStore,
  ProgramUnavailable,
  type BindingClaim,
  type BindingVerdict,
} from '../points/application/points-ports.js';
import { emptyAccount, type PointsAccount } from '../points/domain/points-account.js';
import type { Binding } from '../points/domain/points-binding.js';
import type { PointsExchange } from '../points/domain/points-exchange.js';

export const ACCOUNT = 'points.points_account';
export const BINDING = 'points.points_binding';
export const EXCHANGE = 'points.points_exchange';
export const FEES = 'points.points_fees';
const BOOKS = 'points.points_books';
/** The state of the third party: it is not one of our tables, and outlives our processes. */
export const OUTSIDE = 'points.third_party';
const BOOK = 'books';

export interface StoredBinding extends Binding {
  readonly askedAt: number;
}
export interface DayFees extends FeeValue {
  readonly points: bigint | null;
  readonly state: 'open' | 'booking' | 'done';
}
export interface Reference {
  readonly reference: string;
  /** Null: it was released. */
  readonly account: string | null;
}

export class SimulatedPoints extends PointsStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  lockAccounts(tx: Tx, userIds: readonly number[]): Promise<readonly PointsAccount[]> {
    return (tx as MemoryTx).statement('lock accounts of points', async (at) => {
      const accounts: PointsAccount[] = [];
      for (const userId of [...userIds].sort((a, b) => a - b)) {
        await at.lock(ACCOUNT, String(userId));
        accounts.push(at.get<PointsAccount>(ACCOUNT, String(userId)) ?? emptyAccount(userId));
      }
      return accounts;
    });
  }

  saveAccounts(tx: Tx, accounts: readonly PointsAccount[]): Promise<void> {
    return (tx as MemoryTx).statement('save accounts of points', async (at) => {
      for (const account of accounts) {
        await at.lock(ACCOUNT, String(account.userId));
        if (account.total < 0n || account.fresh < 0n || account.fresh > account.total)
          throw new Error('check points_account: points are neither below nothing nor fewer than those that wait');
        await at.put(ACCOUNT, String(account.userId), account);
      }
    });
  }

  account(userId: number): Promise<PointsAccount> {
    return this.database.statement('read an account of points', (at) =>
      Promise.resolve(at.get<PointsAccount>(ACCOUNT, String(userId)) ?? emptyAccount(userId)),
    );
  }

  binding(userId: number): Promise<Binding | null> {
    return this.database.statement('read a binding', (at) =>
      Promise.resolve(
        at
          .rows<StoredBinding>(BINDING)
          .map(([, row]) => row)
          .find((row) => row.userId === userId) ?? null,
      ),
    );
  }

  insertBinding(tx: Tx, binding: Binding): Promise<boolean> {
    return (tx as MemoryTx).statement('insert a binding', async (at) => {
      await at.lock(`${BINDING}_of_user`, String(binding.userId));
      if (at.get(`${BINDING}_of_user`, String(binding.userId))) return false;
      await at.put(`${BINDING}_of_user`, String(binding.userId), { reference: binding.reference });
      await at.lock(BINDING, binding.reference);
      await at.put(BINDING, binding.reference, { ...binding, askedAt: at.began } satisfies StoredBinding);
      return true;
    });
  }

  lockBinding(tx: Tx, reference: string): Promise<Binding | null> {
    return (tx as MemoryTx).statement('lock a binding', async (at) => {
      await at.lock(BINDING, reference);
      return at.get<StoredBinding>(BINDING, reference) ?? null;
    });
  }

  saveBinding(tx: Tx, binding: Binding): Promise<boolean> {
    return (tx as MemoryTx).statement('save a binding', async (at) => {
      const { account, reference } = binding;
      if (account !== null) {
        await at.lock(`${BINDING}_of_account`, account);
        const holder = at.get<{ reference: string }>(`${BINDING}_of_account`, account);
        if (holder && holder.reference !== reference) return false;
        await at.put(`${BINDING}_of_account`, account, { reference });
      }
      await at.lock(BINDING, reference);
      const before = at.get<StoredBinding>(BINDING, reference);
      await at.put(BINDING, reference, { ...binding, askedAt: before?.askedAt ?? at.began } satisfies StoredBinding);
      return true;
    });
  }

  dropBinding(tx: Tx, reference: string): Promise<void> {
    return (tx as MemoryTx).statement('drop a binding', async (at) => {
      await at.lock(BINDING, reference);
      const row = at.get<StoredBinding>(BINDING, reference);
      if (row?.state !== 'asking' && row?.state !== 'voiding') return;
      await at.put(BINDING, reference, null);
      await at.lock(`${BINDING}_of_user`, String(row.userId));
      await at.put(`${BINDING}_of_user`, String(row.userId), null);
    });
  }

  abandoned(askedForMs: number, limit: number): Promise<readonly string[]> {
    return this.database.statement('bindings that were left', (at) =>
      Promise.resolve(
        at
          .rows<StoredBinding>(BINDING)
          .map(([, row]) => row)
          .filter(
            ({ state, askedAt }) => state === 'voiding' || (state === 'asking' && askedAt < at.began - askedForMs),
          )
          .map(({ reference }) => reference)
          .slice(0, limit),
      ),
    );
  }

  untold(): Promise<readonly number[]> {
    return Promise.resolve([]);
  }
  async markTold(): Promise<void> {
    // Auth is not simulated.
  }

  insertExchange(tx: Tx, exchange: PointsExchange): Promise<void> {
    return (tx as MemoryTx).statement('insert an exchange', async (at) => {
      await at.lock(EXCHANGE, exchange.id);
      await at.put(EXCHANGE, exchange.id, exchange);
    });
  }

  waitingExchange(tx: Tx, id: string): Promise<PointsExchange> {
    return (tx as MemoryTx).statement('lock an exchange', async (at) => {
      await at.lock(EXCHANGE, id);
      const exchange = at.get<PointsExchange>(EXCHANGE, id);
      if (exchange?.state !== 'waiting') throw new Error(`invariant: exchange ${id} does not wait for the ledger`);
      return exchange;
    });
  }

  async finishExchange(tx: Tx, id: string, at: number): Promise<PointsExchange> {
    const exchange: PointsExchange = { ...(await this.waitingExchange(tx, id)), state: 'done', createdAt: at };
    await this.insertExchange(tx, exchange);
    return exchange;
  }

  dropExchange(tx: Tx, id: string): Promise<void> {
    return (tx as MemoryTx).statement('drop an exchange', (at) => at.put(EXCHANGE, id, null));
  }

  exchanges(): Promise<never> {
    return rejectUnused();
  }
}

export class SimulatedAccrual extends AccrualStore {
  nextDay(tx: Tx): Promise<number | null> {
    return (tx as MemoryTx).statement('next day of points', async (at) => {
      await at.lock(BOOKS, BOOK);
      return at.get<{ nextDay: number }>(BOOKS, BOOK)?.nextDay ?? null;
    });
  }

  begin(tx: Tx, day: number): Promise<boolean> {
    return (tx as MemoryTx).statement('begin the days of points', async (at) => {
      await at.lock(BOOKS, BOOK);
      if (at.get(BOOKS, BOOK)) return false;
      await at.put(BOOKS, BOOK, { nextDay: day });
      return true;
    });
  }

  close(tx: Tx, day: number): Promise<boolean> {
    return (tx as MemoryTx).statement('close a day of points', async (at) => {
      await at.lock(BOOKS, BOOK);
      if (at.get<{ nextDay: number }>(BOOKS, BOOK)?.nextDay !== day) return false;
      await at.put(BOOKS, BOOK, { nextDay: day + 1 });
      return true;
    });
  }

  add(tx: Tx, fees: readonly FeeValue[]): Promise<void> {
    return (tx as MemoryTx).statement('add fees', async (at) => {
      for (const { day, userId, value } of fees) {
        const key = `${day} ${userId}`;
        await at.lock(FEES, key);
        const row = at.get<DayFees>(FEES, key) ?? { day, userId, value: 0n, points: null, state: 'open' as const };
        if (row.state !== 'open') throw new Error('invariant: fees came for a day that is booked');
        await at.put(FEES, key, { ...row, value: row.value + value } satisfies DayFees);
      }
    });
  }

  async keepUnvalued(_tx: Tx, fees: readonly UnvaluedFee[]): Promise<void> {
    if (fees.length > 0) throw new Error('every coin of the simulator has a price');
  }
  takeUnvalued(): Promise<readonly UnvaluedFee[]> {
    return Promise.resolve([]);
  }

  open(tx: Tx, day: number, limit: number): Promise<readonly FeeValue[]> {
    return (tx as MemoryTx).statement('open fees of a day', async (at) => {
      const rows = at
        .rows<DayFees>(FEES)
        .filter(([, row]) => row.day === day && row.state === 'open')
        .slice(0, limit);
      for (const [key] of rows) await at.lock(FEES, key);
      return rows.map(([, row]) => row);
    });
  }

  settle(tx: Tx, rows: readonly DayPoints[]): Promise<void> {
    return (tx as MemoryTx).statement('settle a day', async (at) => {
      for (const { day, userId, points } of rows) {
        const key = `${day} ${userId}`;
        await at.lock(FEES, key);
        const row = at.get<DayFees>(FEES, key)!;
        await at.put(FEES, key, { ...row, points, state: points > 0n ? 'booking' : 'done' } satisfies DayFees);
      }
    });
  }

  book(tx: Tx, keys: readonly Pick<DayPoints, 'day' | 'userId'>[]): Promise<readonly DayPoints[]> {
    return (tx as MemoryTx).statement('book a day', async (at) => {
      const booked: DayPoints[] = [];
      for (const { day, userId } of keys) {
        const key = `${day} ${userId}`;
        await at.lock(FEES, key);
        const row = at.get<DayFees>(FEES, key);
        if (row?.state !== 'booking' || row.points === null)
          throw new Error('invariant: points were booked that did not wait for the ledger');
        await at.put(FEES, key, { ...row, state: 'done' } satisfies DayFees);
        booked.push({ day, userId, points: row.points });
      }
      return booked;
    });
  }
}

/** The third party, beyond a network that loses, delays and cuts: it keeps its protocol, and what it knows survives. */
export class FarPointsProgram extends PointsProgram {
  readonly isOpen = true;

  constructor(
    private readonly database: MemoryDatabase,
    private readonly points: bigint,
    private readonly free: bigint,
  ) {
    super();
  }

  bind({ reference, userName }: BindingClaim): Promise<BindingVerdict> {
    return this.callProgram(async (): Promise<BindingVerdict> => {
      const account = userName;
      const found = await this.database.statement('ask the third party', async (at): Promise<BindingVerdict | null> => {
        await at.lock(OUTSIDE, 'all');
        const before = at.get<Reference>(OUTSIDE, reference);
        if (before?.account === null) return null;
        const others = at.rows<Reference>(OUTSIDE).map(([, row]) => row);
        if (others.some((row) => row.account === account && row.reference !== reference)) return { kind: 'taken' };
        await at.put(OUTSIDE, reference, { reference, account } satisfies Reference);
        return { kind: 'bound', account, points: this.points, free: this.free };
      });
      if (!found) throw new ProgramUnavailable(`${reference} was released`);
      return found;
    });
  }

  release(reference: string): Promise<void> {
    return this.callProgram(() =>
      this.database.statement('release at the third party', async (at) => {
        await at.lock(OUTSIDE, 'all');
        await at.put(OUTSIDE, reference, { reference, account: null } satisfies Reference);
      }),
    );
  }

  private async callProgram<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ProgramUnavailable) throw error;
      throw new ProgramUnavailable('no answer', { cause: error });
    }
  }
}
