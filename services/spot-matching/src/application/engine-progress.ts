import { Injectable } from '@nestjs/common';
import { Unavailable } from '@bourse/platform';

/** How long a reader waits for the engine's commit. Ms. */
export const COMMIT_WAIT_MS = 2_000;

interface Waiting {
  readonly number: number;
  readonly resolve: () => void;
}

/**
 * How far the answers of this process are ahead of the engine's commits, by the row numbers of the one stream that
 * brings its commands. The numbers outlive a failed run: the next one reads the same rows again.
 */
@Injectable()
export class EngineProgress {
  /** The last row of each person whose commands up to it were answered and are not committed yet. */
  private readonly answered = new Map<number, number>();
  private lastAnswered = 0;
  private committed = 0;
  private waiting: Waiting[] = [];
  /** Ends the rest before the next commit; replaced by each run of the engine. */
  hurry: () => void = () => undefined;

  /** Calls of these people whose commands came up to this row were answered. */
  noteAnswered(number: number, people: Iterable<number>): void {
    if (number <= this.committed) return;
    for (const userId of people) {
      this.answered.set(userId, number);
      this.lastAnswered = number;
    }
  }

  /** All rows up to this one are committed. */
  noteCommitted(number: number): void {
    if (number <= this.committed) return;
    this.committed = number;
    for (const [userId, row] of this.answered) if (row <= number) this.answered.delete(userId);
    const ended = this.waiting.filter((one) => one.number <= number);
    if (ended.length === 0) return;
    this.waiting = this.waiting.filter((one) => one.number > number);
    for (const { resolve } of ended) resolve();
  }

  /**
   * Resolves when the rows of orders and trades show everything that a person, or anybody, was answered before this
   * call. @throws Unavailable after COMMIT_WAIT_MS.
   */
  waitForCommit(userId?: number): Promise<void> {
    const number = userId === undefined ? this.lastAnswered : (this.answered.get(userId) ?? 0);
    if (number <= this.committed) return Promise.resolve();
    this.hurry();
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        number,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other !== one);
        reject(new Unavailable(`the engine has not committed row ${number} within ${COMMIT_WAIT_MS} ms`));
      }, COMMIT_WAIT_MS);
      this.waiting.push(one);
    });
  }
}
