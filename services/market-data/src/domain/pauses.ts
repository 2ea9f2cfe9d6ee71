/** The first wait after a refusal; each one that follows is twice as long, up to the last. */
const FIRST_MS = 5_000;
const LONGEST_MS = 60_000;

interface Pause {
  readonly cause: string;
  waitMs: number;
  until: number;
  /** Something went through since the last refusal: everything may be tried again. */
  lifted: boolean;
}

/**
 * The failures of the house accounts and their retries: after a wait that doubles, with one order, and with all of them
 * once that one went through. A cause is reported when it begins and when nothing pauses for it any more, however often
 * it recurs meanwhile. Real time in ms.
 */
export class Pauses {
  private readonly pauses = new Map<string, Pause>();

  /** `name` was refused. @returns whether its cause is new: worth a word */
  begin(name: string, cause: string, now: number): boolean {
    const known = this.pauses.get(name);
    // Refusals of orders that were on their way together are one.
    if (known?.cause === cause && !known.lifted && known.until > now) return false;
    const isNew = !this.causes().includes(cause);
    const waitMs = known && !known.lifted ? Math.min(known.waitMs * 2, LONGEST_MS) : FIRST_MS;
    this.pauses.set(name, { cause, waitMs, until: now + waitMs, lifted: false });
    return isNew;
  }

  /** How many orders `name` may try now. */
  allows(name: string, now: number): number {
    const pause = this.pauses.get(name);
    if (!pause || pause.lifted) return Number.POSITIVE_INFINITY;
    return pause.until > now ? 0 : 1;
  }

  /**
   * One order of `name` went through. It stays among what pauses until `end`: there may be too little for all of them.
   */
  lift(name: string): void {
    const pause = this.pauses.get(name);
    if (pause) pause.lifted = true;
  }

  /**
   * Ends the pause of `name`. @returns the cause that nothing pauses for any more; null when it is not over, or nothing
   * paused
   */
  end(name: string): string | null {
    const pause = this.pauses.get(name);
    if (!pause) return null;
    this.pauses.delete(name);
    return this.causes().includes(pause.cause) ? null : pause.cause;
  }

  has(name: string): boolean {
    return this.pauses.has(name);
  }

  /** Each once. */
  causes(): readonly string[] {
    return [...new Set([...this.pauses.values()].map(({ cause }) => cause))];
  }
}
