import { Injectable, Logger } from '@nestjs/common';
import { MarkPrices, type Lease } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { STATUS } from '../domain/position.js';
import { accountKey, RiskBook, type Proposal, type RiskAccount } from '../domain/risk-book.js';
import type { FreshMarks } from '../domain/triggers.js';
import { AccountReader, UnreadableAccounts, type Unreadable } from './account-reader.js';
import { ClosePositions } from './close.js';
import { TriggerOrders } from './trigger-orders.js';
import type { TriggerOutcome } from './account-claims.js';
import { LeverMarkets, LIQUIDATING_AGE_MS, TRADING_AGE_MS } from './lever-markets.js';
import { LIQUIDATION_RATE } from './lever-settings.js';
import { OvernightFees } from './overnight-fees.js';
import { AccountStore, type AccountRow, type Partition } from './ports.js';
import { PositionEvents } from './position-events.js';

/** Interval at which changed accounts are read if no tick comes. */
const POLL_INTERVAL_MS = 1_000;
/** Window of changes to read: far longer than any transaction, so that no commit is missed. */
const CHANGED_MS = 30_000;
const CHUNK = 1_000;
/** Interval at which unreadable accounts are read again. */
const UNREADABLE_MS = 1_000;
/** Proposals of one partition that are decided at a time. */
const AT_ONCE = 8;
/** A proposal that has waited longer is dropped: the next tick proposes at a current price. */
const PROPOSAL_MS = 3_000;
/** First and longest pause before an account that is taken is tried again; each pause is twice the last. */
const RETRY_MS = 15;
const RETRY_MAX_MS = 120;

/** Dependencies of a risk owner. */
@Injectable()
export class RiskParts {
  constructor(
    readonly prices: MarkPrices,
    readonly markets: LeverMarkets,
    readonly accounts: AccountStore,
    readonly reader: AccountReader,
    readonly unreadable: UnreadableAccounts,
    readonly settings: Settings,
    readonly closes: ClosePositions,
    readonly triggerOrders: TriggerOrders,
    readonly overnightFees: OvernightFees,
    readonly positionEvents: PositionEvents,
  ) {}
}

interface Queued {
  readonly proposal: Proposal;
  readonly fresh: FreshMarks;
  readonly at: number;
  /** Pause before the next attempt if the account is taken. */
  readonly retryMs: number;
}

/** Holds one partition of the accounts in memory while its lease holds, and decides what the prices demand. */
export class RiskOwner {
  private readonly logger = new Logger('RiskOwner');
  private readonly book = new RiskBook();
  /** Versions that were read, also of accounts without live positions. */
  private readonly versions = new Map<string, number>();
  /** Accounts that could not be read; they are read again until they can, and delay no other. */
  private readonly unreadable = new Map<string, Unreadable>();
  private retryReadAt = 0;
  private readonly moved = new Set<string>();
  private readonly busy = new Set<string>();
  /** Closes are decided before trigger orders, of which any number may wait for money that never comes. */
  private readonly closes: Queued[] = [];
  private readonly opens = new Map<string, Queued>();
  /** Closes of accounts whose trigger orders are tried: they replace the next try. */
  private readonly superseding = new Map<string, Queued>();
  /**
   * Trigger orders that ticks have reached while their account was busy: once it is free they are judged by the prices
   * of those ticks, which need not come again.
   */
  private readonly reached = new Map<string, Queued[]>();
  private working = 0;
  private isEnded = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly partition: Partition,
    private readonly parts: RiskParts,
  ) {}

  async run({ signal }: Lease): Promise<void> {
    const stop = (): void => this.wake();
    const unfollow = this.parts.prices.onTicks((ticks) => {
      for (const { symbol } of ticks) this.moved.add(symbol);
      this.wake();
    });
    signal.addEventListener('abort', stop);
    try {
      for (const { symbol } of this.parts.markets.all()) this.moved.add(symbol);
      await this.load(await this.parts.accounts.changed(this.partition, null));
      while (!signal.aborted) {
        const woken = this.nextWake();
        await this.refresh();
        this.tick();
        await woken;
      }
    } finally {
      this.isEnded = true;
      unfollow();
      signal.removeEventListener('abort', stop);
      this.parts.unreadable.report(this.partition.part, []);
    }
  }

  private nextWake(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async refresh(): Promise<void> {
    const changed = await this.parts.accounts.changed(this.partition, CHANGED_MS);
    const isNew = (row: AccountRow): boolean =>
      !this.unreadable.has(accountKey(row)) && (this.versions.get(accountKey(row)) ?? -1) < row.version;
    await this.load(changed.filter(isNew));
    if (this.unreadable.size > 0 && performance.now() >= this.retryReadAt)
      await this.load([...this.unreadable.values()].map(({ row }) => row));
    if (this.versions.size > 4 * (this.book.size + changed.length) + CHUNK) {
      const kept = new Set([...changed.map(accountKey), ...[...this.book.all()].map(accountKey)]);
      for (const key of this.versions.keys()) if (!kept.has(key)) this.versions.delete(key);
    }
  }
  private async load(rows: readonly AccountRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += CHUNK) {
      const { accounts, unreadable } = await this.parts.reader.read(rows.slice(at, at + CHUNK));
      for (const account of accounts) {
        this.book.put(account);
        this.versions.set(accountKey(account), account.version);
        this.unreadable.delete(accountKey(account));
      }
      for (const one of unreadable) this.unreadable.set(accountKey(one.row), one);
      if (unreadable.length > 0) this.retryReadAt = performance.now() + UNREADABLE_MS;
    }
    this.parts.unreadable.report(this.partition.part, [...this.unreadable.values()]);
  }

  private tick(): void {
    const { markets, settings, positionEvents } = this.parts;
    const pairIds = markets.all().map(({ pairId }) => pairId);
    const moved = markets.all().flatMap(({ symbol, pairId }) => (this.moved.has(symbol) ? [pairId] : []));
    this.moved.clear();
    const marks = markets.marks(pairIds);
    const fresh = {
      trading: markets.marks(pairIds, TRADING_AGE_MS),
      liquidating: markets.marks(pairIds, LIQUIDATING_AGE_MS),
    };
    for (const proposal of this.book.tick(moved, marks, fresh, settings.get(LIQUIDATION_RATE)))
      this.propose(proposal, fresh);
    this.publishMoved(new Set(moved), positionEvents);
    for (const account of this.book.all()) this.collectOvernightFees(account);
  }

  /** Publishes the state of each account with an open position in a pair whose price has changed. */
  private publishMoved(moved: ReadonlySet<number>, positionEvents: PositionEvents): void {
    const accounts: RiskAccount[] = [];
    for (const account of this.book.all())
      if (account.positions.some(({ pairId, status }) => status === STATUS.open && moved.has(pairId)))
        accounts.push(account);
    positionEvents.publishSoon(accounts);
  }

  private propose(proposal: Proposal, fresh: FreshMarks): void {
    const key = accountKey(proposal.account);
    const queued = { proposal, fresh, at: performance.now(), retryMs: RETRY_MS };
    if (!this.busy.has(key)) {
      this.busy.add(key);
      this.enqueue(queued);
    } else if (isClose(queued)) {
      const open = this.opens.get(key);
      if (open) {
        this.opens.delete(key);
        this.keepReached(open);
        this.enqueue(queued);
      } else this.superseding.set(key, queued);
    } else this.keepReached(queued);
  }

  /** Keeps trigger orders until their account is free. Of several ticks the first that reached each counts. */
  private keepReached(queued: Queued): void {
    const key = accountKey(queued.proposal.account);
    const kept = (this.reached.get(key) ?? []).filter((one) => !isTooOld(one));
    const known = new Set(kept.flatMap(orderIds));
    if (orderIds(queued).some((id) => !known.has(id))) kept.push(queued);
    this.reached.set(key, kept);
  }

  private takeReached(key: string): Queued | undefined {
    const [next, ...rest] = (this.reached.get(key) ?? []).filter((one) => !isTooOld(one));
    if (rest.length > 0) this.reached.set(key, rest);
    else this.reached.delete(key);
    return next;
  }

  private enqueue(queued: Queued): void {
    if (isClose(queued)) this.closes.push(queued);
    else this.opens.set(accountKey(queued.proposal.account), queued);
    if (this.working >= AT_ONCE) return;
    this.working += 1;
    void this.work();
  }

  private take(): Queued | undefined {
    const close = this.closes.shift();
    if (close) return close;
    for (const [key, open] of this.opens) {
      this.opens.delete(key);
      return open;
    }
    return undefined;
  }

  private async work(): Promise<void> {
    for (let next = this.take(); next; next = this.take()) {
      const key = accountKey(next.proposal.account);
      try {
        const triggered = await this.decide(next);
        if (triggered === 'taken') {
          this.retry(next);
          continue;
        }
        // Work that could not be done lets the fees pass, a close even if the next close waits already.
        if (triggered === 'nothing' && (isClose(next) || !this.superseding.has(key))) this.busy.delete(key);
        else this.free(key);
        // The same tick may demand more of the account.
        if (triggered === 'done') this.wake();
        else this.collectMeanwhile(key);
      } catch (error) {
        // The account has changed under the claim.
        if (error instanceof Refused && error.key === 'common.unavailable') {
          this.retry(next);
          continue;
        }
        this.logger.warn(`account ${key} is evaluated again: ${(error as Error).message}`);
        this.free(key);
      }
    }
    this.working -= 1;
  }

  private async decide({ proposal: { account, due }, fresh, at }: Queued): Promise<TriggerOutcome> {
    if (this.isEnded || isTooOld({ at })) return 'nothing';
    const triggered =
      due.closes.length > 0
        ? await this.parts.closes.trigger(account, fresh.liquidating, fresh.trading)
        : await this.parts.triggerOrders.trigger(account, fresh.trading);
    if (triggered !== 'taken') await this.load([account]);
    return triggered;
  }

  /** Retries later instead of waiting, so that a taken account occupies no worker. */
  private retry(queued: Queued): void {
    const key = accountKey(queued.proposal.account);
    setTimeout(() => {
      const next = this.superseding.get(key) ?? queued;
      this.superseding.delete(key);
      if (next !== queued && !isClose(queued)) this.keepReached(queued);
      this.enqueue({ ...next, retryMs: Math.min(2 * queued.retryMs, RETRY_MAX_MS) });
    }, queued.retryMs).unref();
  }

  /**
   * Frees an account, or decides the close that a tick has demanded of it meanwhile, else the trigger orders that one
   * has reached: the price of the next tick may demand it no longer.
   */
  private free(key: string): void {
    const waiting = this.superseding.get(key);
    this.superseding.delete(key);
    const next = waiting && !isTooOld(waiting) ? waiting : this.takeReached(key);
    if (next) {
      this.busy.add(key);
      this.enqueue(next);
    } else this.busy.delete(key);
  }

  /**
   * Collects the fees of an account for which nothing could be done. An order that cannot open yet, or a close that
   * waits for a price, is proposed on every tick and must not keep its owner from paying.
   */
  private collectMeanwhile(key: string): void {
    const account = this.isEnded ? undefined : this.book.find(key);
    if (account) this.collectOvernightFees(account);
    if (!this.busy.has(key)) this.free(key);
  }

  private collectOvernightFees(account: RiskAccount): void {
    const key = accountKey(account);
    if (this.busy.has(key) || account.positions.every(({ unpaidOvernightFee }) => unpaidOvernightFee === 0n)) return;
    this.busy.add(key);
    void this.parts.overnightFees
      .collectOvernightFees(account)
      .catch((error: unknown) =>
        this.logger.warn(`overnight fees of ${key} are not collected: ${(error as Error).message}`),
      )
      .finally(() => this.free(key));
  }
}

const isClose = ({ proposal }: Queued): boolean => proposal.due.closes.length > 0;
const orderIds = ({ proposal }: Queued): string[] => proposal.due.opens.map(({ id }) => id);
const isTooOld = ({ at }: Pick<Queued, 'at'>): boolean => performance.now() - at >= PROPOSAL_MS;
