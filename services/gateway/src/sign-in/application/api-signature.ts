import { createHash, createHmac } from 'node:crypto';
import { sameText } from '@bourse/platform';

/** Maximum difference between a program's clock and ours. Ms. */
export const SIGNED_WITHIN_MS = 5_000;
const NO_BODY = createHash('sha256').update('').digest('hex');

/**
 * The signed parts of a call (api §1.2): `path` with its query, as sent; `timestamp` in ms as text; hex SHA-256 of the
 * body's bytes, absent without a body.
 */
export interface SignedCall {
  readonly method: string;
  readonly path: string;
  readonly timestamp: string;
  readonly bodyDigest?: string | undefined;
}

/** Lower-case hex HMAC-SHA256 of a call under a key's secret. */
export function signatureOf(secret: string, { method, path, timestamp, bodyDigest = NO_BODY }: SignedCall): string {
  return createHmac('sha256', secret).update([method, path, timestamp, bodyDigest].join('\n')).digest('hex');
}

/** Whether a call was signed with this secret, and recently. `now` is real time, ms. */
export function isSigned(secret: string, call: SignedCall, signature: string, now: number): boolean {
  return isRecent(call.timestamp, now) && sameText(signatureOf(secret, call), signature);
}

/** Whether a program's timestamp is within the accepted difference. */
export const isRecent = (timestamp: string, now: number): boolean =>
  /^[1-9]\d{12}$/.test(timestamp) && Math.abs(Number(timestamp) - now) <= SIGNED_WITHIN_MS;
