import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 30_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The six digits that an authenticator shows for this secret now, or some steps of 30 s later (RFC 6238). */
export function totpCode(secret: string, ahead = 0): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const octets = bits.match(/.{8}/g) ?? [];
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + ahead));
  const key = Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)));
  const digest = createHmac('sha1', key).update(step).digest();
  return String((digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Resolves when the present step lasts for at least so long: codes at the edge of the window are valid until then. */
export async function waitForRoomInStep(roomMs: number): Promise<void> {
  const leftMs = STEP_MS - (Date.now() % STEP_MS);
  if (leftMs < roomMs) await sleep(leftMs);
}
