import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;

/** The six digits that an authenticator shows for this secret now, or some steps of 30 s later (RFC 6238). */
export function totpCode(secret: string, ahead = 0): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const octets = bits.join('').match(/.{8}/g) ?? [];
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + ahead));
  const key = Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)));
  const digest = createHmac('sha1', key).update(step).digest();
  return String((digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
