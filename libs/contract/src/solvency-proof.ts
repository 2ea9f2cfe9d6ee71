import type { SolvencyProof } from './answers/wallet.js';

/*
 * Checks a proof of solvency without trusting the server: it repeats every hash, from the person's balance up to the
 * published root. It needs only WebCrypto, so that it runs in any browser and can be read and copied by itself.
 */

/** One repeated hash: `text` is its input, `hash` its SHA-256, `sum` the sum of all accounts below it. */
export interface ProofStep {
  readonly text: string;
  readonly hash: string;
  readonly sum: string;
}
export type ProofFault =
  /** A part of the proof has the wrong form: a hash, a side, or an amount below zero. */
  | 'malformed'
  /** The leaf is not of this person and this balance. */
  | 'leaf'
  /** The path leads to another root. */
  | 'root'
  /** The path leads to the root's hash, but the claimed sum differs. */
  | 'sum';
export interface ProofVerdict {
  readonly ok: boolean;
  /** From the leaf up, as far as the check got. */ readonly steps: readonly ProofStep[];
  readonly fault?: ProofFault;
}

const HASH = /^[0-9a-f]{64}$/;
/**
 * A plain decimal: no sign, no exponent, no trailing zeros. A negative sum in one place would hide a debt in another.
 */
const PLAIN = /^(0|[1-9]\d{0,29})(\.\d{0,29}[1-9])?$/;
const NONCE = /^[0-9a-z-]{1,64}$/i;
const DEPTH_MAX = 64;

/**
 * Whether the proof shows that `userId`'s balance is part of the root: leaf =
 * SHA-256(`leaf|nonce|user_id|currency|balance`), node = SHA-256(`node|left hash|left sum|right hash|right sum`) (rules
 * 8.7). Compare `root_hash` and `root_sum` with what is published to all.
 */
export async function verifyProof(
  proof: SolvencyProof,
  { userId }: { readonly userId: number },
): Promise<ProofVerdict> {
  const steps: ProofStep[] = [];
  const { leaf, path } = proof;
  const wellFormed =
    HASH.test(leaf.hash) &&
    HASH.test(proof.root_hash) &&
    NONCE.test(leaf.nonce) &&
    !proof.currency.includes('|') &&
    [leaf.balance, proof.root_sum, ...path.map(({ sum }) => sum)].every((sum) => PLAIN.test(sum)) &&
    path.length <= DEPTH_MAX &&
    path.every(({ side, hash }) => (side === 'L' || side === 'R') && HASH.test(hash));
  if (!wellFormed) return { ok: false, steps, fault: 'malformed' };
  let [hash, sum] = await step(steps, `leaf|${leaf.nonce}|${userId}|${proof.currency}|${leaf.balance}`, leaf.balance);
  if (hash !== leaf.hash) return { ok: false, steps, fault: 'leaf' };
  for (const sibling of path) {
    const text =
      sibling.side === 'L'
        ? `node|${sibling.hash}|${sibling.sum}|${hash}|${sum}`
        : `node|${hash}|${sum}|${sibling.hash}|${sibling.sum}`;
    [hash, sum] = await step(steps, text, add(sum, sibling.sum));
  }
  if (hash !== proof.root_hash) return { ok: false, steps, fault: 'root' };
  return sum === proof.root_sum ? { ok: true, steps } : { ok: false, steps, fault: 'sum' };
}

async function step(steps: ProofStep[], text: string, sum: string): Promise<[hash: string, sum: string]> {
  const hash = await sha256(text);
  steps.push({ text, hash, sum });
  return [hash, sum];
}

async function sha256(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Exact sum of two plain decimals, as a plain decimal. */
function add(a: string, b: string): string {
  const scale = Math.max(decimals(a), decimals(b));
  const digits = (units(a, scale) + units(b, scale)).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}
const decimals = (text: string): number => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);
function units(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}
