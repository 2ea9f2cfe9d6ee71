import { compareDecimals, decimals, divide, formatUnits, pow10, toUnits } from '@bourse/money';
import type { SolvencyCoin, SolvencyProof, SolvencySnapshot } from '@bourse/contract';

/** Assets in percent of what is owed, cut to two decimals; undefined where nothing is owed. */
export function coverage({ assets, liabilities }: Pick<SolvencyCoin, 'assets' | 'liabilities'>): string | undefined {
  if (compareDecimals(liabilities, '0') <= 0) return undefined;
  const scale = Math.max(decimals(assets), decimals(liabilities));
  return formatUnits(divide(toUnits(assets, scale) * pow10(4), toUnits(liabilities, scale), 'down'), 2);
}

export const isCovered = ({ assets, liabilities }: Pick<SolvencyCoin, 'assets' | 'liabilities'>): boolean =>
  compareDecimals(assets, liabilities) >= 0;

/**
 * A proof from pasted text: the answer of the call as it came, or its `message` alone. Undefined when it is neither.
 */
export function readProof(text: string): SolvencyProof | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (isObject(value) && isObject(value['message'])) value = value['message'];
  if (!isObject(value)) return undefined;
  const { leaf, path, currency, root_hash: root, root_sum: sum, snapshot_id: snapshot } = value;
  const whole =
    isObject(leaf) &&
    isTexts(leaf, ['nonce', 'balance', 'hash']) &&
    Array.isArray(path) &&
    path.every((node) => isObject(node) && isTexts(node, ['side', 'hash', 'sum'])) &&
    [currency, root, sum].every((part) => typeof part === 'string') &&
    typeof snapshot === 'number';
  return whole ? (value as unknown as SolvencyProof) : undefined;
}

/** How the proof's root compares with the published one. */
export type RootVerdict = 'same' | 'other' | 'unknown';

/**
 * `same` when the published root of that snapshot and coin is the proof's, `unknown` when the published one is of
 * another snapshot.
 */
export function rootAgainst(
  proof: Pick<SolvencyProof, 'snapshot_id' | 'currency' | 'root_hash' | 'root_sum'>,
  published: SolvencySnapshot | undefined,
): RootVerdict {
  if (!published || published.snapshot_id !== proof.snapshot_id) return 'unknown';
  const coin = published.currencies.find(({ currency }) => currency === proof.currency);
  return coin &&
    coin.root_hash === proof.root_hash &&
    isDecimal(proof.root_sum) &&
    compareDecimals(coin.liabilities, proof.root_sum) === 0
    ? 'same'
    : 'other';
}

const isDecimal = (text: string): boolean => /^\d+(\.\d+)?$/.test(text);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: Record<string, unknown>, names: readonly string[]): boolean =>
  names.every((name) => typeof value[name] === 'string');
