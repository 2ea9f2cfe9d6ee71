// Stores of the simulator: the tables of acceptors and their deals with their checks, on a server in memory.
import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { rejectUnused, type MemoryDatabase, type MemoryTx } from '@bourse/persistence/memory';
import {
  AcceptorBalances,
  AcceptorDealStore,
  AcceptorDebts,
  AcceptorStore,
  type AcceptorDealFilter,
  type AcceptorDebt,
  type AcceptorBalance,
  type AcceptorRow,
  type DebtPart,
} from '../acceptors/application/ports.js';
import { AcceptorContacts, type ContactSnapshot } from '../acceptors/application/contacts.js';
import { coinsOf, isStrike, type AcceptorDeal } from '../acceptors/domain/acceptor-deal.js';

export const ACCEPTOR = 'escrow.acceptor';
export const ACCEPTOR_DEAL = 'escrow.acceptor_deal';
/** Acceptors; their first balances are theirs without a grant. */
export const ACCEPTORS = [100_001, 100_002] as const;

const first = (userId: number): AcceptorRow => ({
  id: 1 + ACCEPTORS.findIndex((id) => id === userId),
  userId,
  name: `Pier ${userId}`,
  rechargeRate: 2_000_000n,
  cashRate: 3_000_000n,
  granted: 0n,
  granting: false,
  payment: {
    wechatNickname: 'w',
    wechatAccount: 'w',
    aliNickname: 'a',
    aliAccount: 'a',
    bankName: 'b',
    bankAccount: 'b',
    bankAddress: 'b',
  },
});

export class SimulatedAcceptors extends AcceptorStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  async findById(id: number): Promise<AcceptorRow | null> {
    const userId = ACCEPTORS[id - 1];
    return userId === undefined ? null : this.findByUser(userId);
  }
  findByUser(userId: number): Promise<AcceptorRow | null> {
    return this.database.statement('an acceptor', async (at) => found(at.get(ACCEPTOR, String(userId)), userId));
  }
  lock(tx: Tx, userId: number): Promise<AcceptorRow | null> {
    return (tx as MemoryTx).statement('lock an acceptor', async (at) => {
      await at.lock(ACCEPTOR, String(userId));
      return found(at.get(ACCEPTOR, String(userId)), userId);
    });
  }
  async setGranted(tx: Tx, userId: number, granted: bigint, granting: boolean): Promise<void> {
    if (granted < 0n) throw new Error('check acceptor: nothing less than nothing is granted');
    const row = await this.lock(tx, userId);
    await (tx as MemoryTx).statement('grant', (at) => at.put(ACCEPTOR, String(userId), { ...row!, granted, granting }));
  }
  list = rejectUnused;
  save = rejectUnused;
  setRates = rejectUnused;
  setPayment = rejectUnused;
}
const found = (row: AcceptorRow | undefined, userId: number): AcceptorRow | null =>
  row ?? ((ACCEPTORS as readonly number[]).includes(userId) ? first(userId) : null);

/** A transaction that counts the deposits of a person holds the lock of this name. */
const DEPOSITS = 'escrow.acceptor_deposits';

export class SimulatedAcceptorDeals extends AcceptorDealStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  insert(tx: Tx, deal: AcceptorDeal): Promise<void> {
    return this.write(tx, deal, (before) => before === undefined);
  }
  lock(tx: Tx, id: string): Promise<AcceptorDeal | null> {
    return (tx as MemoryTx).statement('lock a deal', async (at) => {
      await at.lock(ACCEPTOR_DEAL, id);
      return at.get<AcceptorDeal>(ACCEPTOR_DEAL, id) ?? null;
    });
  }
  find(id: string): Promise<AcceptorDeal | null> {
    return this.database.statement('a deal', (at) => Promise.resolve(at.get<AcceptorDeal>(ACCEPTOR_DEAL, id) ?? null));
  }
  save(tx: Tx, deal: AcceptorDeal): Promise<void> {
    return this.write(tx, deal, (before) => before !== undefined);
  }
  private async write(tx: Tx, deal: AcceptorDeal, may: (before: AcceptorDeal | undefined) => boolean): Promise<void> {
    await (tx as MemoryTx).statement('write a deal', async (at) => {
      await at.lock(ACCEPTOR_DEAL, deal.id);
      if (!may(at.get<AcceptorDeal>(ACCEPTOR_DEAL, deal.id))) throw new Error(`deal ${deal.id} is not as it should be`);
      const { state, stage, dueAt, type } = deal;
      if ((dueAt !== null) !== (state === 'open' && stage !== 'objected'))
        throw new Error('check acceptor_deal: open deals have a deadline, and others none');
      if (type === 'buy' && (state === 'holding' || stage === 'transferred'))
        throw new Error('check acceptor_deal: a deposit is not transferred');
      await at.put(ACCEPTOR_DEAL, deal.id, deal);
    });
  }
  async drop(tx: Tx, id: string): Promise<void> {
    await (tx as MemoryTx).statement('drop a deal', async (at) => {
      await at.lock(ACCEPTOR_DEAL, id);
      const deal = at.get<AcceptorDeal>(ACCEPTOR_DEAL, id);
      if (deal?.state === 'asking' || deal?.state === 'holding') await at.put(ACCEPTOR_DEAL, id, null);
    });
  }
  countOpenDeposits(tx: Tx, userId: number): Promise<number> {
    return (tx as MemoryTx).statement('open deposits', async (at) => {
      await at.lock(DEPOSITS, String(userId));
      const deals = [...at.rows<AcceptorDeal>(ACCEPTOR_DEAL)].map(([, deal]) => deal);
      return deals.filter(
        (deal) => deal.userId === userId && deal.type === 'buy' && (deal.state === 'asking' || deal.state === 'open'),
      ).length;
    });
  }
  sumReserved(userId: number, acceptorId: number, tx?: Tx): Promise<bigint> {
    return ((tx as MemoryTx | undefined) ?? this.database).statement('reserved coins', (at) =>
      Promise.resolve(
        at
          .rows<AcceptorDeal>(ACCEPTOR_DEAL)
          .map(([, deal]) => deal)
          .filter((deal) => deal.userId === userId && deal.acceptorId === acceptorId && deal.type === 'buy')
          .filter(({ state }) => state === 'asking' || state === 'open')
          .reduce((sum, deal) => sum + coinsOf(deal), 0n),
      ),
    );
  }
  listDecidedAgainst(userId: number, since: number): Promise<readonly number[]> {
    return this.database.statement('objections', (at) =>
      Promise.resolve(
        at
          .rows<AcceptorDeal>(ACCEPTOR_DEAL)
          .map(([, deal]) => deal)
          .filter((deal) => deal.userId === userId && isStrike(deal) && deal.updatedAt >= since)
          .map(({ updatedAt }) => updatedAt),
      ),
    );
  }
  /** Deals that are open or can be objected to, for the actors; only the real table filters pages. */
  list({ acceptorId }: AcceptorDealFilter): Promise<Rows<AcceptorDeal>> {
    return this.database.statement('open deals', async (at) => {
      const rows = [...at.rows<AcceptorDeal>(ACCEPTOR_DEAL)]
        .map(([, deal]) => deal)
        .filter(
          (deal) =>
            (deal.state === 'open' || deal.dispute === 'open' || isDisputable(deal)) &&
            (acceptorId === undefined || deal.acceptorId === acceptorId),
        );
      return { rows, total: rows.length };
    });
  }
}

export const DEBT = 'escrow.acceptor_debt';
/** A debt with the units paid, and those of a payment under way. */
export type SimulatedDebt = AcceptorDebt & { readonly paid: bigint; readonly pending: bigint };
/** The table of `PostgresAcceptorDebts` with its checks. */
export class SimulatedAcceptorDebts extends AcceptorDebts {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  add(tx: Tx, debt: AcceptorDebt): Promise<void> {
    return this.put(tx, { ...debt, paid: 0n, pending: 0n });
  }
  findOwed(acceptorIds: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, bigint>> {
    return ((tx as MemoryTx | undefined) ?? this.database).statement('debts', (at) => {
      const owed = new Map<number, bigint>();
      for (const [, { acceptorId, amount, paid }] of at.rows<SimulatedDebt>(DEBT))
        if (paid < amount && acceptorIds.includes(acceptorId))
          owed.set(acceptorId, (owed.get(acceptorId) ?? 0n) + amount - paid);
      return Promise.resolve(owed);
    });
  }
  async reserve(tx: Tx, acceptorId: number, units: bigint): Promise<readonly DebtPart[]> {
    const ids = await (tx as MemoryTx).statement('open debts', (at) =>
      Promise.resolve(
        at
          .rows<SimulatedDebt>(DEBT)
          .filter(([, debt]) => debt.acceptorId === acceptorId)
          .map(([, { dealId }]) => dealId)
          .sort(),
      ),
    );
    const parts: DebtPart[] = [];
    let rest = units;
    for (const dealId of ids) {
      const debt = await this.lock(tx, dealId);
      const left = debt.amount - debt.paid - debt.pending;
      const part = left < rest ? left : rest;
      if (part === 0n) continue;
      await this.put(tx, { ...debt, pending: debt.pending + part });
      parts.push({ dealId, units: part });
      rest -= part;
    }
    return parts;
  }
  async settle(tx: Tx, parts: readonly DebtPart[]): Promise<void> {
    for (const { dealId, units } of parts) {
      const debt = await this.lock(tx, dealId);
      await this.put(tx, { ...debt, pending: debt.pending - units, paid: debt.paid + units });
    }
  }
  async release(tx: Tx, parts: readonly DebtPart[]): Promise<void> {
    for (const { dealId, units } of parts) {
      const debt = await this.lock(tx, dealId);
      await this.put(tx, { ...debt, pending: debt.pending - units });
    }
  }

  private lock(tx: Tx, dealId: string): Promise<SimulatedDebt> {
    return (tx as MemoryTx).statement('lock a debt', async (at) => {
      await at.lock(DEBT, dealId);
      return at.get<SimulatedDebt>(DEBT, dealId)!;
    });
  }
  private put(tx: Tx, debt: SimulatedDebt): Promise<void> {
    if (debt.paid < 0n || debt.pending < 0n || debt.paid + debt.pending > debt.amount)
      throw new Error(`check acceptor_debt: the debt of ${debt.dealId} is out of its bounds`);
    return (tx as MemoryTx).statement('write a debt', async (at) => {
      await at.lock(DEBT, debt.dealId);
      await at.put(DEBT, debt.dealId, debt);
    });
  }
}

/** Confirmed by time and not objected to. */
const isDisputable = ({ autoAt, dispute }: AcceptorDeal): boolean => autoAt !== null && dispute === 'none';

/** Unlimited balances, so that only the ledger refuses for lack of coins. */
export class UnlimitedBalances extends AcceptorBalances {
  findBalance(): Promise<AcceptorBalance> {
    return Promise.resolve({ posted: 10n ** 17n, reserved: 0n, cash: 10n ** 9n, legal: 0n });
  }
}

/** Contacts in the clear, which no check of the simulator reads. */
export class PlainAcceptorContacts extends AcceptorContacts {
  readonly prefix = '{';
  seal(_dealId: string, facts: ContactSnapshot): string {
    return JSON.stringify(facts);
  }
  open(_dealId: string, sealed: string): ContactSnapshot {
    return JSON.parse(sealed) as ContactSnapshot;
  }
}
