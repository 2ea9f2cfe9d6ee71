import { createHash, createHmac } from 'node:crypto';
import { sameText } from '@bourse/platform';

/** How far the clock of a program may differ from ours. Ms. */
export const SIGNED_WITHIN_MS = 5_000;
const NO_BODY = createHash('sha256').update('').digest('hex');

/**
 * What a program signs of a call (api §1.2): `path` with its query, as sent; `timestamp` in ms as text; hex SHA-256 of
 * the body's bytes, absent without a body.
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

/** Whether a call was signed with this secret, and lately. `now` is real time, ms. */
export function isSigned(secret: string, call: SignedCall, signature: string, now: number): boolean {
  return isRecent(call.timestamp, now) && sameText(signatureOf(secret, call), signature);
}

/** Whether a time that a program names lies within what we take. */
export const isRecent = (timestamp: string, now: number): boolean =>
  /^[1-9]\d{12}$/.test(timestamp) && Math.abs(Number(timestamp) - now) <= SIGNED_WITHIN_MS;
