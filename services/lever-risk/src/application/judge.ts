import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Refused } from '@bourse/platform';
import type { Position } from '../domain/position.js';
import { LeverMarkets } from './lever-markets.js';
import { AccountStore, Balances, PositionStore, type AccountName, type AccountRow, type InFlight } from './ports.js';

/** Whoever holds a claim longer has died with it, or sleeps; what was decided under it is then refused. */
const CLAIM_MS = 5_000;
/** A claim that somebody has is asked for again this often. */
const AGAIN_MS = 15;
/** How long a call waits for what is under way of its own account. */
export const CALL_PATIENCE_MS = 2_500;

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

/**
 * Lever risk is decided in one place (architecture §7): who wants to change an account claims its row, reads the
 * balance from the ledger, checks, and leaves at most one debit in flight. The balance is read after the claim, and
 * what was in flight before has come back by stream before, so what was read holds every debit there ever was; nobody
 * else debits lever, so what is there is never less. No lock is held while the ledger works: a claim is a value in the
 * row, ends by itself, and is compared when the decision is written.
 */
@Injectable()
export class Judge {
  constructor(
    private readonly accounts: AccountStore,
    private readonly positions: PositionStore,
    private readonly balances: Balances,
    private readonly markets: LeverMarkets,
  ) {}

  /** @throws Refused `common.unavailable` when somebody has the account all the time, or the ledger does not answer */
  async claim(account: AccountName, patienceMs = CALL_PATIENCE_MS): Promise<Seat> {
    const seat = await this.tryClaim(account, patienceMs);
    if (!seat) throw new Refused('common.unavailable');
    return seat;
  }

  /** As `claim`; null while somebody else has the account. */
  async tryClaim(account: AccountName, patienceMs = 0): Promise<Seat | null> {
    // A row of a currency that is not in the catalog could not be read by the owner of its share either.
    this.markets.currency(account.quote);
    const token = randomUUID();
    const until = performance.now() + patienceMs;
    let row = await this.accounts.claim(account, token, CLAIM_MS);
    while (!row && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      row = await this.accounts.claim(account, token, CLAIM_MS);
    }
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
  async look(account: AccountName): Promise<Pick<Seat, 'balance' | 'house' | 'positions'>> {
    const [{ balances, house }, positions] = await Promise.all([
      this.balances.of(account.quote, [account.userId]),
      this.positions.live(account),
    ]);
    const { scale } = this.markets.currency(account.quote);
    return {
      balance: toUnits(balances[account.userId] ?? '0', scale),
      house: toUnits(house, scale),
      positions,
    };
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
