import { createHmac } from 'node:crypto';
import { sameText } from '@bourse/platform';

/** The exact fields of a signed binding of a withdrawal address (api §3). */
const DRAW_FIELDS = [
  'user_id',
  'address',
  'coin_name',
  'contract_address',
  'memo',
  'verification_code',
  'timestamp',
] as const;
export type DrawData = Readonly<Record<(typeof DRAW_FIELDS)[number], string>>;

/**
 * Reads the text of `data`: a JSON object with exactly these seven fields, texts or integers. Null for anything else.
 */
export function readDrawData(text: string): DrawData | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null; // not JSON: refused like every other bad request
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return null;
  const entries = Object.entries(read);
  if (entries.length !== DRAW_FIELDS.length) return null;
  const data: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (
      !(DRAW_FIELDS as readonly string[]).includes(name) ||
      !(typeof value === 'string' || Number.isSafeInteger(value))
    )
      return null;
    data[name] = String(value);
  }
  return data as DrawData;
}

/** The seven fields as `name=value`, names in byte order, values percent-encoded after RFC 3986, joined by `&`. */
export const canonicalDraw = (data: DrawData): string =>
  [...DRAW_FIELDS]
    .sort()
    .map((name) => `${name}=${percentEncoded(data[name])}`)
    .join('&');

/** Lower-case hex HMAC-SHA256 of the canonical text. */
export const signDraw = (data: DrawData, secret: string): string =>
  createHmac('sha256', secret).update(canonicalDraw(data)).digest('hex');

/** Whether the seven fields were signed with this secret (api §5). */
export const isDrawSignature = (data: DrawData, signature: string, secret: string): boolean =>
  sameText(signDraw(data, secret), signature);

/** `encodeURIComponent` does not encode five characters that RFC 3986 reserves. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
