/** When a circuit opens, and for how long. */
export interface CircuitRules {
  /** Failures in a row that open it. */
  readonly failures: number;
  readonly openMs: number;
}

/**
 * Stands before something that may be down: after several failures in a row nothing is asked for a while, then one call
 * may try. `now` is a clock that only goes forward, ms.
 */
export class CircuitBreaker {
  private failures = 0;
  private openUntil = -Infinity;
  private trying = false;

  constructor(
    private readonly rules: CircuitRules,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Runs `work`, or fails with what `open` makes while the circuit is open. A throw of `work` is a failure. */
  async run<T>(work: () => Promise<T>, open: () => Error): Promise<T> {
    const isTry = this.failures >= this.rules.failures;
    if (isTry && (this.trying || this.now() < this.openUntil)) throw open();
    this.trying = isTry;
    try {
      const done = await work();
      this.failures = 0;
      return done;
    } catch (error) {
      this.failures += 1;
      if (this.failures >= this.rules.failures) this.openUntil = this.now() + this.rules.openMs;
      throw error;
    } finally {
      if (isTry) this.trying = false;
    }
  }
}
