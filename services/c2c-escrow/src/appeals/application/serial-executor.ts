import { Refused } from '@bourse/platform';

/** Runs heavy work of a process one after another, in the order of the requests. */
export class SerialExecutor {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly maxWaiting: number) {}

  /** @throws Refused `common.unavailable` while `maxWaiting` requests wait; as `work` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting >= this.maxWaiting)
      throw new Refused('common.unavailable', {}, { status: 503, retryAfterSeconds: 1 });
    this.waiting += 1;
    const mine = this.last.then(work, work).finally(() => {
      this.waiting -= 1;
    });
    // A failure must not reject the next work.
    this.last = mine.catch(() => undefined);
    return mine;
  }
}
