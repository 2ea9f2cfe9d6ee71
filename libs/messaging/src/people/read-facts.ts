/**
 * Reads the facts of each of these people once, at most `max` of them in one question; unknown people are left out. The
 * questions are asked together.
 */
export async function readFacts<F extends { readonly userId: number }>(
  userIds: readonly number[],
  max: number,
  ask: (userIds: readonly number[]) => Promise<readonly F[]>,
): Promise<ReadonlyMap<number, F>> {
  const ids = [...new Set(userIds)];
  const pieces = Array.from({ length: Math.ceil(ids.length / max) }, (_, at) => ids.slice(at * max, (at + 1) * max));
  const found = await Promise.all(pieces.map((piece) => ask(piece)));
  return new Map(found.flat().map((facts) => [facts.userId, facts]));
}
