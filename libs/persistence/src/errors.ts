/**
 * A commit whose outcome is unknown: the connection broke before the answer came. Reload from the database; never
 * repeat blindly.
 */
export class CommitUncertain extends Error {}

/**
 * True for what may succeed when tried again: lost connections, deadlocks, serialization failures, time-outs, a server
 * that starts or stops.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof CommitUncertain) return true;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (
    typeof code === 'string' &&
    /^(08...|0A000|40001|40P01|55P03|57P0.|57014|53...|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND)$/.test(
      code,
    )
  )
    return true;
  if (
    typeof message === 'string' &&
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message,
    )
  )
    return true;
  const { driverError, cause } = error as { driverError?: unknown; cause?: unknown };
  return [driverError, cause].some((inner) => typeof inner === 'object' && inner !== null && isTransient(inner));
}

/**
 * The head of the stream differs from what the writer has loaded: another writer has it, or the database was set back.
 * Load again.
 */
export class StreamForked extends Error {}

/**
 * Codes with which our own statements refuse (SQL function `refuse`): the transaction is undone by the server, whatever
 * was sent behind.
 */
export const REFUSALS = { fenced: 'BO001', forked: 'BO002', tooOld: 'BO003', broken: 'BO004' } as const;

/** The code of a refusal of our own, or undefined. */
export function refusalOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('BO') ? code : undefined;
}

/**
 * True when the server itself refused, so that nothing of the transaction is stored; a lost connection and a server
 * that ends leave the outcome open.
 */
export const isRefusedByServer = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !isTransient(error);
};
