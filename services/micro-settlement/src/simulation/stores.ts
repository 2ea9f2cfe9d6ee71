// Stores of the simulator: the tables of the PostgreSQL ones, with their checks, on a server in memory.
import type { Tx } from '@bourse/persistence';
import { rejectUnused, type MemoryDatabase, type MemoryTx } from '@bourse/persistence/memory';
import { Durations, ContractStore, type Closed, type Known, type SecondsRow } from '../contracts/application/ports.js';
import { OPENING_MS, reserveOf, type Agreement, type Contract } from '../contracts/domain/contract.js';
import type { Tick, TickHead } from '../ticks/domain/tick.js';
import { PolicyStore } from '../insurance/application/ports.js';
import { TickStore, type SignedTick, type TickWindow } from '../ticks/application/ports.js';

export const SCHEMA = 'micro';
export const CONTRACT = `${SCHEMA}.contract`;
export const TICK = `${SCHEMA}.tick`;
const HEAD = `${SCHEMA}.tick_head`;
export const COUNT = `${SCHEMA}.open_count`;
export const RESERVE = `${SCHEMA}.market_reserve`;

export interface Count {
  readonly userId: number;
  readonly contracts: number;
}
export interface Reserve {
  readonly key: string;
  readonly reserved: bigint;
}

export class SimulatedTicks extends TickStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  heads(tx?: Tx): Promise<readonly TickHead[]> {
    return ((tx as MemoryTx | undefined) ?? this.database).statement('heads of ticks', async (at) => {
      if (tx) for (const [key] of at.rows<TickHead>(HEAD)) await at.lock(HEAD, key);
      return [...at.rows<TickHead>(HEAD)].map(([, row]) => row);
    });
  }
  async markBroken(tx: Tx, symbols: readonly string[]): Promise<void> {
    await (tx as MemoryTx).statement('break chains', async (at) => {
      for (const symbol of symbols) {
        await at.lock(HEAD, symbol);
        const head = at.get<TickHead>(HEAD, symbol);
        if (head) await at.put(HEAD, symbol, { ...head, broken: true });
      }
    });
  }
  async append(tx: Tx, ticks: readonly SignedTick[]): Promise<void> {
    await (tx as MemoryTx).statement('append ticks', async (at) => {
      for (const tick of ticks) {
        const key = `${tick.symbol} ${tick.time}`;
        await at.lock(TICK, key);
        if (at.get(TICK, key)) throw new Error(`check tick: there are two of ${key}`);
        await at.put(TICK, key, tick);
      }
      for (const tick of ticks) {
        await at.lock(HEAD, tick.symbol);
        await at.put(HEAD, tick.symbol, { ...tick, broken: false } satisfies TickHead);
      }
    });
  }
  within(windows: readonly TickWindow[], tx?: Tx): Promise<readonly SignedTick[]> {
    return ((tx as MemoryTx | undefined) ?? this.database).statement('ticks within', async (at) =>
      [...at.rows<SignedTick>(TICK)]
        .map(([, tick]) => tick)
        .filter(({ symbol, time }) =>
          windows.some((window) => window.symbol === symbol && time > window.after && time <= window.until),
        ),
    );
  }
  async keep(): Promise<void> {
    // Ticks are not let go of here.
  }
  async kept(symbol: string, ids: readonly bigint[]): Promise<readonly Tick[]> {
    const ticks = await this.within([{ symbol, after: 0, until: Number.POSITIVE_INFINITY }]);
    return ticks.filter(({ id }) => ids.includes(id));
  }
  async maintain(): Promise<void> {
    // There are no days.
  }
}

export class SimulatedContracts extends ContractStore {
  takeOpen(tx: Tx, userId: number, most: number): Promise<boolean> {
    return this.count(tx, userId, 1, most);
  }
  private count(tx: Tx, userId: number, by: number, most: number): Promise<boolean> {
    return (tx as MemoryTx).statement('count contracts', async (at) => {
      const key = String(userId);
      await at.lock(COUNT, key);
      const contracts = (at.get<Count>(COUNT, key)?.contracts ?? 0) + by;
      if (contracts > most) return false;
      if (contracts < 0) throw new Error('check open_count: no person has fewer than no contracts');
      await at.put(COUNT, key, { userId, contracts } satisfies Count);
      return true;
    });
  }
  takeReserve(tx: Tx, contract: Agreement, cap: bigint): Promise<boolean> {
    return this.reserve(tx, contract, reserveOf(contract), cap);
  }
  private reserve(tx: Tx, { matchId, currencyId }: Agreement, by: bigint, cap: bigint | null): Promise<boolean> {
    return (tx as MemoryTx).statement('count reserves', async (at) => {
      const key = `${matchId} ${currencyId}`;
      await at.lock(RESERVE, key);
      const reserved = (at.get<Reserve>(RESERVE, key)?.reserved ?? 0n) + by;
      if (cap !== null && reserved > cap) return false;
      if (reserved < 0n) throw new Error('check market_reserve: nothing less than nothing is reserved');
      await at.put(RESERVE, key, { key, reserved } satisfies Reserve);
      return true;
    });
  }
  async giveBack(tx: Tx, contracts: readonly Agreement[]): Promise<void> {
    for (const contract of contracts.toSorted((a, b) => a.userId - b.userId))
      await this.count(tx, contract.userId, -1, Number.POSITIVE_INFINITY);
    for (const contract of contracts.toSorted((a, b) => a.matchId - b.matchId))
      await this.reserve(tx, contract, -reserveOf(contract), null);
  }
  async insert(tx: Tx, agreement: Agreement): Promise<void> {
    const contract: Contract = {
      ...agreement,
      state: 'waiting',
      acceptedAt: null,
      openTickId: null,
      openTime: null,
      openPrice: null,
      expireTime: null,
      endTickIds: [],
      endPrice: null,
      result: null,
      profits: 0n,
      handledAt: null,
    };
    await (tx as MemoryTx).statement('insert a contract', async (at) => {
      await at.lock(CONTRACT, agreement.id);
      if (at.get(CONTRACT, agreement.id)) throw new Error(`contract ${agreement.id} is there already`);
      await at.put(CONTRACT, agreement.id, contract);
    });
  }
  accept(tx: Tx, id: string, acceptedAt: number): Promise<Contract> {
    return this.waiting(tx, id, (contract) => ({ ...contract, state: 'opening', acceptedAt }));
  }
  drop(tx: Tx, id: string): Promise<Contract> {
    return this.waiting(tx, id, () => null);
  }
  private waiting(tx: Tx, id: string, to: (contract: Contract) => Contract | null): Promise<Contract> {
    return (tx as MemoryTx).statement('decide a contract', async (at) => {
      await at.lock(CONTRACT, id);
      const contract = at.get<Contract>(CONTRACT, id);
      if (contract?.state !== 'waiting') throw new Error(`invariant: contract ${id} does not wait for the ledger`);
      const next = to(contract);
      await at.put(CONTRACT, id, next);
      return next ?? contract;
    });
  }
  takeOpening(tx: Tx, known: readonly Known[], limit: number): Promise<readonly Contract[]> {
    const through = new Map(known.map((each) => [each.symbol, each.through]));
    return this.take(tx, limit, (contract, ticks) => {
      const { state, symbol, acceptedAt } = contract;
      if (state !== 'opening' || acceptedAt === null) return false;
      const last = acceptedAt + OPENING_MS;
      return (
        last <= (through.get(symbol) ?? 0) ||
        ticks.some((tick) => tick.symbol === symbol && tick.time > acceptedAt && tick.time <= last)
      );
    });
  }
  takeExpired(tx: Tx, known: readonly Known[], limit: number): Promise<readonly Contract[]> {
    const through = new Map(known.map((each) => [each.symbol, each.through]));
    return this.take(
      tx,
      limit,
      ({ state, symbol, expireTime }) =>
        state === 'running' && expireTime !== null && expireTime <= (through.get(symbol) ?? 0),
    );
  }
  private take(
    tx: Tx,
    limit: number,
    wanted: (contract: Contract, ticks: readonly Tick[]) => boolean,
  ): Promise<readonly Contract[]> {
    return (tx as MemoryTx).statement('take contracts', async (at) => {
      const ticks = [...at.rows<Tick>(TICK)].map(([, tick]) => tick);
      const taken: Contract[] = [];
      for (const [key, seen] of at.rows<Contract>(CONTRACT)) {
        if (taken.length === limit) break;
        if (!wanted(seen, ticks) || !at.tryLock(CONTRACT, key)) continue;
        const contract = at.get<Contract>(CONTRACT, key);
        if (contract && wanted(contract, ticks)) taken.push(contract);
      }
      return taken;
    });
  }
  saveOpened(tx: Tx, contracts: readonly Contract[]): Promise<void> {
    return this.save(tx, contracts, ['opening']);
  }
  saveClosed(tx: Tx, contracts: readonly Closed[]): Promise<void> {
    return this.save(tx, contracts, ['opening', 'running']);
  }
  private async save(tx: Tx, contracts: readonly Contract[], from: readonly Contract['state'][]): Promise<void> {
    await (tx as MemoryTx).statement('save contracts', async (at) => {
      for (const contract of contracts) {
        await at.lock(CONTRACT, contract.id);
        const before = at.get<Contract>(CONTRACT, contract.id);
        if (!before || !from.includes(before.state)) throw new Error('invariant: a contract was moved twice');
        await at.put(CONTRACT, contract.id, contract);
      }
    });
  }
  list(): Promise<never> {
    return rejectUnused();
  }
  find(): Promise<never> {
    return rejectUnused();
  }
}

/** No person is insured here: the tests of rules §5 prove what policies do. */
export class SimulatedPolicies extends PolicyStore {
  lockActive(): Promise<null> {
    return Promise.resolve(null);
  }
  lock(): Promise<readonly never[]> {
    return Promise.resolve([]);
  }
  async save(): Promise<void> {
    // No policy is ever changed.
  }
  takeQuota = rejectUnused;
  giveQuota = rejectUnused;
  insert = rejectUnused;
  activate = rejectUnused;
  drop = rejectUnused;
  list = rejectUnused;
  active = rejectUnused;
  takePayout = rejectUnused;
  givePayout = rejectUnused;
  insertClaim = rejectUnused;
  lockClaim = rejectUnused;
  saveClaim = rejectUnused;
  dropClaim = rejectUnused;
  claims = rejectUnused;
}

/** One duration that ends during the load, and one that ends while the run heals. */
export class SimulatedDurations extends Durations {
  async all(): Promise<readonly SecondsRow[]> {
    return [2, 6].map((seconds, at) => ({
      id: at + 1,
      seconds,
      profitRatio: String(40 + at * 10),
      minMoney: '1',
      maxMoney: '5000',
      isOpen: true,
    }));
  }
}
