/** Runs one round at a time. A call during a round gets the result of the next one, which sees all before the call. */
export class Rounds<Result> {
  private running: Promise<Result> | undefined;

  constructor(private readonly round: () => Promise<Result>) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** The result of a round that begins now, or after the one under way. */
  async next(): Promise<Result> {
    if (this.running) await this.settled();
    this.running ??= this.round().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Resolves when the round under way has ended; its own callers get its failure. */
  async settled(): Promise<void> {
    await this.running?.catch(() => undefined);
  }
}
