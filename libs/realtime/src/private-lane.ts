import type { decodePrivate } from './decode-private.js';

type Decode = typeof decodePrivate;
/** Delay before the checks are requested again after they did not load. */
const RETRY_MS = 1_000;
/** The most messages that wait; the numbers of later ones show that some are missing. */
const WAITING_MAX = 10_000;

/**
 * Handles the messages of the private stream in the order of their arrival. The checks of private messages load once a
 * user is signed in; until then, and while the lane is held, all messages wait: no event is lost, none is taken
 * unchecked, and no number of the server overtakes the events before it.
 */
export class PrivateLane {
  private decode: Decode | undefined;
  private loading: Promise<void> | undefined;
  private waiting: ((decode: Decode) => void)[] = [];
  private isHeld = false;

  constructor(private readonly fetch: () => Promise<{ decodePrivate: Decode }> = () => import('./decode-private.js')) {}

  /** Loads the checks; settles after the first try, and tries again by itself while they do not come. */
  load(): Promise<void> {
    this.loading ??= this.fetch().then(
      ({ decodePrivate }) => this.open(decodePrivate),
      () => {
        setTimeout(() => {
          this.loading = undefined;
          if (this.waiting.length > 0) void this.load();
        }, RETRY_MS);
      },
    );
    return this.loading;
  }

  /** Whether no further event should wait. */
  get isFull(): boolean {
    return this.waiting.length >= WAITING_MAX;
  }

  /** Does something in its turn: at once when the checks are there and the lane is not held. */
  run(task: (decode: Decode) => void): void {
    this.waiting.push(task);
    if (this.decode) this.drain(this.decode);
    else void this.load();
  }

  /** Lets all messages wait from now on. */
  hold(): void {
    this.isHeld = true;
  }

  /** Handles the messages that waited; one of them may hold the lane again. */
  release(): void {
    this.isHeld = false;
    if (this.decode) this.drain(this.decode);
  }

  /** Drops the waiting messages: they belong to a session that is over. */
  clear(): void {
    this.waiting = [];
  }

  private open(decode: Decode): void {
    this.decode = decode;
    this.drain(decode);
  }

  private drain(decode: Decode): void {
    while (!this.isHeld) {
      const task = this.waiting.shift();
      if (!task) return;
      task(decode);
    }
  }
}
