/** The rest between two commits, in multiples of the time that the last one took. */
const REST_SHARE = 4;
/** The longest rest, and the longest while an answer waits for the next commit. Ms. */
const REST_MS_MAX = 50;
const AWAITED_REST_MS_MAX = 10;

/**
 * The rests between the commits of an engine, so that many orders share a commit. A commit that follows a silence does
 * not wait.
 */
export class CommitPace {
  private endedAt = -Infinity;
  private tookMs = 0;
  /** Whether the next commit is needed as soon as it may begin. */
  private isHurried = false;
  private timer: NodeJS.Timeout | undefined;
  private resting: { readonly ended: Promise<void>; readonly end: () => void } | undefined;

  /** Whether the next commit may begin; `isAwaited`: answers wait for it. */
  isOver(isAwaited: boolean): boolean {
    return this.isHurried || performance.now() >= this.restsUntil(isAwaited);
  }

  /** Records that a commit begins. */
  noteBegin(): void {
    this.isHurried = false;
    // The timer of a rest that was ended otherwise would end the next one too.
    clearTimeout(this.timer);
    this.resting = undefined;
  }

  /** Records that a commit has ended, after so many ms. */
  noteEnd(tookMs: number): void {
    this.endedAt = performance.now();
    this.tookMs = tookMs;
  }

  /** Resolves when the next commit may begin. */
  waitForRest(isAwaited: boolean): Promise<void> {
    this.resting ??= rest();
    clearTimeout(this.timer);
    // A timer may fire a moment early.
    this.timer = setTimeout(() => this.hurry(), Math.max(0, this.restsUntil(isAwaited) - performance.now()));
    return this.resting.ended;
  }

  /** Ends the rest, or leaves out the one after the commit that runs. */
  hurry(): void {
    this.isHurried = true;
    clearTimeout(this.timer);
    this.resting?.end();
    this.resting = undefined;
  }

  private restsUntil(isAwaited: boolean): number {
    return this.endedAt + Math.min(REST_SHARE * this.tookMs, isAwaited ? AWAITED_REST_MS_MAX : REST_MS_MAX);
  }
}

function rest(): { readonly ended: Promise<void>; readonly end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}
