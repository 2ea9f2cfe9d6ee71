import { timingSafeEqual } from 'node:crypto';

/**
 * Whether two texts are equal, for signatures and codes that an attacker may guess: the time of the answer does not
 * reveal how many characters were right. Texts of different lengths are answered at once; the length of a signature is
 * no secret.
 */
export function sameText(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
