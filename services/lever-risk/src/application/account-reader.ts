import { Injectable } from '@nestjs/common';
import { AskUnavailable } from '@bourse/messaging';
import { isTransient } from '@bourse/persistence';
import { Alarms, Metrics } from '@bourse/platform';
import { accountKey, type RiskAccount } from '../domain/risk-book.js';
import { AccountClaims } from './account-claims.js';
import type { AccountRow } from './ports.js';

/** Time limit of the search for unreadable accounts; beyond it the fault is not one of single accounts. */
const SEARCH_MS = 5_000;
/** Largest number of accounts that an alarm names; it counts the others. */
const NAMED_MAX = 5;

/** An account that cannot be read, with the reason. */
export interface Unreadable {
  readonly row: AccountRow;
  readonly reason: string;
}

/** Reads accounts with their balances and positions, and isolates those that cannot be read. */
@Injectable()
export class AccountReader {
  constructor(private readonly claims: AccountClaims) {}

  /**
   * Reads all accounts at once, or in halves until only those remain that cannot be read. Throws if the ledger or the
   * database is away.
   */
  async read(
    rows: readonly AccountRow[],
  ): Promise<{ readonly accounts: readonly RiskAccount[]; readonly unreadable: readonly Unreadable[] }> {
    const [accounts, unreadable]: [RiskAccount[], Unreadable[]] = [[], []];
    const until = performance.now() + SEARCH_MS;
    const take = async (part: readonly AccountRow[]): Promise<void> => {
      const [row] = part;
      if (!row) return;
      try {
        const states = await this.claims.readAll(part);
        accounts.push(...states.map(({ balance, positions }, at) => ({ ...part[at]!, balance, positions })));
      } catch (error) {
        if (error instanceof AskUnavailable || isTransient(error) || performance.now() > until) throw error;
        if (part.length === 1) unreadable.push({ row, reason: (error as Error).message });
        else {
          const middle = Math.ceil(part.length / 2);
          await take(part.slice(0, middle));
          await take(part.slice(middle));
        }
      }
    };
    await take(rows);
    return { accounts, unreadable };
  }
}

/** Raises an alarm for accounts that cannot be read, since their risk is not monitored. */
@Injectable()
export class UnreadableAccounts {
  private readonly counts = new Map<number, number>();

  constructor(
    private readonly alarms: Alarms,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'bourse_lever_unreadable_accounts',
      'Accounts with leverage that cannot be read, whose risk is not monitored until they can',
      [],
      (gauge) => gauge.set([...this.counts.values()].reduce((sum, count) => sum + count, 0)),
    );
  }

  /** Reports the unreadable accounts of one partition. None: all can be read, or another process owns the partition. */
  report(part: number, unreadable: readonly Unreadable[]): void {
    this.counts.set(part, unreadable.length);
    const alarm = `lever.unreadable:${part}`;
    if (unreadable.length === 0) {
      this.alarms.clear(alarm);
      return;
    }
    const named = unreadable.slice(0, NAMED_MAX).map(({ row, reason }) => `${accountKey(row)} (${reason})`);
    const more = unreadable.length > NAMED_MAX ? [`${unreadable.length - NAMED_MAX} more`] : [];
    this.alarms.raise(alarm, `the risk of these accounts is not monitored: ${[...named, ...more].join(', ')}`);
  }
}
