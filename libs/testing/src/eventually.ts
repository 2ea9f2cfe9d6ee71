/**
 * Waits until `look` gives something other than undefined, null or false. Throws with the last error or value after
 * `withinMs`.
 */
export async function eventually<T>(look: () => T | Promise<T>, withinMs = 10_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
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
        `not within ${withinMs} ms; last: ${last instanceof Error ? last.message : JSON.stringify(last)}`,
        { cause: last },
      );
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
