import { accountOf, type Marks } from './account.js';
import { PairGuards } from './guards.js';
import { STATUS, type Position } from './position.js';
import { dueAt, guardsOf, type Due, type FreshMarks } from './triggers.js';

/**
 * What is known of one person and quote. The balance is never more than what is there: only others' credits raise it.
 */
export interface RiskAccount {
  readonly userId: number;
  readonly quote: number;
  /** Of its row: what was read later replaces what was read before. */
  readonly version: number;
  readonly balance: bigint;
  readonly positions: readonly Position[];
}
export const accountKey = ({ userId, quote }: Pick<RiskAccount, 'userId' | 'quote'>): string => `${userId}/${quote}`;

/** What is to be proposed for an account. */
export interface Proposal {
  readonly account: RiskAccount;
  readonly due: Due;
}

/**
 * Accounts with open positions or touch orders, by the prices at which something happens to them. It proposes only: the
 * row of the account decides (architecture §7).
 */
export class RiskBook {
  private readonly accounts = new Map<string, RiskAccount>();
  private readonly guards = new Map<number, PairGuards>();
  /** Pairs in which an account has guards. */
  private readonly guarded = new Map<string, readonly number[]>();
  /** Accounts that are judged with each tick, until nothing is due of them. */
  private readonly hot = new Set<string>();

  get size(): number {
    return this.accounts.size;
  }
  /** Entries of all guards, for the measure of memory. */
  get entries(): number {
    return [...this.guards.values()].reduce((sum, { size }) => sum + size, 0);
  }

  all(): Iterable<RiskAccount> {
    return this.accounts.values();
  }
  find(key: string): RiskAccount | undefined {
    return this.accounts.get(key);
  }

  /** An account as it was read; it is judged with the next tick. What is older than what is known is passed over. */
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

  /** Prices that have come, of these pairs: what is due of whom. `marks` are all that are known, however old. */
  tick(pairs: Iterable<number>, marks: Marks, fresh: FreshMarks, burst: bigint): Proposal[] {
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
        const due = this.judge(key, account, marks, fresh, burst);
        if (due) proposals.push({ account, due });
      }
    }
    return proposals;
  }

  private judge(key: string, account: RiskAccount, marks: Marks, fresh: FreshMarks, burst: bigint): Due | null {
    const { balance, positions } = account;
    const known: FreshMarks = { trading: marks, liquidating: marks };
    const isFresh = areSame(positions, fresh, known);
    // Counted once where it is the same for all three questions, which is nearly always.
    const counted = isFresh ? accountOf(balance, positions, marks) : undefined;
    const due = dueAt(balance, positions, fresh, burst, counted);
    if (!isNothing(due)) return due;
    // What only waits for a fresh price is looked at again with the next one.
    if (!isFresh && !isNothing(dueAt(balance, positions, known, burst))) return null;
    const guards = guardsOf(balance, positions, marks, burst, counted);
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
/** Whether positions find the same prices in both: then the same is due. */
const areSame = (positions: readonly Position[], one: FreshMarks, other: FreshMarks): boolean =>
  positions.every(
    ({ pairId }) =>
      one.trading.get(pairId) === other.trading.get(pairId) &&
      one.liquidating.get(pairId) === other.liquidating.get(pairId),
  );
