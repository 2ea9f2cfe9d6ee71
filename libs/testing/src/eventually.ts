/** On a machine with other work than this an effect takes so many times as long. */
const PATIENCE = 4;

/**
 * Waits until `look` gives something other than undefined, null or false, which takes at most `withinMs` on an idle
 * machine. Throws with the last error or value when it has taken far longer.
 */
export async function eventually<T>(look: () => T | Promise<T>, withinMs = 10_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + PATIENCE * withinMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await look();
      if (value !== undefined && value !== null && value !== false) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline)
      throw new Error(
        `not within ${PATIENCE * withinMs} ms; last: ${last instanceof Error ? last.message : JSON.stringify(last)}`,
        { cause: last },
      );
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
