import { appendFileSync, mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ANSWER_MS_MAX, settled, TradingLog, type TradingOptions } from '../integration/trading-log.js';
import type { Mode, World } from './world.js';

/** Time bounds of the exchange under faults, in ms (invariants §6). */
export const BOUNDS = {
  answer: 5_000,
  service: 5_000,
  engine: 10_000,
  database: 10_000,
  broker: 30_000,
  planted: 60_000,
  freeze: 5_000,
} as const;
/** Extra time of a measured answer on two shared cores; the exchange itself has 5 s. */
const MEASURING_MS = 500;
const WARM = 20;
const BACK_MS_MAX = 60_000;
/** Payments in a simulated chain, by their purpose. */
export const PAYMENTS = `select reference, count(*)::int as count
  from ledger.payout_signature s
  join ledger.sim_transfer t using (chain, tx_id)
  where t.success and t.height is not null
  group by 1`;
const DUPLICATES = `select client_order_id as name, count(*)::int as count
  from spot.orders
  where client_order_id like $1
  group by 1`;

export interface Fault {
  /** Number of the fault in the list of them. */
  readonly number: number;
  readonly name: string;
  /** Rule that it proves. */
  readonly code: string;
  readonly modes: readonly Mode[];
  /** Whether the short form of the suite runs it too. */
  readonly short: readonly Mode[];
  readonly run: (run: Run) => Promise<void>;
}

/** One line of the report. */
export interface Row {
  readonly fault: number;
  readonly code: string;
  readonly name: string;
  readonly part: string;
  readonly mode: Mode;
  readonly seed: number;
  kills: number;
  ok: number;
  refused: number;
  resolved: number;
  slowestMs: number;
  unanswered: number;
  backMs: number;
  boundMs: number;
  /** Load of the machine, one minute's average, and its cores: times are read with it. */
  machine: string;
  wrong: string[];
  readonly notes: string[];
}

export interface Strike extends TradingOptions {
  /**
   * How long the exchange may need from the end of the fault (or from the kill) to the next accepted and cancelled
   * order.
   */
  readonly boundMs: number;
  /** The edge itself is stopped or cut off: calls may stay without any answer. */
  readonly edgeSilent?: boolean;
  /** Answers accepted before the fault begins. */
  readonly warm?: number;
}

/** A run of one fault: its seed, its exchange, and its results. */
export class Run {
  readonly rows: Row[] = [];
  private state: number;
  private strikes = 0;

  constructor(
    readonly world: World,
    readonly fault: Fault,
    readonly seed: number,
    readonly short: boolean,
    private readonly report: string | null,
    private readonly onlyPart: string | null = null,
  ) {
    this.state = (seed * 7919 + fault.number * 104_729) & 0x7fffffff;
  }

  /** A number from 0 to below, from the seed. */
  random(below: number): number {
    this.state = (Math.imul(this.state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (this.state >> 8) % below;
  }
  pick<T>(items: readonly T[]): T {
    return items[this.random(items.length)] as T;
  }

  /**
   * With clients trading: does harm by `strike`, heals, and compares. `strike` gets the row of the report, and returns
   * when service was given back to the exchange (its own healing or kill), else that is when it ends.
   */
  async underLoad(
    part: string,
    options: Strike,
    strike: (row: Row, traders: TradingLog) => Promise<number | void>,
  ): Promise<Row> {
    const { world, fault } = this;
    const row: Row = {
      fault: fault.number,
      code: fault.code,
      name: fault.name,
      part,
      mode: world.mode,
      seed: this.seed,
      kills: 0,
      ok: 0,
      refused: 0,
      resolved: 0,
      slowestMs: 0,
      unanswered: 0,
      backMs: 0,
      boundMs: options.boundMs,
      machine: '',
      wrong: [],
      notes: [],
    };
    if (this.onlyPart !== null && !part.includes(this.onlyPart)) return row;
    this.rows.push(row);
    const prefix = `f${fault.number}s${this.seed}n${++this.strikes}t${Date.now().toString(36)}`;
    say(`${world.mode} ${fault.code} ${part}: begins`);
    const traders = await TradingLog.signIn(world.url, prefix, {
      paceMs: 40,
      transferEvery: 6,
      withdrawEvery: 20,
      positionEvery: 8,
      contractEvery: 8,
      dealEvery: 8,
      depositEvery: 16,
      termEvery: 8,
      exchangeEvery: 8,
      memberEvery: 20,
      seed: this.seed,
      patience: PATIENCE,
      ...options,
    });
    traders.start();
    try {
      const warm = options.warm ?? WARM;
      for (const deadline = Date.now() + 60_000; traders.accepted < warm && Date.now() < deadline;) await sleep(50);
      if (traders.accepted < warm) row.wrong.push(`no load to speak of before the fault: ${traders.summary()}`);
      let from: number | void;
      try {
        from = await strike(row, traders);
      } catch (error) {
        row.wrong.push(`the fault: ${(error as Error).message}`);
      }
      from ??= Date.now();
      await world.heal();
      await this.back(row, traders, from);
      // A little longer, so that late effects show in the comparison.
      await sleep(500);
    } finally {
      await traders.stop();
    }
    await this.compare(row, traders, options);
    const notes = row.notes.length > 0 ? ` (${row.notes.join('; ')})` : '';
    const wrong = row.wrong.length > 0 ? ` WRONG ${row.wrong.join(' | ').slice(0, 1_500)}` : '';
    say(
      `${world.mode} ${fault.code} ${part}: ${row.ok} ok, ${row.refused} refused, ${row.resolved} resolved, ` +
        `slowest ${row.slowestMs} ms, back ${row.backMs} ms, kills ${row.kills}, load ${row.machine}${notes}${wrong}`,
    );
    return row;
  }

  private async back(row: Row, traders: TradingLog, from: number): Promise<void> {
    try {
      await traders.tradesOn(BACK_MS_MAX);
      row.backMs = Math.max(row.backMs, Date.now() - from);
      checkTime(row, 'back in service', row.backMs, row.boundMs);
      await this.world.ready(BACK_MS_MAX);
    } catch (error) {
      row.backMs = Date.now() - from;
      row.wrong.push((error as Error).message);
    }
  }

  private async compare(row: Row, traders: TradingLog, options: Strike): Promise<void> {
    try {
      row.wrong.push(...(await traders.disagreements()));
      row.wrong.push(...(await this.ordersDiffer(traders)), ...(await this.paidTwice()));
    } catch (error) {
      row.wrong.push(`the comparison: ${(error as Error).message}`);
    }
    const { ok, refused, resolved, slowestMs, slowestCall, unanswered, why } = traders.tally();
    Object.assign(row, { ok, refused, resolved, slowestMs, unanswered: unanswered.length, machine: machineLoad() });
    if (Object.keys(why).length > 0)
      row.notes.push(
        Object.entries(why)
          .map(([key, count]) => `${key} ${count}`)
          .join(', '),
      );
    checkTime(row, `an answer (${slowestCall})`, slowestMs, BOUNDS.answer + MEASURING_MS);
    if (unanswered.length > 0 && !options.edgeSilent)
      row.wrong.push(
        `${unanswered.length} calls had no answer after ${(ANSWER_MS_MAX * PATIENCE) / 1_000} s: ` +
          [...new Set(unanswered)].join(', '),
      );
    await traders.cancelAll();
    this.write(row);
  }

  /** Adds a line to the report of `npm run faults`. */
  write(row: Row): void {
    if (this.report === null) return;
    mkdirSync(dirname(this.report), { recursive: true });
    appendFileSync(this.report, `${JSON.stringify(row)}\n`);
  }

  /** The chain itself: no payout is in it twice. */
  private async paidTwice(): Promise<string[]> {
    const rows = await settled(
      () => this.world.sql<{ reference: string; count: number }>(PAYMENTS),
      () => true,
    );
    return rows
      .filter(({ count }) => count > 1)
      .map(({ reference, count }) => `${reference} was paid ${count} times`)
      .slice(0, 20);
  }

  /** The rows themselves: each accepted order once, no refused one. */
  private async ordersDiffer(traders: TradingLog): Promise<string[]> {
    const { prefix, placed, refused } = traders.names();
    const stored = new Map(
      (
        await settled(
          () => this.world.sql<{ name: string; count: number }>(DUPLICATES, [`${prefix}%`]),
          () => true,
        )
      ).map(({ name, count }) => [name, count]),
    );
    return [
      ...placed
        .filter((name) => stored.get(name) !== 1)
        .map((name) => `${name} was accepted and is stored ${stored.get(name) ?? 0} times`),
      ...refused.filter((name) => stored.has(name)).map((name) => `${name} was refused and is stored`),
    ].slice(0, 20);
  }
}

/**
 * With more work than this per core, waiting in the average of a minute, a time says more about the machine than about
 * the exchange.
 */
const BUSY_PER_CORE = 2.5;

/**
 * In the short form, which runs among the other tests, a time says that something healed by itself and not how fast:
 * twelve processes that start on two cores load them as much as a busy machine does.
 */
export const PATIENCE = process.env['FAULTS_FULL'] === '1' ? 1 : 3;

/**
 * A time beyond its bound is wrong; on a busy machine it is noted and not checked. Acknowledged effects are always
 * checked.
 */
export function checkTime(row: Row, what: string, ms: number, boundMs: number): void {
  if (ms <= boundMs) return;
  const text = `${what}: after ${ms} ms, the bound is ${boundMs} ms`;
  if (ms <= boundMs * PATIENCE) {
    row.notes.push(`${text} (of the full form)`);
    return;
  }
  if (isTooBusy()) row.notes.push(`NOT CHECKED, the machine is too busy (${machineLoad()}): ${text}`);
  else row.wrong.push(text);
}

/** Whether the machine has more to do than lets a time be judged. */
export const isTooBusy = (): boolean => (loadavg()[0] ?? 0) > BUSY_PER_CORE * availableParallelism();

/** How busy the machine is, and with how many cores. */
export function machineLoad(): string {
  return `${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()}`;
}

/** Prints progress; Jest holds back its own output until the end. */
export function say(text: string): void {
  process.stderr.write(`[${new Date().toISOString().slice(11, 19)}] ${text}\n`);
}
