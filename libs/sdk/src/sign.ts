/**
 * Lower-case hex HMAC-SHA256 of method, path with query as sent, timestamp (unix ms) and the hex SHA-256 of the body's
 * bytes, joined by line feeds, under the secret of an API key (api §1.2).
 */
export async function sign(
  secret: string,
  { method, path, timestamp, body = '' }: { method: string; path: string; timestamp: string; body?: string },
): Promise<string> {
  const digest = hex(await crypto.subtle.digest('SHA-256', bytes(body)));
  const key = await crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return hex(await crypto.subtle.sign('HMAC', key, bytes([method, path, timestamp, digest].join('\n'))));
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const hex = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
