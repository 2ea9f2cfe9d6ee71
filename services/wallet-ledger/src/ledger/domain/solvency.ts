import { formatUnits } from '@bourse/money';

/** One person's balance in a coin, in units. */
export interface OwnerBalance {
  readonly owner: number;
  readonly balance: bigint;
}
/** A person's balance with its position in the tree. */
export interface Leaf extends OwnerBalance {
  readonly nonce: string;
}
/** Hash of a leaf or of a node's subtree, and the sum of the balances there, in units. */
export interface TreeNode {
  readonly hash: string;
  readonly sum: bigint;
}
/** A coin: its name as it is hashed, and its decimals. */
export interface ProvedCoin {
  readonly name: string;
  readonly scale: number;
}
/** All levels of a tree, leaves first; the last one is the root alone. */
export type Levels = readonly (readonly TreeNode[])[];

/** Nodes hashed between two points at which the caller may pause. */
const NODES_AT_ONCE = 128;
/** Owner of the leaves that pad the tree. No account has it. */
const NOBODY = 0;

/** SHA-256 of a text's UTF-8 bytes, lower-case hex. */
export type Sha256 = (text: string) => string;
/** A uniform random integer in [0, bound). */
export type RandomBelow = (bound: number) => number;

/** An amount as it is hashed: no exponent, no trailing zeros (rules 8.7). */
export function plainDecimal(units: bigint, scale: number): string {
  const text = formatUnits(units, scale);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const leafText = ({ nonce, owner, balance }: Leaf, coin: ProvedCoin): string =>
  `leaf|${nonce}|${owner}|${coin.name}|${plainDecimal(balance, coin.scale)}`;
const nodeText = (left: TreeNode, right: TreeNode, scale: number): string =>
  `node|${left.hash}|${plainDecimal(left.sum, scale)}|${right.hash}|${plainDecimal(right.sum, scale)}`;

/**
 * Leaves in random order, padded with zero leaves to a power of two; a padding leaf is indistinguishable from any
 * other.
 */
export function* makeLeaves(
  balances: readonly OwnerBalance[],
  { nonce, below }: { readonly nonce: () => string; readonly below: RandomBelow },
): Generator<void, Leaf[]> {
  const leaves: Leaf[] = [];
  for (const { owner, balance } of balances) {
    if (balance < 0n) throw new Error(`invariant: ${owner} has ${balance} units, a balance must not be negative`);
    leaves.push({ owner, balance, nonce: nonce() });
    if (leaves.length % NODES_AT_ONCE === 0) yield;
  }
  for (const size = widthOf(leaves.length); leaves.length < size;) {
    leaves.push({ owner: NOBODY, balance: 0n, nonce: nonce() });
    if (leaves.length % NODES_AT_ONCE === 0) yield;
  }
  for (let last = leaves.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [leaves[last], leaves[other]] = [leaves[other] as Leaf, leaves[last] as Leaf];
    if (last % NODES_AT_ONCE === 0) yield;
  }
  return leaves;
}

/** Hashes leaves (a power of two of them) up to the root. Yields often, so that the caller can let other work run. */
export function* buildTree(leaves: readonly Leaf[], coin: ProvedCoin, sha256: Sha256): Generator<void, Levels> {
  if (leaves.length !== widthOf(leaves.length))
    throw new RangeError(`a tree has a power of two of leaves, not ${leaves.length}`);
  let level: TreeNode[] = [];
  for (const leaf of leaves) {
    level.push({ hash: sha256(leafText(leaf, coin)), sum: leaf.balance });
    if (level.length % NODES_AT_ONCE === 0) yield;
  }
  const levels = [level];
  while (level.length > 1) {
    const above: TreeNode[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left, right] = [level[index] as TreeNode, level[index + 1] as TreeNode];
      above.push({ hash: sha256(nodeText(left, right, coin.scale)), sum: left.sum + right.sum });
      if (above.length % NODES_AT_ONCE === 0) yield;
    }
    levels.push(above);
    level = above;
  }
  return levels;
}

/** The siblings on the path from a leaf to the root: level, index and side of each. */
export function pathOf(
  position: number,
  depth: number,
): { readonly level: number; readonly index: number; readonly side: 'L' | 'R' }[] {
  return Array.from({ length: depth }, (_, level) => {
    const index = Math.floor(position / 2 ** level);
    return {
      level,
      index: index % 2 === 0 ? index + 1 : index - 1,
      side: index % 2 === 0 ? ('R' as const) : ('L' as const),
    };
  });
}

/** Smallest power of two that holds so many leaves; 1 for an empty tree. */
export const widthOf = (leaves: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, leaves)));
