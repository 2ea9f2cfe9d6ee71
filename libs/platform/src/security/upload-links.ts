import { createHmac } from 'node:crypto';
import { sameText } from './same-text.js';

/** Lifetime of the address of an uploaded image; each answer signs a new one (api §2.11). Ms. */
const LINK_MS = 300_000;
const PATH = '/api/upload/';
const NAME = /^[A-Za-z0-9_-]{20,60}\.(?:jpg|png|webp)$/;

const signatureOf = (secret: string, name: string, expires: string): string =>
  createHmac('sha256', secret).update(`upload|${name}|${expires}`).digest('base64url');

/**
 * Address of an image, signed for a reader who may see it; empty for no image. The caller has decided that they may.
 */
export function signedUpload(secret: string, name: string, now: number): string {
  if (name === '') return '';
  const expires = String(now + LINK_MS);
  return `${PATH}${name}?e=${expires}&s=${signatureOf(secret, name, expires)}`;
}

/** Whether a signed address is ours and still valid. */
export function verifyUpload(
  secret: string,
  { name, expires, signature }: { readonly name: string; readonly expires: string; readonly signature: string },
  now: number,
): boolean {
  if (!/^\d{1,15}$/.test(expires) || Number(expires) < now) return false;
  return sameText(signatureOf(secret, name, expires), signature);
}

/**
 * Name of an uploaded image in an address a client sends back, with or without origin and query; null otherwise
 * of ours.
 */
export function uploadName(address: string): string | null {
  const path = /^(?:https?:\/\/[^/?#]+)?\/api\/upload\/([^/?#]+)(?:\?[^#]*)?$/.exec(address)?.[1];
  return path !== undefined && NAME.test(path) ? path : null;
}
