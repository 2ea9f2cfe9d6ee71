// Stores of the simulator: the tables of the PostgreSQL stores, with their constraints, in memory.
import type { Direction } from '@bourse/formulas';
import type { Tx } from '@bourse/persistence';
import { rejectUnused, type MemoryDatabase, type MemoryTx } from '@bourse/persistence/memory';
import {
  AccountStore,
  PositionStore,
  type AccountName,
  type AccountRow,
  type Change,
  type Claimant,
  type InFlight,
  type Partition,
} from '../application/ports.js';
import { counts, STATUS, type Position } from '../domain/position.js';

export const SCHEMA = 'lever';
export const ACCOUNT = `${SCHEMA}.risk_account`;
export const POSITION = `${SCHEMA}.lever_position`;
export const EXPOSURE = `${SCHEMA}.exposure`;

export interface Account extends AccountRow {
  readonly claim: string | null;
  readonly claimUntil: number;
  readonly inFlight: string | null;
  /** No call claims it before this time. */
  readonly riskUntil: number;
  readonly touchedAt: number;
}
export interface Exposure {
  readonly quote: number;
  readonly notional: bigint;
}

const keyOf = ({ userId, quote }: AccountName): string => `${userId} ${quote}`;
/** Pending, open or closing. */
const isLive = (position: Position): boolean => position.status === STATUS.pending || counts(position);
const byAge = (a: Position, b: Position): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

export class SimulatedAccounts extends AccountStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  claim(name: AccountName, token: string, forMs: number, by: Claimant): Promise<AccountRow | null> {
    return this.database.statement('claim an account', async (at) => {
      const key = keyOf(name);
      await at.lock(ACCOUNT, key);
      const fresh = { version: 0, claim: null, claimUntil: 0, inFlight: null, riskUntil: 0, touchedAt: at.began };
      const row = at.get<Account>(ACCOUNT, key) ?? { userId: name.userId, quote: name.quote, ...fresh };
      if (row.inFlight !== null || (row.claim !== null && row.claimUntil >= at.began)) return null;
      if (by === 'call' && row.riskUntil >= at.began) return null;
      const riskUntil = by === 'risk' ? 0 : row.riskUntil;
      const claimed = { ...row, claim: token, claimUntil: at.began + forMs, riskUntil } satisfies Account;
      await at.put(ACCOUNT, key, claimed);
      return claimed;
    });
  }
  async reserve(name: AccountName, forMs: number): Promise<void> {
    await this.database.statement('reserve an account for risk', async (at) => {
      await at.lock(ACCOUNT, keyOf(name));
      const row = at.get<Account>(ACCOUNT, keyOf(name));
      if (row) await at.put(ACCOUNT, keyOf(name), { ...row, riskUntil: at.began + forMs });
    });
  }
  async release(name: AccountName, token: string): Promise<void> {
    await this.database.statement('release an account', async (at) => {
      await at.lock(ACCOUNT, keyOf(name));
      const row = at.get<Account>(ACCOUNT, keyOf(name));
      if (row?.claim === token) await at.put(ACCOUNT, keyOf(name), { ...row, claim: null, claimUntil: 0 });
    });
  }
  commit(tx: Tx, account: AccountRow, token: string, inFlight: string | null): Promise<boolean> {
    return this.change(tx, account, (row, now) =>
      row.claim === token && row.claimUntil > now && row.version === account.version
        ? { ...row, claim: null, claimUntil: 0, inFlight }
        : null,
    );
  }
  async settleInFlight(tx: Tx, accounts: readonly InFlight[]): Promise<void> {
    for (const account of accounts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
      await this.change(tx, account, (row) => (row.inFlight === account.inFlight ? { ...row, inFlight: null } : null));
  }
  async touch(tx: Tx, accounts: readonly AccountName[]): Promise<void> {
    for (const account of accounts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
      await this.change(tx, account, (row) => row);
  }
  private change(tx: Tx, name: AccountName, to: (row: Account, now: number) => Account | null): Promise<boolean> {
    return (tx as MemoryTx).statement('change an account', async (at) => {
      await at.lock(ACCOUNT, keyOf(name));
      const row = at.get<Account>(ACCOUNT, keyOf(name));
      const next = row && to(row, at.began);
      if (!next) return false;
      await at.put(ACCOUNT, keyOf(name), { ...next, version: next.version + 1, touchedAt: at.began });
      return true;
    });
  }
  changed({ part, of }: Partition, withinMs: number | null): Promise<readonly AccountRow[]> {
    return this.database.statement('changed accounts', async (at) => {
      const positions = withinMs === null ? [...at.rows<Position>(POSITION)].map(([, row]) => row) : [];
      const open = new Set(positions.filter(isLive).map(keyOf));
      return [...at.rows<Account>(ACCOUNT)]
        .map(([, row]) => row)
        .filter((row) => row.userId % of === part)
        .filter((row) => (withinMs === null ? open.has(keyOf(row)) : row.touchedAt > at.began - withinMs));
    });
  }
}

export class SimulatedPositions extends PositionStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  async insert(tx: Tx, position: Position): Promise<void> {
    await (tx as MemoryTx).statement('insert a position', async (at) => {
      await at.lock(POSITION, position.id);
      if (at.get(POSITION, position.id)) throw new Error(`position ${position.id} is there already`);
      await at.put(POSITION, position.id, position);
    });
  }
  async drop(tx: Tx, id: string): Promise<void> {
    await (tx as MemoryTx).statement('drop a position', async (at) => {
      await at.lock(POSITION, id);
      if (at.get<Position>(POSITION, id)?.status === STATUS.waiting) await at.put(POSITION, id, null);
    });
  }
  change(tx: Tx, before: Position, after: Position): Promise<boolean> {
    return (tx as MemoryTx).statement('change a position', async (at) => {
      await at.lock(POSITION, before.id);
      const row = at.get<Position>(POSITION, before.id);
      if (row?.revision !== before.revision || row.status !== before.status) return false;
      await at.put(POSITION, before.id, { ...after, revision: before.revision + 1 } satisfies Position);
      return true;
    });
  }
  async changeAll(tx: Tx, changes: readonly Change[]): Promise<boolean> {
    let all = true;
    for (const { before, after } of changes) all = (await this.change(tx, before, after)) && all;
    return all;
  }
  async find(id: string, userId?: number): Promise<Position | null> {
    const [found] = await this.some(
      (row) => row.id === id && row.status !== STATUS.waiting && (userId ?? row.userId) === row.userId,
    );
    return found ?? null;
  }
  findByClientId(): Promise<never> {
    return rejectUnused();
  }
  lock(tx: Tx, ids: readonly string[]): Promise<readonly Position[]> {
    return this.locked(tx, (row) => ids.includes(row.id));
  }
  settling(tx: Tx, settlements: readonly string[]): Promise<readonly Position[]> {
    return this.locked(
      tx,
      (row) => row.settlement !== null && settlements.includes(row.settlement) && row.status === STATUS.closing,
    );
  }
  private locked(tx: Tx, wanted: (row: Position) => boolean): Promise<readonly Position[]> {
    return (tx as MemoryTx).statement('lock positions', async (at) => {
      const found: Position[] = [];
      const ids = [...at.rows<Position>(POSITION)].filter(([, row]) => wanted(row)).map(([id]) => id);
      for (const id of ids.toSorted()) {
        await at.lock(POSITION, id);
        const row = at.get<Position>(POSITION, id);
        if (row && wanted(row)) found.push(row);
      }
      return found;
    });
  }
  async accountsOf(tx: Tx, ids: readonly string[]): Promise<readonly AccountName[]> {
    const rows = await (tx as MemoryTx).statement('accounts of positions', async (at) =>
      [...at.rows<Position>(POSITION)].map(([, row]) => row).filter(({ id }) => ids.includes(id)),
    );
    return [...new Map(rows.map(({ userId, quote }) => [keyOf({ userId, quote }), { userId, quote }])).values()];
  }
  liveOf(accounts: readonly AccountName[]): Promise<readonly Position[]> {
    const wanted = new Set(accounts.map(keyOf));
    return this.some((row) => isLive(row) && wanted.has(keyOf(row)));
  }
  async openQuotes(userId: number, direction?: Direction): Promise<readonly number[]> {
    const rows = await this.some(
      (row) =>
        row.status === STATUS.open && row.userId === userId && (direction === undefined || row.direction === direction),
    );
    return [...new Set(rows.map(({ quote }) => quote))].toSorted((a, b) => a - b);
  }
  private some(wanted: (row: Position) => boolean): Promise<readonly Position[]> {
    return this.database.statement('read positions', async (at) =>
      [...at.rows<Position>(POSITION)]
        .map(([, row]) => row)
        .filter(wanted)
        .toSorted(byAge),
    );
  }
  openSums(): Promise<never> {
    return rejectUnused();
  }
  list(): Promise<never> {
    return rejectUnused();
  }
  allClosed(): never {
    throw new Error('the simulator reads no files');
  }

  /** Outcomes are only shown, so the simulator does not count them. */
  countOutcomes(): Promise<void> {
    return Promise.resolve();
  }
  addOpenNotional(tx: Tx, quote: number, notional: bigint, most: bigint | null): Promise<boolean> {
    return (tx as MemoryTx).statement('add open notional', async (at) => {
      await at.lock(EXPOSURE, String(quote));
      const sum = (at.get<Exposure>(EXPOSURE, String(quote))?.notional ?? 0n) + notional;
      if (most !== null && sum > most) return false;
      if (sum < 0n) throw new Error('check exposure: the open notional is negative');
      await at.put(EXPOSURE, String(quote), { quote, notional: sum } satisfies Exposure);
      return true;
    });
  }
  openNotional(quote: number): Promise<bigint> {
    return this.database.statement(
      'read open notional',
      async (at) => at.get<Exposure>(EXPOSURE, String(quote))?.notional ?? 0n,
    );
  }
}
