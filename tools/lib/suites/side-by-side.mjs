// What runs at once, and what may not.

/**
 * Begins all of these and gives their results when each has ended; where one fails, the others are waited for too, so
 * that nothing goes on behind the failure.
 */
export async function sideBySide(runs) {
  const ended = await Promise.allSettled(runs.map((run) => run()));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return ended.map(({ value }) => value);
}
