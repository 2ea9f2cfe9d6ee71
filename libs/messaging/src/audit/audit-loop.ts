import { Logger } from '@nestjs/common';
import { Rounds, type Alarms } from '@bourse/platform';
import type { Tx } from '@bourse/persistence';
import { delay } from '../log/delay.js';
import type { Views } from '../ports.js';

/**
 * The result of one check of an auditor. `detail` names the first wrong account, order or stream, or describes what
 * holds.
 */
export interface AuditCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** A delay that ends by itself, or work for an operator: shown and counted, but no reason to stop the exchange. */
  readonly soft?: boolean;
}
/** `audit/<service>`: the result of the last round of a service's auditor. Kept. */
export interface AuditView {
  readonly service: string;
  readonly at: number;
  readonly checks: readonly AuditCheck[];
}
/**
 * How far a service has written and read, seen in one snapshot: heads of its streams, and its consumers' positions in
 * those of others.
 */
export interface AuditFlow {
  readonly heads: Readonly<Record<string, number>>;
  readonly positions: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly deadLetters: number;
}

/** Whether one of its consumers has read each of these streams at least so far. */
export function hasRead({ positions }: AuditFlow, heads: AuditFlow['heads']): boolean {
  const consumers = Object.values(positions);
  return Object.entries(heads).every(([stream, head]) => consumers.some((read) => (read[stream] ?? 0) >= head));
}

/** View of how far all consumers have read, as the last round of the auditors has found. Kept. */
export const READ_VIEW = 'streams-read';
export interface StreamsRead {
  /**
   * The lowest position of a consumer, by stream; streams without a position are left out. Null: a service did not
   * report its positions, or a stream has stopped somewhere.
   */
  readonly lowest: Readonly<Record<string, number>> | null;
}

/** The lowest position of a consumer of these services, by stream. */
export function lowestPositions(flows: readonly AuditFlow[]): NonNullable<StreamsRead['lowest']> {
  const lowest: Record<string, number> = {};
  for (const { positions } of flows)
    for (const read of Object.values(positions))
      for (const [stream, number] of Object.entries(read)) lowest[stream] = Math.min(number, lowest[stream] ?? number);
  return lowest;
}

const EVERY_MS = 15_000;
/**
 * Pauses of a round: a multiple of the duration of its last piece, with limits for one pause and for all of them, ms.
 * After a long absence the round reads without pauses.
 */
const RESTS = {
  idle: { factor: 2, msMax: 100, roundMs: 3_000 },
  /** The multiple while this process is busy. A wrong unit is still found within a minute. */
  busy: { factor: 6, msMax: 250, roundMs: 6_000 },
} as const;
/** Utilization of the event loop above which calls wait for it, 0 to 1. */
const BUSY = 0.75;

/**
 * Keeps a round from blocking calls: it pauses between two pieces, longer while calls wait [AUDIT-029]. `utilization`
 * returns the share of the time since its last call in which this process was at work, 0 to 1.
 */
export class AuditPace {
  private rested = 0;
  private since = performance.now();

  constructor(private readonly utilization: () => number = loopUtilization()) {
    utilization();
  }

  /** Call and await it between two pieces of work. */
  async rest(): Promise<void> {
    const { factor, msMax, roundMs } = this.utilization() >= BUSY ? RESTS.busy : RESTS.idle;
    const ms = Math.max(0, Math.min((performance.now() - this.since) * factor, msMax, roundMs - this.rested));
    this.rested += ms;
    await delay(ms);
    this.since = performance.now();
  }
}

/**
 * Returns a function that measures whether the event loop was busy since its last call. Background work is postponed
 * while it was.
 */
export function watchBusyLoop(utilization: () => number = loopUtilization()): () => boolean {
  return () => utilization() >= BUSY;
}

function loopUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/**
 * Runs the auditor of one service every 15 s and on request, raises and clears its alarm, and notifies the gateways.
 */
export class AuditLoop<R extends { readonly checks: readonly AuditCheck[] }> {
  private readonly logger = new Logger('Audit');
  private timer: NodeJS.Timeout | undefined;
  private readonly rounds = new Rounds(() => this.run());
  private stopped = false;

  constructor(
    private readonly options: {
      readonly service: string;
      readonly round: () => Promise<R>;
      readonly alarms: Alarms;
      readonly views: Views;
      readonly everyMs?: number;
    },
  ) {}

  start(): void {
    const scheduleNext = (): void => {
      if (this.stopped) return;
      this.timer = setTimeout(() => {
        void this.tick().finally(scheduleNext);
      }, this.options.everyMs ?? EVERY_MS).unref();
    };
    scheduleNext();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.rounds.settled();
  }

  /** Runs a round now, or after the one under way. Returns its result. */
  now(): Promise<R> {
    return this.rounds.next();
  }

  private async run(): Promise<R> {
    const { service, round, alarms, views } = this.options;
    const result = await round();
    const wrong = result.checks.filter(({ ok, soft }) => !ok && soft !== true);
    if (wrong.length === 0) alarms.clear(`audit:${service}`);
    else alarms.raise(`audit:${service}`, wrong.map(({ name, detail }) => `${name}: ${detail}`).join('; '));
    views.publish(`audit/${service}`, { service, at: Date.now(), checks: result.checks } satisfies AuditView, true);
    return result;
  }

  private async tick(): Promise<void> {
    try {
      await this.now();
    } catch (error) {
      if (!this.stopped)
        this.logger.warn(`the audit of ${this.options.service} could not run: ${(error as Error).message}`);
    }
  }
}

/** How far a schema has written and read, as seen by one snapshot. */
export async function flowOf(tx: Pick<Tx, 'query'>): Promise<AuditFlow> {
  const [heads, positions, [letters]] = [
    await tx.query<{ name: string; last: string }>('select name, next - 1 as last from stream'),
    await tx.query<{ consumer: string; stream: string; number: string }>(
      'select consumer, stream, number from position',
    ),
    await tx.query<{ count: string }>('select count(*) from dead_letter'),
  ];
  const read: Record<string, Record<string, number>> = {};
  for (const { consumer, stream, number } of positions) (read[consumer] ??= {})[stream] = Number(number);
  return {
    heads: Object.fromEntries(heads.map(({ name, last }) => [name, Number(last)])),
    positions: read,
    deadLetters: Number(letters?.count ?? 0),
  };
}

const HOLD_BUCKETS = 256;
/**
 * SQL for the bucket of a hold whose name replaces `$hold`. Both services that compare holds use PostgreSQL's own hash.
 */
export const HOLD_BUCKET = `(hashtextextended($hold, 0) & ${HOLD_BUCKETS - 1})::int`;
/** One text per bucket, empty ones included. */
export function digestsOf(
  rows: readonly { readonly bucket?: number; readonly count?: string; readonly sum?: string }[],
): string[] {
  const digests = Array.from({ length: HOLD_BUCKETS }, () => '0');
  for (const { bucket, count, sum } of rows) if (bucket !== undefined) digests[bucket] = `${count}:${sum}`;
  return digests;
}
