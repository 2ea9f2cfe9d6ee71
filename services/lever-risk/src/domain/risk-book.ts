import { accountOf, type Marks } from './account.js';
import { PairGuards } from './guards.js';
import { STATUS, type Position } from './position.js';
import { dueAt, guardsOf, type Due, type FreshMarks } from './triggers.js';

/**
 * One user and quote as last read. The real balance is never lower: only credits of others change it after the reading.
 */
export interface RiskAccount {
  readonly userId: number;
  readonly quote: number;
  /** Version of its row: a later reading replaces an earlier one. */
  readonly version: number;
  readonly balance: bigint;
  readonly positions: readonly Position[];
}
export const accountKey = ({ userId, quote }: Pick<RiskAccount, 'userId' | 'quote'>): string => `${userId}/${quote}`;

/** An account and the actions that the prices demand. */
export interface Proposal {
  readonly account: RiskAccount;
  readonly due: Due;
}

/**
 * Accounts with open positions or trigger orders, indexed by the prices at which one of these must act. The book only
 * proposes; the decision is made under the claim of the account (architecture §7).
 */
export class RiskBook {
  private readonly accounts = new Map<string, RiskAccount>();
  private readonly guards = new Map<number, PairGuards>();
  /** Pairs in which an account has guards. */
  private readonly guarded = new Map<string, readonly number[]>();
  /** Accounts that are evaluated on each tick until nothing is due. */
  private readonly hot = new Set<string>();

  get size(): number {
    return this.accounts.size;
  }
  /** Entries of all guards, for measuring memory. */
  get entries(): number {
    return [...this.guards.values()].reduce((sum, { size }) => sum + size, 0);
  }

  all(): Iterable<RiskAccount> {
    return this.accounts.values();
  }
  find(key: string): RiskAccount | undefined {
    return this.accounts.get(key);
  }

  /** Stores an account as it was read, to be evaluated on the next tick. An older version is ignored. */
  put(account: RiskAccount): void {
    const key = accountKey(account);
    const known = this.accounts.get(key);
    if (known && known.version > account.version) return;
    this.unguard(key);
    const matters = account.positions.some(({ status }) => status === STATUS.open || status === STATUS.pending);
    if (!matters) {
      this.accounts.delete(key);
      this.hot.delete(key);
      return;
    }
    this.accounts.set(key, account);
    this.hot.add(key);
  }

  /** Applies new prices of these pairs and returns what is due. `marks` has all known prices, however old. */
  tick(pairs: Iterable<number>, marks: Marks, fresh: FreshMarks, liquidationRate: bigint): Proposal[] {
    for (const pairId of pairs) {
      const price = marks.get(pairId);
      if (price === undefined) continue;
      for (const key of this.guards.get(pairId)?.reached(price) ?? []) this.hot.add(key);
    }
    const proposals: Proposal[] = [];
    for (const key of [...this.hot]) {
      const account = this.accounts.get(key);
      if (!account) this.hot.delete(key);
      else {
        const due = this.evaluate(key, account, marks, fresh, liquidationRate);
        if (due) proposals.push({ account, due });
      }
    }
    return proposals;
  }

  private evaluate(
    key: string,
    account: RiskAccount,
    marks: Marks,
    fresh: FreshMarks,
    liquidationRate: bigint,
  ): Due | null {
    const { balance, positions } = account;
    const known: FreshMarks = { trading: marks, liquidating: marks };
    const isFresh = areSame(positions, fresh, known);
    // Computed once if it is the same for all three checks, which is nearly always.
    const counted = isFresh ? accountOf(balance, positions, marks) : undefined;
    const due = dueAt(balance, positions, fresh, liquidationRate, counted);
    if (!isNothing(due)) return due;
    // Something is due but lacks a fresh price: the account is evaluated again on the next tick.
    if (!isFresh && !isNothing(dueAt(balance, positions, known, liquidationRate))) return null;
    const guards = guardsOf(balance, positions, marks, liquidationRate, counted);
    if (!guards) return null;
    this.unguard(key);
    for (const [pairId, guard] of guards) {
      const ofPair = this.guards.get(pairId) ?? new PairGuards();
      this.guards.set(pairId, ofPair);
      ofPair.set(key, guard);
    }
    this.guarded.set(key, [...guards.keys()]);
    this.hot.delete(key);
    return null;
  }

  private unguard(key: string): void {
    for (const pairId of this.guarded.get(key) ?? []) this.guards.get(pairId)?.delete(key);
    this.guarded.delete(key);
  }
}

const isNothing = ({ opens, closes }: Due): boolean => opens.length === 0 && closes.length === 0;
/** Whether both have the same prices for these positions: then the same is due. */
const areSame = (positions: readonly Position[], one: FreshMarks, other: FreshMarks): boolean =>
  positions.every(
    ({ pairId }) =>
      one.trading.get(pairId) === other.trading.get(pairId) &&
      one.liquidating.get(pairId) === other.liquidating.get(pairId),
  );
