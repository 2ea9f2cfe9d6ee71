import { Injectable, Logger } from '@nestjs/common';
import { MarkPrices, type Lease } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { STATUS } from '../domain/position.js';
import { accountKey, RiskBook, type Proposal, type RiskAccount } from '../domain/risk-book.js';
import type { FreshMarks } from '../domain/triggers.js';
import { AccountReader, UnreadableAccounts, type Unreadable } from './account-reader.js';
import { ClosePositions } from './close.js';
import { OpenEntrusts } from './entrusts.js';
import type { Triggered } from './judge.js';
import { LeverMarkets, LIQUIDATING_AGE_MS, TRADING_AGE_MS } from './lever-markets.js';
import { BURST_RATE } from './lever-settings.js';
import { Nights } from './nights.js';
import { AccountStore, type AccountRow, type Share } from './ports.js';
import { PositionEvents } from './position-events.js';

/** Without a tick the owner looks this often at what has changed. */
const LOOK_MS = 1_000;
/** Far longer than any transaction lives: what was written before it began is seen within this. */
const CHANGED_MS = 30_000;
const CHUNK = 1_000;
/** Accounts that cannot be read are tried again this often. */
const UNREADABLE_MS = 1_000;
/** Proposals of one share that are decided at a time. */
const AT_ONCE = 8;
/** A proposal that had to wait longer is left to the next tick: its price is not of now any more. */
const PROPOSAL_MS = 3_000;
/** An account that is taken is asked for again after this, then after twice as long each time, up to the most. */
const AGAIN_MS = 15;
const AGAIN_MS_MAX = 120;

/** What an owner works with. */
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
    readonly entrusts: OpenEntrusts,
    readonly nights: Nights,
    readonly positionEvents: PositionEvents,
  ) {}
}

interface Queued {
  readonly proposal: Proposal;
  readonly fresh: FreshMarks;
  readonly at: number;
  /** How long it waits if the account is taken. */
  readonly againMs: number;
}

/** One share of the accounts in memory, for as long as its lease holds. */
export class RiskOwner {
  private readonly logger = new Logger('RiskOwner');
  private readonly book = new RiskBook();
  /** Versions that were read, of accounts that have nothing open any more too. */
  private readonly versions = new Map<string, number>();
  /** What could not be read: nobody else waits for it, and it is tried again and again. */
  private readonly unreadable = new Map<string, Unreadable>();
  private readAgainAt = 0;
  private readonly moved = new Set<string>();
  private readonly busy = new Set<string>();
  private queue: Queued[] = [];
  private working = 0;
  private isEnded = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly share: Share,
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
      await this.load(await this.parts.accounts.changed(this.share, null));
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
      this.parts.unreadable.tell(this.share.part, []);
    }
  }

  private nextWake(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async refresh(): Promise<void> {
    const changed = await this.parts.accounts.changed(this.share, CHANGED_MS);
    const isNew = (row: AccountRow): boolean =>
      !this.unreadable.has(accountKey(row)) && (this.versions.get(accountKey(row)) ?? -1) < row.version;
    await this.load(changed.filter(isNew));
    if (this.unreadable.size > 0 && performance.now() >= this.readAgainAt)
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
      if (unreadable.length > 0) this.readAgainAt = performance.now() + UNREADABLE_MS;
    }
    this.parts.unreadable.tell(this.share.part, [...this.unreadable.values()]);
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
    for (const proposal of this.book.tick(moved, marks, fresh, settings.get(BURST_RATE))) this.propose(proposal, fresh);
    this.tellOf(new Set(moved), positionEvents);
    for (const account of this.book.all())
      if (account.positions.some(({ nightRest }) => nightRest > 0n)) this.payRests(account);
  }

  /** Whoever has something open in a pair that has moved is told how it stands. */
  private tellOf(moved: ReadonlySet<number>, positionEvents: PositionEvents): void {
    const told: RiskAccount[] = [];
    for (const account of this.book.all())
      if (account.positions.some(({ pairId, status }) => status === STATUS.open && moved.has(pairId)))
        told.push(account);
    positionEvents.tell(told);
  }

  private propose(proposal: Proposal, fresh: FreshMarks): void {
    const key = accountKey(proposal.account);
    if (this.busy.has(key)) return;
    this.busy.add(key);
    this.enqueue({ proposal, fresh, at: performance.now(), againMs: AGAIN_MS });
  }

  private enqueue(queued: Queued): void {
    this.queue.push(queued);
    while (this.working < AT_ONCE && this.working < this.queue.length) {
      this.working += 1;
      void this.work();
    }
  }

  private async work(): Promise<void> {
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      const key = accountKey(next.proposal.account);
      try {
        const triggered = await this.decide(next);
        if (triggered === 'taken') {
          this.again(next);
          continue;
        }
        this.busy.delete(key);
        // What else the same tick demands of the account does not wait for the next one.
        if (triggered === 'done') this.wake();
      } catch (error) {
        // It has changed while it was claimed.
        if (error instanceof Refused && error.key === 'common.unavailable') {
          this.again(next);
          continue;
        }
        this.logger.warn(`account ${key} is judged again: ${(error as Error).message}`);
        this.busy.delete(key);
      }
    }
    this.working -= 1;
  }

  private async decide({ proposal: { account, due }, fresh, at }: Queued): Promise<Triggered> {
    if (this.isEnded || performance.now() - at >= PROPOSAL_MS) return 'nothing';
    const triggered =
      due.closes.length > 0
        ? await this.parts.closes.trigger(account, fresh.liquidating, fresh.trading)
        : await this.parts.entrusts.trigger(account, fresh.trading);
    if (triggered !== 'taken') await this.load([account]);
    return triggered;
  }

  /** The account is taken: no worker waits for it, so that it holds up nobody else. */
  private again(queued: Queued): void {
    setTimeout(
      () => this.enqueue({ ...queued, againMs: Math.min(2 * queued.againMs, AGAIN_MS_MAX) }),
      queued.againMs,
    ).unref();
  }

  private payRests(account: RiskAccount): void {
    const key = accountKey(account);
    if (this.busy.has(key)) return;
    this.busy.add(key);
    void this.parts.nights
      .payRests(account)
      .catch((error: unknown) => this.logger.warn(`night fees of ${key} wait: ${(error as Error).message}`))
      .finally(() => this.busy.delete(key));
  }
}
