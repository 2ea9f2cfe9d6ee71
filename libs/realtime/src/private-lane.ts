import type { decodePrivate } from './decode-private.js';

type Decode = typeof decodePrivate;
/** Delay before the checks are requested again after they did not load. */
const RETRY_MS = 1_000;

/**
 * Handles the messages of the private stream in the order of their arrival. The checks of private messages load once a
 * user is signed in; until then all messages wait: no event is lost, none is taken unchecked, and no number of the
 * server overtakes the events before it.
 */
export class PrivateLane {
  private decode: Decode | undefined;
  private loading: Promise<void> | undefined;
  private waiting: ((decode: Decode) => void)[] = [];

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

  /** Does something in its turn: at once when the checks are there. */
  run(task: (decode: Decode) => void): void {
    if (this.decode) return task(this.decode);
    this.waiting.push(task);
    void this.load();
  }

  /** Drops the waiting messages: they belong to a session that is over. */
  clear(): void {
    this.waiting = [];
  }

  private open(decode: Decode): void {
    this.decode = decode;
    const tasks = this.waiting;
    this.waiting = [];
    for (const task of tasks) task(decode);
  }
}
