/** The rest between two commits, in multiples of the time that the last one took. */
const REST_SHARE = 4;
/** The longest rest. Ms. */
const REST_MS_MAX = 50;

/**
 * The rests between the commits of an engine whose answers do not wait for them, so that many orders share a commit.
 * A commit that follows a silence does not wait.
 */
export class CommitPace {
  private restsUntil = 0;
  /** Whether the next commit is needed as soon as it may begin. */
  private isHurried = false;
  private resting: { readonly ended: Promise<void>; readonly end: () => void } | undefined;

  /** Whether the next commit may begin. */
  get isOver(): boolean {
    return performance.now() >= this.restsUntil;
  }

  /** Records that a commit begins. */
  noteBegin(): void {
    this.isHurried = false;
  }

  /** Records that a commit has ended, after so many ms. */
  noteEnd(tookMs: number): void {
    this.restsUntil = this.isHurried ? 0 : performance.now() + Math.min(REST_SHARE * tookMs, REST_MS_MAX);
  }

  /** Resolves when the next commit may begin. */
  over(): Promise<void> {
    this.resting ??= this.rest();
    return this.resting.ended;
  }

  /** Ends the rest, or leaves out the one after the commit that runs. */
  hurry(): void {
    this.isHurried = true;
    this.restsUntil = 0;
    this.resting?.end();
  }

  private rest(): NonNullable<CommitPace['resting']> {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = () => {
        clearTimeout(timer);
        this.resting = undefined;
        resolve();
      };
    });
    // A timer may fire a moment early.
    const timer = setTimeout(() => this.hurry(), Math.max(0, this.restsUntil - performance.now()));
    return { ended, end: () => end() };
  }
}
