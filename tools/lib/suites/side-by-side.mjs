// Runs tasks concurrently, and exclusive ones alone.

/**
 * Starts all of these and returns their results when each has ended; if one fails, the others are awaited too, so that
 * nothing continues after the failure.
 */
export async function sideBySide(runs) {
  const ended = await Promise.allSettled(runs.map((run) => run()));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return ended.map(({ value }) => value);
}
