import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { Databases, type Database, type Timers } from '@bourse/persistence';
import { Clock, Config } from '@bourse/platform';
import { serviceAsks } from '../asks/declared/service.js';
import { Asks, Views } from '../ports.js';

/** How far the clocks of a demo install were moved. Ms. */
export interface ClockOffsets {
  readonly offsetMs: number;
  readonly sessionOffsetMs: number;
}

/** View by which every process learns how far the clocks of a demo install were moved. Kept. */
export const CLOCK_VIEW = 'clock';

/** How far schemas have written, and how far living consumers have read. */
export interface StreamState {
  /** Last number by stream. */
  readonly heads: Readonly<Record<string, number>>;
  /** Last number read, by consumer and stream. */
  readonly positions: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
/** The state of one process after its clock was moved. */
export interface ProcessState {
  /** Timers that fired in this round. */
  readonly fired: number;
  /** Schemas that have timers which are due and have not fired. */
  readonly due: readonly string[];
  readonly streams: StreamState;
}

/**
 * The clocks of this process where the demo install's were moved to, and the deadlines that fall due by it. Every
 * process follows the view; the gateway also asks one process of each service, which answers when its due timers have
 * run (api §6.14) [TIMER-009].
 */
@Injectable()
export class ProcessClock implements OnModuleInit {
  private readonly timers = new Set<Timers>();

  constructor(
    @Inject(Views) private readonly views: Views,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(Config) private readonly config: Config,
    @Inject(Databases) private readonly databases: Pick<Databases, 'opened'>,
    @Optional() @Inject(Asks) private readonly asks?: Asks,
  ) {}

  onModuleInit(): void {
    if (!this.config.dev) return;
    this.views.subscribe(CLOCK_VIEW, (offsets: ClockOffsets) => this.move(offsets));
    if (this.config.run === 'distributed')
      this.asks?.handle(serviceAsks.moveClock(this.config.service), (offsets) => this.settle(offsets));
  }

  /** Deadlines of a schema that run in this process. */
  watch(timers: Timers): void {
    this.timers.add(timers);
  }

  /** Moves the clocks, runs all timers that are due by it, and returns the resulting state. Forward only. */
  async settle(offsets: ClockOffsets): Promise<ProcessState> {
    this.move(offsets);
    let fired = 0;
    const due: string[] = [];
    for (const timers of this.timers) {
      fired += await timers.runDue();
      if (await timers.hasDue()) due.push(timers.schema);
    }
    return { fired, due, streams: await this.streams() };
  }

  private move({ offsetMs, sessionOffsetMs }: ClockOffsets): void {
    this.clock.setOffset(offsetMs);
    this.clock.setSessionOffset(sessionOffsetMs);
  }

  private async streams(): Promise<StreamState> {
    const states = await Promise.all(this.databases.opened().map(streamsOf));
    return {
      heads: Object.assign({}, ...states.map(({ heads }) => heads)) as StreamState['heads'],
      positions: Object.assign({}, ...states.map(({ positions }) => positions)) as StreamState['positions'],
    };
  }
}

/** Only consumers with an owner count: one that a later version removed would never catch up. */
async function streamsOf(database: Database): Promise<StreamState> {
  const heads = await database.tables.streams.heads();
  const rows = await database.query<{ consumer: string; stream: string; number: string }>(
    `select consumer, stream, number from position
     where consumer in (select consumer from owner where lease_until > clock_timestamp())`,
  );
  const positions: Record<string, Record<string, number>> = {};
  for (const { consumer, stream, number } of rows) (positions[consumer] ??= {})[stream] = Number(number);
  return { heads: Object.fromEntries(heads.map(({ name, next }) => [name, next - 1])), positions };
}

/**
 * Returns the consumers that have not read a stream up to its head: `<consumer> reads <stream>`. A consumer reads the
 * topics of which it has a position.
 */
export function behind(heads: StreamState['heads'], positions: StreamState['positions']): string[] {
  const readers = Object.entries(positions).map(([consumer, read]) => ({
    consumer,
    read,
    topics: new Set(Object.keys(read).map(topicOf)),
  }));
  return Object.entries(heads).flatMap(([stream, last]) =>
    readers
      .filter(({ read, topics }) => topics.has(topicOf(stream)) && (read[stream] ?? 0) < last)
      .map(({ consumer }) => `${consumer} reads ${stream}`),
  );
}

/** `<schema>><topic>/<partition>` → `<topic>/<partition>`. */
const topicOf = (stream: string): string => stream.slice(stream.indexOf('>') + 1);
