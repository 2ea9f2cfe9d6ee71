import {
  accountKey,
  holdKey,
  type AccountKey,
  type AccountState,
  type Entry,
  type HoldKey,
  type HoldState,
  type Journal,
  type Leg,
  type Outcome,
  type Posting,
  type LegAccount,
  type Refusal,
} from './journal.js';
import type { Ledger } from './ledger.js';
import { checkRights, mayGoNegative, type PartitionScope } from './rights.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** `saved` is the value in the database: the sum of both sequences, or the remainder of the hold. */
type Account = Mutable<AccountState> & { saved: number };
type Hold = Mutable<HoldState> & { saved: bigint };
type Undo =
  | {
      readonly account: Account;
      readonly available: bigint;
      readonly held: bigint;
      readonly availableSequence: number;
      readonly heldSequence: number;
    }
  | { readonly hold: Hold; readonly remaining: bigint };

/**
 * The ledger in memory: accounts and holds are loaded on first touch and changed in place; each change records how to
 * undo it, so that a posting, or everything since a mark, can be rolled back. Touching an account that was not loaded
 * is a defect of the caller.
 */
export class HotLedger implements Ledger {
  private readonly accountsByKey = new Map<AccountKey, Account>();
  private readonly holdsByKey = new Map<HoldKey, Hold>();
  private readonly changedAccounts = new Set<Account>();
  private readonly changedHolds = new Set<Hold>();
  private undo: Undo[] = [];

  constructor(private readonly scope: PartitionScope) {}

  /** Accounts and holds in memory. */
  get size(): number {
    return this.accountsByKey.size + this.holdsByKey.size;
  }
  accounts(): Iterable<AccountState> {
    return this.accountsByKey.values();
  }
  *holds(): Iterable<HoldState> {
    for (const hold of this.holdsByKey.values()) if (hold.remaining > 0n) yield hold;
  }

  knowsAccount(key: AccountKey): boolean {
    return this.accountsByKey.has(key);
  }
  knowsHold(key: HoldKey): boolean {
    return this.holdsByKey.has(key);
  }
  /** An account in memory. */
  stateOf(owner: number, account: string, currency: number): AccountState {
    return this.accountOf({ owner, account, hold: null }, currency);
  }
  /** Puts a stored account, or an empty one, into memory. */
  loadAccount(state: AccountState): void {
    this.accountsByKey.set(accountKey(state.owner, state.account, state.currency), {
      ...state,
      saved: state.availableSequence + state.heldSequence,
    });
  }
  /** Puts a stored hold, or an empty one, into memory. */
  loadHold(state: HoldState): void {
    this.holdsByKey.set(holdKey(state.owner, state.account, state.currency, state.hold), {
      ...state,
      saved: state.remaining,
    });
  }

  post(posting: Posting): Outcome {
    const unfit = checkRights(posting, this.scope);
    if (unfit) return { ok: false, refusal: unfit };
    const mark = this.mark();
    const entries: Entry[][] = [];
    let held = null as { currency: number; amount: bigint } | null;
    for (const journal of posting.journals) {
      const ofJournal: Entry[] = [];
      for (const leg of journal.legs) {
        const amount = this.amountOf(leg);
        const refusal = typeof amount === 'bigint' ? this.move(leg, amount, journal, ofJournal) : amount;
        if (refusal) {
          this.rollBack(mark);
          return { ok: false, refusal };
        }
        if (
          leg.to.hold !== null &&
          typeof amount === 'bigint' &&
          amount > 0n &&
          (held === null || held.currency === leg.currency)
        )
          held = { currency: leg.currency, amount: (held?.amount ?? 0n) + amount };
      }
      entries.push(ofJournal);
    }
    return { ok: true, entries, held };
  }

  /** A point to which `rollBack` returns. */
  mark(): number {
    return this.undo.length;
  }

  /** Undoes every change since a mark. */
  rollBack(mark: number): void {
    for (let at = this.undo.length - 1; at >= mark; at--) {
      const step = this.undo[at] as Undo;
      if ('hold' in step) step.hold.remaining = step.remaining;
      else
        Object.assign(step.account, {
          available: step.available,
          held: step.held,
          availableSequence: step.availableSequence,
          heldSequence: step.heldSequence,
        });
    }
    this.undo.length = mark;
  }

  /** Accounts and holds that changed since the last `settle`. A hold with nothing left is to be deleted. */
  changes(): { readonly accounts: readonly AccountState[]; readonly holds: readonly HoldState[] } {
    return {
      accounts: [...this.changedAccounts].filter((account) => sequencesOf(account) !== account.saved),
      holds: [...this.changedHolds].filter((hold) => hold.remaining !== hold.saved),
    };
  }

  /** The changes are durable: drops the undo log and the holds that are used up. */
  settle(): void {
    for (const account of this.changedAccounts) account.saved = sequencesOf(account);
    for (const hold of this.changedHolds) {
      hold.saved = hold.remaining;
      if (hold.remaining === 0n) this.holdsByKey.delete(holdKey(hold.owner, hold.account, hold.currency, hold.hold));
    }
    this.changedAccounts.clear();
    this.changedHolds.clear();
    this.undo = [];
  }

  /** Drops all accounts and holds; to be called between batches only. */
  clear(): void {
    const { accounts, holds } = this.changes();
    if (accounts.length > 0 || holds.length > 0)
      throw new Error('invariant: a ledger with unsaved changes cannot be cleared');
    this.accountsByKey.clear();
    this.holdsByKey.clear();
    this.settle();
  }

  private amountOf({ from, currency, amount }: Leg): bigint | Refusal {
    if (typeof amount === 'bigint') return amount;
    if (amount === 'rest') return this.holdOf(from, currency).remaining;
    const { available } = this.accountOf(from, currency);
    if (mayGoNegative(from.account, currency)) return amount.max;
    if (available < amount.min)
      return {
        code: 'balance_insufficient',
        owner: from.owner,
        account: from.account,
        currency,
        balance: available,
        wanted: amount.min,
      };
    return available < amount.max ? available : amount.max;
  }

  private move(leg: Leg, amount: bigint, journal: Journal, entries: Entry[]): Refusal | null {
    if (amount === 0n) return null;
    return this.change(leg.from, leg, -amount, journal, entries) ?? this.change(leg.to, leg, amount, journal, entries);
  }

  private change(
    place: LegAccount,
    { currency, fee }: Leg,
    by: bigint,
    journal: Journal,
    entries: Entry[],
  ): Refusal | null {
    const state = this.accountOf(place, currency);
    const { owner, account, hold } = place;
    const limit = this.scope.limitOf(currency);
    if (hold === null) {
      const after = state.available + by;
      if (by < 0n && after < 0n && !mayGoNegative(account, currency))
        return { code: 'balance_insufficient', owner, account, currency, balance: state.available, wanted: -by };
      if (after >= limit || after <= -limit) return { code: 'balance_too_large', owner, account, balance: after };
      this.note(state);
      state.available = after;
      state.availableSequence += 1;
      entries.push({ owner, account, currency, hold, amount: by, after, sequence: state.availableSequence, fee });
      return null;
    }
    const row = this.holdOf(place, currency);
    const remaining = row.remaining + by;
    if (remaining < 0n) return { code: 'hold_exceeded', hold, remaining: row.remaining, wanted: -by };
    const after = state.held + by;
    if (after >= limit) return { code: 'balance_too_large', owner, account, balance: after };
    this.note(state);
    this.undo.push({ hold: row, remaining: row.remaining });
    this.changedHolds.add(row);
    // The cause of a hold is the cause that opened it; an empty hold opens again.
    if (row.remaining === 0n) {
      row.causeType = journal.causeType;
      row.causeId = journal.causeId;
    }
    row.remaining = remaining;
    state.held = after;
    state.heldSequence += 1;
    entries.push({ owner, account, currency, hold, amount: by, after, sequence: state.heldSequence, fee });
    return null;
  }

  private note(account: Account): void {
    this.undo.push({
      account,
      available: account.available,
      held: account.held,
      availableSequence: account.availableSequence,
      heldSequence: account.heldSequence,
    });
    this.changedAccounts.add(account);
  }

  private accountOf({ owner, account }: LegAccount, currency: number): Account {
    const state = this.accountsByKey.get(accountKey(owner, account, currency));
    if (!state) throw new Error(`invariant: account ${accountKey(owner, account, currency)} was not loaded`);
    return state;
  }

  private holdOf({ owner, account, hold }: LegAccount, currency: number): Hold {
    const key = holdKey(owner, account, currency, hold ?? '');
    const state = this.holdsByKey.get(key);
    if (!state) throw new Error(`invariant: hold ${key} was not loaded`);
    return state;
  }
}

const sequencesOf = ({ availableSequence, heldSequence }: AccountState): number => availableSequence + heldSequence;
