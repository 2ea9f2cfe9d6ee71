import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import {
  Asks,
  behind,
  CLOCK_VIEW,
  ProcessClock,
  serviceAsks,
  Views,
  type ClockOffsets,
  type StreamState,
} from '@bourse/messaging';
import { Clock, Config } from '@bourse/platform';

export { CLOCK_VIEW, type ClockOffsets };
/** Stored clock offsets, kept over restarts. */
export abstract class ClockOffsetStore {
  abstract read(): Promise<ClockOffsets>;
  abstract write(offsets: ClockOffsets): Promise<void>;
}

/**
 * A call that moved the clock is answered after this time with the names of what is still running (api §6.14). Real
 * time.
 */
const SETTLED_MS_MAX = 20_000;
/** How long the clock waits for the reading of what had been sent before it moves. Real time. */
const READ_MS_MAX = 2_000;
const POLL_INTERVAL_MS = 50;
const ASK_TIMEOUT_MS = 5_000;
/**
 * The effects of a timer pass through several services: its own, the ledger, the books, and back. The streams are
 * awaited this many times.
 */
const HANDS = 4;

/** The clocks of a demo install, moved forward for all processes at once; never in production. */
@Injectable()
export class ExchangeClock implements OnApplicationBootstrap {
  private readonly logger = new Logger('ExchangeClock');
  private offsets: ClockOffsets = { offsetMs: 0, sessionOffsetMs: 0 };
  constructor(
    private readonly clock: Clock,
    private readonly views: Views,
    private readonly store: ClockOffsetStore,
    private readonly config: Config,
    private readonly asks: Asks,
    private readonly own: ProcessClock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.dev) return;
    this.offsets = await this.store.read();
    this.apply();
    // The view may be lost, and a process that starts later would keep the time of its machine [LOG-076].
    this.views.onGap(() => {
      this.renew().catch((error: unknown) => this.logger.warn(`the clock is not announced: ${String(error)}`));
    });
  }

  /** Announces the clock again; another gateway may have moved it since. */
  private async renew(): Promise<void> {
    this.offsets = await this.store.read();
    this.apply();
  }

  state(): { now: number; offset_ms: number } {
    return { now: this.clock.now(), offset_ms: this.clock.offset() };
  }

  /**
   * Moves business time forward by `ms`; `all` moves sessions and codes too. Consumers first read what was sent before,
   * so that a fee of the old day counts for the old day [TIMER-010]. Returns when every due timer has run in every
   * process and its effects are settled: an empty list, or after 20 s the names of what is still running [TIMER-009].
   */
  async advance(ms: number, all: boolean): Promise<readonly string[]> {
    await this.waitForReading();
    this.offsets = {
      offsetMs: this.offsets.offsetMs + ms,
      sessionOffsetMs: this.offsets.sessionOffsetMs + (all ? ms : 0),
    };
    await this.store.write(this.offsets);
    this.apply();
    return this.settled(this.offsets);
  }

  private async waitForReading(): Promise<void> {
    let sent: StreamState['heads'] | undefined;
    await this.poll(this.offsets, performance.now() + READ_MS_MAX, ({ heads, positions }) =>
      behind((sent ??= heads), positions),
    );
  }

  private apply(): void {
    this.clock.setOffset(this.offsets.offsetMs);
    this.clock.setSessionOffset(this.offsets.sessionOffsetMs);
    this.views.publish(CLOCK_VIEW, this.offsets, true);
  }

  private async settled(offsets: ClockOffsets): Promise<readonly string[]> {
    const until = performance.now() + SETTLED_MS_MAX;
    let began = false;
    const wait = (running: (round: Round) => readonly string[]): Promise<Polled> =>
      this.poll(offsets, until, (round) => {
        began ||= round.fired > 0 || round.due.length > 0;
        return [...round.away, ...round.due, ...running(round)];
      });
    let last = await wait(() => []);
    // If no timer was due there are no effects to wait for: an exchange that trades is never still.
    for (let hands = 0; began && hands < HANDS && last.running.length === 0; hands += 1) {
      const { heads } = last.round;
      last = await wait(({ positions }) => behind(heads, positions));
    }
    return last.running;
  }

  /** Runs rounds until nothing runs any more, or until a moment. */
  private async poll(
    offsets: ClockOffsets,
    until: number,
    runningIn: (round: Round) => readonly string[],
  ): Promise<Polled> {
    for (;;) {
      const round = await this.round(offsets);
      const running = runningIn(round);
      if (running.length === 0 || performance.now() > until) return { round, running };
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }

  /** Runs the due timers of every reachable process. */
  private async round(offsets: ClockOffsets): Promise<Round> {
    const others = this.config.run === 'distributed' ? Object.keys(this.config.services) : [];
    const names = others.filter((name) => name !== this.config.service);
    const results = await Promise.allSettled([
      this.own.settle(offsets),
      ...names.map((name) => this.asks.ask(serviceAsks.moveClock(name), offsets, ASK_TIMEOUT_MS)),
    ]);
    const states = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    return {
      away: results.flatMap(({ status }, at) =>
        status === 'rejected' ? [`${[this.config.service, ...names][at]} does not answer`] : [],
      ),
      fired: states.reduce((sum, { fired }) => sum + fired, 0),
      due: states.flatMap(({ due }) => due.map((schema) => `timers of ${schema}`)),
      heads: Object.assign({}, ...states.map(({ streams }) => streams.heads)) as StreamState['heads'],
      positions: Object.assign({}, ...states.map(({ streams }) => streams.positions)) as StreamState['positions'],
    };
  }
}

interface Round extends StreamState {
  readonly away: readonly string[];
  readonly fired: number;
  readonly due: readonly string[];
}
/** The last round of a wait, and the names of what still runs in it. */
interface Polled {
  readonly round: Round;
  readonly running: readonly string[];
}
