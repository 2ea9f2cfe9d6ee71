/** Something this call needs is down, and nothing was done: answered 503 `common.unavailable` with `Retry-After`. */
export class Unavailable extends Error {
  readonly retryAfterSeconds: number = 1;
}

/**
 * Messages of the pool and the driver for a statement that was never sent: no connection came free, or it broke before.
 */
const NEVER_SENT = /timeout exceeded when trying to connect|Client has encountered a connection error and is not query/;

/** Whether the database could not be reached at all, so that nothing can have been done. */
export function isConnectionRefused(error: unknown): boolean {
  const { code, message, driverError } = (error ?? {}) as { code?: unknown; message?: unknown; driverError?: unknown };
  return (
    code === 'ECONNREFUSED' ||
    code === '57P03' ||
    code === '53300' ||
    (typeof message === 'string' && NEVER_SENT.test(message)) ||
    // TypeORM wraps what the driver threw.
    (typeof driverError === 'object' && driverError !== null && isConnectionRefused(driverError))
  );
}
