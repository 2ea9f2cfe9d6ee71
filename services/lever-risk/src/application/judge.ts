import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Refused } from '@bourse/platform';
import type { Position } from '../domain/position.js';
import { groupBy } from './groups.js';
import { LeverMarkets } from './lever-markets.js';
import { accountKey } from '../domain/risk-book.js';
import {
  AccountStore,
  Balances,
  PositionStore,
  type AccountName,
  type AccountRow,
  type Claimant,
  type InFlight,
} from './ports.js';

/** Whoever holds a claim longer has died with it, or sleeps; what was decided under it is then refused. */
const CLAIM_MS = 5_000;
/** A claim that somebody has is asked for again this often. */
const AGAIN_MS = 15;
/** How long a call waits for what is under way of its own account. */
export const CALL_PATIENCE_MS = 2_500;
/**
 * For so long no call claims an account that risk could not claim. Longer than risk waits between two attempts, each of
 * which renews it; short, so that an owner of the index that dies does not close the account.
 */
export const RESERVED_MS = 1_000;

/** What is known of an account while nobody else may change it: nothing of it is in flight. */
export interface Seat {
  readonly account: AccountRow;
  readonly balance: bigint;
  /** What the house has for leverage in this quote. */
  readonly house: bigint;
  readonly positions: readonly Position[];
  /**
   * In the transaction of what was decided: takes the decision down and leaves `inFlight`, the one debit that the
   * account may have under way. @throws Refused `common.unavailable` when the account has changed meanwhile
   */
  enter(tx: Tx, inFlight: string | null): Promise<void>;
  /** Gives the account back without a decision. */
  leave(): Promise<void>;
}

/** What became of a proposal of the index: `taken` while somebody else has the account. */
export type Triggered = 'done' | 'nothing' | 'taken';

/** What is known of an account at a moment. */
export type Known = Pick<Seat, 'balance' | 'house' | 'positions'>;

/**
 * Lever risk is decided in one place (architecture §7): who wants to change an account claims its row, reads the
 * balance from the ledger, checks, and leaves at most one debit in flight. The balance is read after the claim, and
 * what was in flight before has come back by stream before, so what was read holds every debit there ever was; nobody
 * else debits lever, so what is there is never less. No lock is held while the ledger works: a claim is a value in the
 * row, ends by itself, and is compared when the decision is written.
 */
@Injectable()
export class Judge {
  /** Accounts for which a call of this process waits. */
  private readonly waiting = new Set<string>();

  constructor(
    private readonly accounts: AccountStore,
    private readonly positions: PositionStore,
    private readonly balances: Balances,
    private readonly markets: LeverMarkets,
  ) {}

  /**
   * For a call of the owner. One call of an account waits in each process; the others are refused at once, so that
   * nobody makes the database poll for more than one.
   * @throws Refused `common.unavailable` while another call waits, when the account stays taken, or when the ledger
   *   does not answer
   */
  async claim(account: AccountName, patienceMs = CALL_PATIENCE_MS): Promise<Seat> {
    const key = accountKey(account);
    if (this.waiting.has(key)) throw new Refused('common.unavailable');
    const seat = (await this.tryClaim(account)) ?? (await this.waitFor(account, patienceMs));
    if (!seat) throw new Refused('common.unavailable');
    return seat;
  }

  private async waitFor(account: AccountName, patienceMs: number): Promise<Seat | null> {
    const key = accountKey(account);
    if (this.waiting.has(key)) return null;
    this.waiting.add(key);
    try {
      const until = performance.now() + patienceMs;
      let seat: Seat | null = null;
      while (!seat && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        seat = await this.tryClaim(account);
      }
      return seat;
    } finally {
      this.waiting.delete(key);
    }
  }

  /**
   * For liquidation, stops, targets and touch orders, which come before the owner's calls (rules §3): an account that
   * is taken is reserved, so that no call claims it before the next attempt. Null while it is taken.
   */
  async claimForRisk(account: AccountName): Promise<Seat | null> {
    const seat = await this.attempt(account, 'risk');
    if (!seat) await this.accounts.reserve(account, RESERVED_MS);
    return seat;
  }

  /** One attempt of a call; null while somebody else has the account, or it is reserved for risk. */
  tryClaim(account: AccountName): Promise<Seat | null> {
    return this.attempt(account, 'call');
  }

  private async attempt(account: AccountName, by: Claimant): Promise<Seat | null> {
    // A row of a currency that is not in the catalog could not be read by the owner of its share either.
    this.markets.currency(account.quote);
    const token = randomUUID();
    const row = await this.accounts.claim(account, token, CLAIM_MS, by);
    if (!row) return null;
    try {
      return await this.seat(row, token);
    } catch (error) {
      await this.accounts.release(account, token);
      throw error;
    }
  }

  private async seat(account: AccountRow, token: string): Promise<Seat> {
    return {
      account,
      ...(await this.look(account)),
      enter: async (tx, inFlight) => {
        if (!(await this.accounts.enter(tx, account, token, inFlight))) throw new Refused('common.unavailable');
      },
      leave: () => this.accounts.release(account, token),
    };
  }

  /** What is known of an account without claiming it: to show, not to decide. */
  async look(account: AccountName): Promise<Known> {
    const [known] = await this.lookAll([account]);
    if (!known) throw new Error('invariant: one account was asked for');
    return known;
  }

  /** The same of several, in their order: one read of positions, and one of balances for each quote. */
  async lookAll(accounts: readonly AccountName[]): Promise<readonly Known[]> {
    if (accounts.length === 0) return [];
    const people = new Map<number, Set<number>>();
    for (const { userId, quote } of accounts) people.set(quote, (people.get(quote) ?? new Set()).add(userId));
    const [positions, ...told] = await Promise.all([
      this.positions.liveOf(accounts),
      ...[...people].map(async ([quote, ids]) => [quote, await this.balances.of(quote, [...ids])] as const),
    ]);
    const byQuote = new Map(told);
    const byAccount = groupBy(positions, accountKey);
    return accounts.map((account) => {
      const { scale } = this.markets.currency(account.quote);
      const { balances, house } = byQuote.get(account.quote)!;
      return {
        balance: toUnits(balances[account.userId] ?? '0', scale),
        house: toUnits(house, scale),
        positions: byAccount.get(accountKey(account)) ?? [],
      };
    });
  }

  /** What was in flight has come to its end, in the transaction that sees it. */
  land(tx: Tx, accounts: readonly InFlight[]): Promise<void> {
    return this.accounts.land(tx, accounts);
  }
}

/**
 * Wraps the transaction that a decision is written in: what fails gives the account back at once instead of leaving it
 * claimed until the claim ends.
 */
export function entering<T>(seat: Seat, write: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  return async (tx) => {
    try {
      return await write(tx);
    } catch (error) {
      // After the rollback: the row is locked until then.
      void seat.leave().catch(() => undefined);
      throw error;
    }
  };
}
