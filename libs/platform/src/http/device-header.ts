import { createHash } from 'node:crypto';

/** Header in which a browser sends the random id that it made for itself; it identifies the device (0052). */
export const DEVICE_HEADER = 'x-device-id';
/** At least 128 random bits as hex or base64url: an id that could be guessed identifies no device. */
const DEVICE_ID = /^[\w-]{22,64}$/;

/**
 * Hash of the device id of a request; null without a valid one. The id itself is never stored,
 * passed on or logged.
 */
export function deviceOfHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): string | null {
  const id = headers[DEVICE_HEADER];
  return typeof id === 'string' && DEVICE_ID.test(id)
    ? createHash('sha256').update(`bourse-device|${id}`).digest('base64url').slice(0, 32)
    : null;
}
