import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { verifyProof, type SolvencyProof } from '@bourse/contract';
import {
  buildTree,
  pathOf,
  plainDecimal,
  makeLeaves,
  widthOf,
  type Leaf,
  type Levels,
  type OwnerBalance,
  type TreeNode,
} from './solvency.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const SCALE = 8;
const USDT = { name: 'USDT', scale: SCALE };

/** Runs a generator to its end. */
function whole<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
/** Evenly spread and the same in every run. */
function below(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % bound;
  };
}
function planted(balances: readonly OwnerBalance[], seed: number): { leaves: readonly Leaf[]; levels: Levels } {
  let count = 0;
  const leaves = whole(makeLeaves(balances, { nonce: () => `n${(count += 1)}`, below: below(seed) }));
  return { leaves, levels: whole(buildTree(leaves, USDT, sha256)) };
}
function proofOf({ leaves, levels }: { leaves: readonly Leaf[]; levels: Levels }, owner: number): SolvencyProof {
  const position = leaves.findIndex((leaf) => leaf.owner === owner);
  const leaf = leaves[position] as Leaf;
  const root = levels.at(-1)?.[0] as TreeNode;
  return {
    snapshot_id: 1,
    currency: 'USDT',
    leaf: { nonce: leaf.nonce, balance: plainDecimal(leaf.balance, SCALE), hash: levels[0]?.[position]?.hash ?? '' },
    path: pathOf(position, levels.length - 1).map(({ level, index, side }) => ({
      side,
      hash: levels[level]?.[index]?.hash ?? '',
      sum: plainDecimal(levels[level]?.[index]?.sum ?? -1n, SCALE),
    })),
    root_hash: root.hash,
    root_sum: plainDecimal(root.sum, SCALE),
  };
}

const people = (): fc.Arbitrary<OwnerBalance[]> =>
  fc.uniqueArray(
    fc.record({ owner: fc.integer({ min: 1, max: 2 ** 40 }), balance: fc.bigInt({ min: 0n, max: 10n ** 20n }) }),
    { minLength: 1, maxLength: 40, selector: ({ owner }) => owner },
  );
const seeds = (): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** 31 });

/** Every person can verify the path from their balance to the root, and the root is the sum of all balances. */
test('every leaf leads to the root, whose sum is that of all balances [SOLV-001]', async () => {
  await fc.assert(
    fc.asyncProperty(people(), seeds(), async (balances, seed) => {
      const tree = planted(balances, seed);
      expect(tree.levels.at(-1)).toHaveLength(1);
      expect(tree.levels.at(-1)?.[0]?.sum).toBe(balances.reduce((sum, { balance }) => sum + balance, 0n));
      for (const { owner, balance } of balances) {
        const proof = proofOf(tree, owner);
        expect(proof.leaf.balance).toBe(plainDecimal(balance, SCALE));
        const verdict = await verifyProof(proof, { userId: owner });
        expect(verdict).toMatchObject({ ok: true });
        expect(verdict.steps).toHaveLength(tree.levels.length);
      }
    }),
    { numRuns: 60 },
  );
});

/** Any change of a proof is found, by a server that owes more than it says or by anybody else. */
test('a changed balance, sum, hash, side or person is found [SOLV-002]', async () => {
  await fc.assert(
    fc.asyncProperty(people(), seeds(), fc.nat(), fc.nat(), async (balances, seed, which, where) => {
      fc.pre(balances.length > 1);
      const { owner } = balances[which % balances.length] as OwnerBalance;
      const proof = proofOf(planted(balances, seed), owner);
      const at = where % proof.path.length;
      const other = `${proof.leaf.balance === '7' ? 8 : 7}`;
      const changedPath = (
        change: (step: SolvencyProof['path'][number]) => Partial<SolvencyProof['path'][number]>,
      ): SolvencyProof => ({
        ...proof,
        path: proof.path.map((step, index) => (index === at ? { ...step, ...change(step) } : step)),
      });
      const flipped = (hash: string): string => (hash.startsWith('0') ? '1' : '0') + hash.slice(1);
      const forged: [string, SolvencyProof, number][] = [
        ['leaf', { ...proof, leaf: { ...proof.leaf, balance: other } }, owner],
        ['leaf', proof, owner + 1],
        ['leaf', { ...proof, currency: 'BTC' }, owner],
        ['leaf', { ...proof, leaf: { ...proof.leaf, nonce: `${proof.leaf.nonce}x` } }, owner],
        [
          'root',
          {
            ...proof,
            leaf: { ...proof.leaf, balance: other, hash: sha256(`leaf|${proof.leaf.nonce}|${owner}|USDT|${other}`) },
          },
          owner,
        ],
        ['root', changedPath(({ sum }) => ({ sum: sum === '7' ? '8' : '7' })), owner],
        ['root', changedPath(({ hash }) => ({ hash: flipped(hash) })), owner],
        ['root', changedPath(({ side }) => ({ side: side === 'L' ? 'R' : 'L' })), owner],
        ['root', { ...proof, path: proof.path.filter((_, index) => index !== at) }, owner],
        ['root', { ...proof, root_hash: flipped(proof.root_hash) }, owner],
        ['sum', { ...proof, root_sum: proof.root_sum === '7' ? '8' : '7' }, owner],
        ['malformed', changedPath(({ sum }) => ({ sum: `-${sum}` })), owner],
        ['malformed', changedPath(({ sum }) => ({ sum: `${sum}e1` })), owner],
        ['malformed', { ...proof, leaf: { ...proof.leaf, nonce: 'a|b' } }, owner],
        ['malformed', { ...proof, root_hash: 'x' }, owner],
      ];
      for (const [fault, wrong, person] of forged)
        expect(await verifyProof(wrong, { userId: person })).toMatchObject({ ok: false, fault });
    }),
    { numRuns: 40 },
  );
});

/** Leaves are padded to a power of two, in an order that reveals nothing. */
test('a tree has a power of two of leaves, each person once, the rest zero without an owner [SOLV-003]', () => {
  fc.assert(
    fc.property(people(), seeds(), (balances, seed) => {
      const { leaves } = planted(balances, seed);
      expect(leaves).toHaveLength(widthOf(balances.length));
      expect(
        leaves
          .filter(({ owner }) => owner !== 0)
          .map(({ owner, balance }) => `${owner} ${balance}`)
          .sort(),
      ).toEqual(balances.map(({ owner, balance }) => `${owner} ${balance}`).sort());
      expect(leaves.filter(({ owner }) => owner === 0).every(({ balance }) => balance === 0n)).toBe(true);
    }),
  );
});

test('a coin with one balance or none has a one-leaf tree; negative balances are defects [SOLV-004]', async () => {
  const empty = planted([], 1);
  expect(empty.levels).toHaveLength(1);
  expect(empty.levels[0]?.[0]).toEqual({ hash: sha256('leaf|n1|0|USDT|0'), sum: 0n });
  const single = planted([{ owner: 7, balance: 1_50000000n }], 1);
  expect(single.levels[0]?.[0]?.hash).toBe(sha256('leaf|n1|7|USDT|1.5'));
  expect(await verifyProof(proofOf(single, 7), { userId: 7 })).toMatchObject({
    ok: true,
    steps: [{ text: 'leaf|n1|7|USDT|1.5', sum: '1.5' }],
  });
  expect(() => whole(makeLeaves([{ owner: 7, balance: -1n }], { nonce: () => 'n', below: below(1) }))).toThrow(
    'invariant',
  );
  expect(() => whole(buildTree([], USDT, sha256))).toThrow(RangeError);
});

test('a tree of four is hashed exactly by the rule [SOLV-005]', () => {
  const leaves: Leaf[] = [
    [1, 100_00000000n],
    [2, 0n],
    [3, 2500000n],
    [0, 0n],
  ].map(([owner, balance], index) => ({
    owner: Number(owner),
    balance: BigInt(balance ?? 0),
    nonce: 'abcd'[index] ?? '',
  }));
  const [first, second, third, fourth] = [
    'leaf|a|1|USDT|100',
    'leaf|b|2|USDT|0',
    'leaf|c|3|USDT|0.025',
    'leaf|d|0|USDT|0',
  ].map(sha256);
  const [left, right] = [sha256(`node|${first}|100|${second}|0`), sha256(`node|${third}|0.025|${fourth}|0`)];
  const levels = whole(buildTree(leaves, USDT, sha256));
  expect(levels[1]?.map(({ hash }) => hash)).toEqual([left, right]);
  expect(levels[2]).toEqual([{ hash: sha256(`node|${left}|100|${right}|0.025`), sum: 100_02500000n }]);
});
