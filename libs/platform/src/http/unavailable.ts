/** Something this call needs is down, and nothing was done: answered 503 `common.unavailable` with `Retry-After`. */
export class Unavailable extends Error {
  readonly retryAfterSeconds: number = 1;
}

/** Whether the database could not be reached at all, so that nothing can have been done. */
export function isConnectionRefused(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ECONNREFUSED' || code === '57P03' || code === '53300';
}
