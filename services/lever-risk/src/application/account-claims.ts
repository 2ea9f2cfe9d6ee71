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

/** Lifetime of a claim. A process that holds one longer has died or sleeps; its decision is then refused. */
const CLAIM_MS = 5_000;
/** Pause between two attempts to claim an account that is taken. */
const RETRY_MS = 15;
/** How long a call waits for a claim of its account. */
const CALL_TIMEOUT_MS = 2_500;
/**
 * How long an account is reserved for risk after a failed attempt, so that no call claims it. Longer than the pause
 * between two attempts of risk, each of which renews it; short, so that a dead risk owner does not block the account.
 */
export const RESERVED_MS = 1_000;

/** An account under an exclusive claim, with its state: nothing of it is in flight. */
export interface ClaimedAccount {
  readonly account: AccountRow;
  readonly balance: bigint;
  /** Balance of `h.lever` in this quote. */
  readonly house: bigint;
  readonly positions: readonly Position[];
  /**
   * Ends the claim in the transaction that writes the decision.
   * @param inFlight the one debit that the account may have in flight; null: none
   * @throws Refused `common.unavailable` if the claim has expired or the account has changed
   */
  commit(tx: Tx, inFlight: string | null): Promise<void>;
  /** Ends the claim without a decision. */
  release(): Promise<void>;
}

/** Result of a proposal of the risk book. `taken`: another holds the claim, so it must be tried again. */
export type TriggerOutcome = 'done' | 'nothing' | 'taken';

/** Balance and positions of an account, as read. */
export type AccountState = Pick<ClaimedAccount, 'balance' | 'house' | 'positions'>;

/**
 * Serialises the decisions on a lever account (architecture §7). A decision claims the row of the account, reads the
 * balance from the ledger, checks, and leaves at most one debit in flight. An account can be claimed only after its
 * last debit was reported by stream, and no other service debits lever: the balance that was read includes every debit,
 * and the real one is never lower. No lock is held while the ledger works: a claim is a value in the row, expires by
 * itself, and is compared when the decision is written.
 */
@Injectable()
export class AccountClaims {
  /** Accounts for which a call waits in this process. */
  private readonly waiting = new Set<string>();

  constructor(
    private readonly accounts: AccountStore,
    private readonly positions: PositionStore,
    private readonly balances: Balances,
    private readonly markets: LeverMarkets,
  ) {}

  /**
   * Claims an account for a call of its owner. In each process one call waits per account and the others are refused at
   * once, so that parallel calls cannot multiply the polling of the database.
   * @throws Refused `common.unavailable` if another call waits, the account stays taken, or the ledger does not answer
   */
  async claim(account: AccountName): Promise<ClaimedAccount> {
    const [claimed] = await this.claimAll([account]);
    if (!claimed) throw new Error('invariant: one account was asked for');
    return claimed;
  }

  /**
   * The same for several accounts, in their order. While one of them is taken none is held, so that liquidation of the
   * others does not wait for it.
   * @throws Refused as `claim`
   */
  async claimAll(accounts: readonly AccountName[]): Promise<readonly ClaimedAccount[]> {
    if (this.isWaitedFor(accounts)) throw new Refused('common.unavailable');
    const claimed = (await this.tryClaimAll(accounts)) ?? (await this.waitFor(accounts));
    if (!claimed) throw new Refused('common.unavailable');
    return claimed;
  }

  private isWaitedFor(accounts: readonly AccountName[]): boolean {
    return accounts.some((account) => this.waiting.has(accountKey(account)));
  }

  private async waitFor(accounts: readonly AccountName[]): Promise<readonly ClaimedAccount[] | null> {
    if (this.isWaitedFor(accounts)) return null;
    for (const account of accounts) this.waiting.add(accountKey(account));
    try {
      const until = performance.now() + CALL_TIMEOUT_MS;
      let claimed: readonly ClaimedAccount[] | null = null;
      while (!claimed && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        claimed = await this.tryClaimAll(accounts);
      }
      return claimed;
    } finally {
      for (const account of accounts) this.waiting.delete(accountKey(account));
    }
  }

  /** One attempt. Null, without a claim, if one of them is taken. */
  private async tryClaimAll(accounts: readonly AccountName[]): Promise<readonly ClaimedAccount[] | null> {
    const claimed: ClaimedAccount[] = [];
    let isDone = false;
    try {
      for (const account of accounts) {
        const one = await this.tryClaim(account);
        if (!one) return null;
        claimed.push(one);
      }
      isDone = true;
      return claimed;
    } finally {
      if (!isDone) await releaseAll(claimed);
    }
  }

  /**
   * Claims an account for liquidation, stops, targets and trigger orders, which come before the owner's calls
   * (rules §3). An account that is taken is reserved, so that no call claims it before the next attempt; the result
   * is null.
   */
  async claimForRisk(account: AccountName): Promise<ClaimedAccount | null> {
    const claimed = await this.attempt(account, 'risk');
    if (!claimed) await this.accounts.reserve(account, RESERVED_MS);
    return claimed;
  }

  /** One attempt for a call. Null if another holds the account or it is reserved for risk. */
  tryClaim(account: AccountName): Promise<ClaimedAccount | null> {
    return this.attempt(account, 'call');
  }

  private async attempt(account: AccountName, by: Claimant): Promise<ClaimedAccount | null> {
    // The owner of its partition could not read a row whose currency is not in the catalog.
    this.markets.currency(account.quote);
    const token = randomUUID();
    const row = await this.accounts.claim(account, token, CLAIM_MS, by);
    if (!row) return null;
    try {
      return await this.readClaimed(row, token);
    } catch (error) {
      await this.accounts.release(account, token);
      throw error;
    }
  }

  private async readClaimed(account: AccountRow, token: string): Promise<ClaimedAccount> {
    return {
      account,
      ...(await this.read(account)),
      commit: async (tx, inFlight) => {
        if (!(await this.accounts.commit(tx, account, token, inFlight))) throw new Refused('common.unavailable');
      },
      release: () => this.accounts.release(account, token),
    };
  }

  /** Reads an account without a claim: to show it, never to decide. */
  async read(account: AccountName): Promise<AccountState> {
    const [state] = await this.readAll([account]);
    if (!state) throw new Error('invariant: one account was asked for');
    return state;
  }

  /** Reads several accounts, in their order, with one query of positions and one question per quote for balances. */
  async readAll(accounts: readonly AccountName[]): Promise<readonly AccountState[]> {
    if (accounts.length === 0) return [];
    const people = new Map<number, Set<number>>();
    for (const { userId, quote } of accounts) people.set(quote, (people.get(quote) ?? new Set()).add(userId));
    const [positions, ...balances] = await Promise.all([
      this.positions.liveOf(accounts),
      ...[...people].map(async ([quote, ids]) => [quote, await this.balances.of(quote, [...ids])] as const),
    ]);
    const byQuote = new Map(balances);
    const byAccount = groupBy(positions, accountKey);
    return accounts.map((account) => {
      const { scale } = this.markets.currency(account.quote);
      const { balances: found, house } = byQuote.get(account.quote)!;
      return {
        balance: toUnits(found[account.userId] ?? '0', scale),
        house: toUnits(house, scale),
        positions: byAccount.get(accountKey(account)) ?? [],
      };
    });
  }

  /** Clears what was in flight, in the transaction that learns its outcome. */
  settleInFlight(tx: Tx, accounts: readonly InFlight[]): Promise<void> {
    return this.accounts.settleInFlight(tx, accounts);
  }
}

/** Releases accounts; one that cannot be released keeps no other, and ends with its time. */
export async function releaseAll(claimed: readonly ClaimedAccount[]): Promise<void> {
  await Promise.allSettled(claimed.map((one) => one.release()));
}
