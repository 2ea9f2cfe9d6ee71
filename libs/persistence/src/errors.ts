/** A commit whose outcome nobody knows: the connection broke before the answer came. Reload from the database; never repeat blindly. */
export class CommitUncertain extends Error {}

/** True for what may succeed when tried again: lost connections, deadlocks, serialization failures, time-outs, a server that starts or stops. */
export function isTransient(error: unknown): boolean {
  if (error instanceof CommitUncertain) return true;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && /^(08...|0A000|40001|40P01|55P03|57P0.|57014|53...|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND)$/.test(code)) return true;
  if (typeof message === 'string' && /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(message)) return true;
  const { driverError, cause } = error as { driverError?: unknown; cause?: unknown };
  return [driverError, cause].some((inner) => typeof inner === 'object' && inner !== null && isTransient(inner));
}
