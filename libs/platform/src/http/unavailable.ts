/** Something this call needs is down, and nothing was done: answered 503 `common.unavailable` with `Retry-After`. */
export class Unavailable extends Error {
  readonly retryAfterSeconds: number = 1;
}

/**
 * Messages of the pool and the driver for a statement that was never sent: no connection came free, or it broke before.
 */
const NEVER_SENT = /timeout exceeded when trying to connect|Client has encountered a connection error and is not query/;

/** Conflicts of transactions, and waits for a lock or a statement that took longer than they may. */
const UNDONE = /^(?:40001|40P01|55P03|57014)$/;

/** Whether the database undid the transaction of a call because of others that ran at the same time. */
export function isUndone(error: unknown): boolean {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: unknown };
  // TypeORM wraps what the driver threw.
  return (typeof code === 'string' && UNDONE.test(code)) || (driverError !== undefined && isUndone(driverError));
}

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
