import {
  accountKey,
  holdKey,
  type AccountState,
  type Entry,
  type HoldState,
  type Journal,
  type Leg,
  type Outcome,
  type Posting,
  type LegAccount,
  type Refusal,
} from '../../src/ledger/domain/journal.js';
import type { Ledger } from '../../src/ledger/domain/ledger.js';
import { checkRights, mayGoNegative, type PartitionScope } from '../../src/ledger/domain/rights.js';

/** State as a value: a posting returns a new value, and a refused one leaves this value unchanged. */
interface Books {
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly holds: ReadonlyMap<string, HoldState>;
}
type Step =
  | { readonly ok: true; readonly books: Books; readonly entries: readonly Entry[]; readonly held: bigint }
  | { readonly ok: false; readonly refusal: Refusal };

/** The rules of the ledger in their simplest form, as a reference for the fast implementation. */
export class PlainLedger implements Ledger {
  private books: Books = { accounts: new Map(), holds: new Map() };

  constructor(private readonly scope: PartitionScope) {}

  accounts(): Iterable<AccountState> {
    return this.books.accounts.values();
  }
  holds(): Iterable<HoldState> {
    return this.books.holds.values();
  }

  post(posting: Posting): Outcome {
    const unfit = checkRights(posting, this.scope);
    if (unfit) return { ok: false, refusal: unfit };
    let books = this.books;
    let held = null as { currency: number; amount: bigint } | null;
    const entries: Entry[][] = [];
    for (const journal of posting.journals) {
      const ofJournal: Entry[] = [];
      for (const leg of journal.legs) {
        const step = move(books, leg, journal, this.scope.limitOf(leg.currency));
        if (!step.ok) return step;
        books = step.books;
        ofJournal.push(...step.entries);
        if (step.held > 0n && (held === null || held.currency === leg.currency))
          held = { currency: leg.currency, amount: (held?.amount ?? 0n) + step.held };
      }
      entries.push(ofJournal);
    }
    this.books = books;
    return { ok: true, entries, held };
  }
}

function move(books: Books, leg: Leg, journal: Journal, limit: bigint): Step {
  const amount = amountOf(books, leg);
  if (typeof amount !== 'bigint') return { ok: false, refusal: amount };
  if (amount === 0n) return { ok: true, books, entries: [], held: 0n };
  const taken = change(books, leg.from, leg, -amount, journal, limit);
  if (!taken.ok) return taken;
  const given = change(taken.books, leg.to, leg, amount, journal, limit);
  if (!given.ok) return given;
  return {
    ok: true,
    books: given.books,
    entries: [...taken.entries, ...given.entries],
    held: leg.to.hold === null ? 0n : amount,
  };
}

function amountOf(books: Books, { from, currency, amount }: Leg): bigint | Refusal {
  if (typeof amount === 'bigint') return amount;
  if (amount === 'rest')
    return books.holds.get(holdKey(from.owner, from.account, currency, from.hold ?? ''))?.remaining ?? 0n;
  const { available } = accountOf(books, from, currency);
  if (available < amount.min && !mayGoNegative(from.account, currency))
    return {
      code: 'balance_insufficient',
      owner: from.owner,
      account: from.account,
      currency,
      balance: available,
      wanted: amount.min,
    };
  return available < amount.max && !mayGoNegative(from.account, currency) ? available : amount.max;
}

function change(
  books: Books,
  place: LegAccount,
  { currency, fee }: Leg,
  by: bigint,
  journal: Journal,
  limit: bigint,
): Step {
  const before = accountOf(books, place, currency);
  const { owner, account, hold } = place;
  if (hold === null) {
    const after = before.available + by;
    if (by < 0n && after < 0n && !mayGoNegative(account, currency))
      return {
        ok: false,
        refusal: { code: 'balance_insufficient', owner, account, currency, balance: before.available, wanted: -by },
      };
    if (after >= limit || after <= -limit)
      return { ok: false, refusal: { code: 'balance_too_large', owner, account, balance: after } };
    const state = { ...before, available: after, availableSequence: before.availableSequence + 1 };
    const accounts = new Map(books.accounts).set(accountKey(owner, account, currency), state);
    return {
      ok: true,
      books: { ...books, accounts },
      held: 0n,
      entries: [{ owner, account, currency, hold, amount: by, after, sequence: state.availableSequence, fee }],
    };
  }
  const key = holdKey(owner, account, currency, hold);
  const known = books.holds.get(key);
  const remaining = (known?.remaining ?? 0n) + by;
  if (remaining < 0n)
    return { ok: false, refusal: { code: 'hold_exceeded', hold, remaining: known?.remaining ?? 0n, wanted: -by } };
  const after = before.held + by;
  if (after >= limit) return { ok: false, refusal: { code: 'balance_too_large', owner, account, balance: after } };
  const state = { ...before, held: after, heldSequence: before.heldSequence + 1 };
  const holds = new Map(books.holds);
  if (remaining === 0n) holds.delete(key);
  else
    holds.set(key, {
      owner,
      account,
      currency,
      hold,
      remaining,
      causeType: known?.causeType ?? journal.causeType,
      causeId: known?.causeId ?? journal.causeId,
    });
  const accounts = new Map(books.accounts).set(accountKey(owner, account, currency), state);
  return {
    ok: true,
    books: { accounts, holds },
    held: 0n,
    entries: [{ owner, account, currency, hold, amount: by, after, sequence: state.heldSequence, fee }],
  };
}

function accountOf(books: Books, { owner, account }: LegAccount, currency: number): AccountState {
  return (
    books.accounts.get(accountKey(owner, account, currency)) ?? {
      owner,
      account,
      currency,
      available: 0n,
      held: 0n,
      availableSequence: 0,
      heldSequence: 0,
    }
  );
}
