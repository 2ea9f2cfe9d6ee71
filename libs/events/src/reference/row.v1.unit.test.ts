import { expect, test } from '@jest/globals';
import { REFERENCE_KINDS, referenceOwner } from './row.v1.js';

test('each kind of reference data has one owner, by its kind or by its row [SETTING-007]', () => {
  const owners = REFERENCE_KINDS.map((kind) => [kind, referenceOwner({ kind, row: { owner: 'auth' } })]);
  expect(Object.fromEntries(owners)).toEqual({
    currency: 'market-data',
    pair: 'market-data',
    mode: 'spot-matching',
    network: 'wallet-ledger',
    setting: 'auth',
    catalog: 'auth',
  });
  expect(referenceOwner({ kind: 'setting', row: {} })).toBeUndefined();
});
