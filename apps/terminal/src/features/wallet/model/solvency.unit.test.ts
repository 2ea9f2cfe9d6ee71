import { expect, test } from '@jest/globals';
import type { SolvencyProof, SolvencySnapshot } from '@bourse/contract';
import { coverage, isCovered, readProof, rootAgainst } from './solvency.js';

const proof: SolvencyProof = {
  snapshot_id: 7,
  currency: 'USDT',
  leaf: { nonce: 'n', balance: '1', hash: 'a' },
  path: [{ side: 'L', hash: 'b', sum: '2' }],
  root_hash: 'r',
  root_sum: '3',
};
const published: SolvencySnapshot = {
  snapshot_id: 7,
  time: '',
  simulated_assets: 1,
  currencies: [{ currency: 'USDT', liabilities: '3.00000000', assets: '3.1', leaves: 2, root_hash: 'r' }],
};

test('coverage is cut, never rounded up: 99.999 % is not 100 [WALLETVIEW-040]', () => {
  expect([
    coverage({ assets: '99.999', liabilities: '100' }),
    coverage({ assets: '310', liabilities: '300' }),
    coverage({ assets: '5', liabilities: '0' }),
  ]).toEqual(['99.99', '103.33', undefined]);
  expect([
    isCovered({ assets: '3', liabilities: '3.00' }),
    isCovered({ assets: '2.99999999', liabilities: '3' }),
  ]).toEqual([true, false]);
});

test('a pasted proof is read with or without its envelope; anything else is none [WALLETVIEW-041]', () => {
  expect(readProof(JSON.stringify(proof))).toEqual(proof);
  expect(readProof(JSON.stringify({ type: 'ok', message: proof }))).toEqual(proof);
  for (const bad of [
    '',
    '{',
    '[]',
    'null',
    '7',
    '{"message":"x"}',
    JSON.stringify({ ...proof, path: [{}] }),
    JSON.stringify({ ...proof, root_sum: 3 }),
    JSON.stringify({ ...proof, leaf: null }),
  ])
    expect(readProof(bad)).toBeUndefined();
});

test('a proof’s root is compared with the one published to all, hash and sum [WALLETVIEW-042]', () => {
  expect(rootAgainst(proof, published)).toBe('same');
  expect(rootAgainst({ ...proof, root_hash: 'x' }, published)).toBe('other');
  expect(rootAgainst({ ...proof, root_sum: '3.00000001' }, published)).toBe('other');
  expect(rootAgainst({ ...proof, currency: 'BTC' }, published)).toBe('other');
  expect([rootAgainst({ ...proof, snapshot_id: 6 }, published), rootAgainst(proof, undefined)]).toEqual([
    'unknown',
    'unknown',
  ]);
});
