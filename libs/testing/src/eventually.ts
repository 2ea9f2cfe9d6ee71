/**
 * How many times as long as on an idle reference machine this machine may take. The test runner measures it once, with
 * a fixed piece of work, and passes it to every suite; a single file run by hand has 1.
 */
const TIME_FACTOR = Math.max(1, Number(process.env.TIME_FACTOR ?? 1));
/** Other suites use the machine at the same time: an effect takes up to so many times as long as on an idle one. */
const SHARED_MACHINE_FACTOR = 5;

/** A limit for an effect that takes at most `withinMs` on an idle reference machine. */
export const testTimeoutMs = (withinMs: number): number => Math.round(withinMs * SHARED_MACHINE_FACTOR * TIME_FACTOR);

/**
 * The time until which a call of a test is accepted, unix ms: `validUntil` of its context. The limit of a real call,
 * 5 s, is too short where other suites use the machine; a test of the limit itself sets its own.
 */
export const callDeadline = (): number => Date.now() + testTimeoutMs(6_000);

/**
 * Polls until `read` returns something other than undefined, null or false. `withinMs` is the limit on an idle
 * reference machine; the real one is `testTimeoutMs(withinMs)`.
 *
 * @throws Error with the last value or error when the limit has passed.
 */
export async function eventually<T>(read: () => T | Promise<T>, withinMs = 10_000): Promise<NonNullable<T>> {
  const found = await poll(read, (value) => value !== undefined && value !== null && value !== false, withinMs);
  return found as NonNullable<T>;
}

/**
 * Polls until `isSatisfied` accepts what `read` returns. Limits and errors as of `eventually`.
 */
export async function eventuallySatisfied<T>(
  read: () => T | Promise<T>,
  isSatisfied: (value: T) => boolean,
  withinMs = 5_000,
): Promise<T> {
  return poll(read, isSatisfied, withinMs);
}

async function poll<T>(read: () => T | Promise<T>, isSatisfied: (value: T) => boolean, withinMs: number): Promise<T> {
  const limitMs = testTimeoutMs(withinMs);
  const deadline = Date.now() + limitMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(50, pauseMs * 1.5)) {
    let last: unknown;
    try {
      const value = await read();
      if (isSatisfied(value)) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline)
      throw new Error(
        `not within ${limitMs} ms; last: ${last instanceof Error ? last.message : JSON.stringify(last)}`,
        {
          cause: last,
        },
      );
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
