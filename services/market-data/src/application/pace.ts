import { Injectable } from '@nestjs/common';
import type { WatchedView } from '@bourse/events';
import { Views } from '@bourse/messaging';
import { Clock, Config } from '@bourse/platform';

/**
 * A market counts as watched this long after the last notice of a client; gateways repeat the notice within a third of
 * that.
 */
const WATCHED_MS = 15_000;
/** Moves of the lively demo market: so often that a book changes several times a second. */
const BEAT_MS = 400;

/**
 * How lively the demo market is. The house accounts of a demo install trade so that a newcomer sees a moving market; as
 * every order is stored for ever, they do so only while a client is connected.
 */
@Injectable()
export class Pace {
  private watchedAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: () => void = () => undefined;
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly views: Views,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  start(): void {
    this.unsubscribe = this.views.subscribe('watched', (view: WatchedView) => this.watched(view.at));
    // The moves of all pairs in one beat reach the ledger and the books together, and are committed together.
    this.timer = setInterval(() => {
      if (this.isLively()) for (const listener of this.listeners) listener();
    }, BEAT_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.unsubscribe();
  }

  /** Records that a client watched a market. Real time, ms. */
  watched(at: number = this.clock.real()): void {
    this.watchedAt = Math.max(this.watchedAt, at);
  }

  isLively(): boolean {
    const { demoPace } = this.config;
    return demoPace === 'always' || (demoPace === 'watched' && this.clock.real() - this.watchedAt <= WATCHED_MS);
  }

  /** Called at each beat of a lively market. */
  onBeat(listener: () => void): void {
    this.listeners.push(listener);
  }
}
