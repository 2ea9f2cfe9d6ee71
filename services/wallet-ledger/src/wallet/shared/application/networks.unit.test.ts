import { expect, test } from '@jest/globals';
import { SEED_NETWORKS } from '@bourse/contract';
import { Networks, type VersionedNetwork } from './networks.js';

const TRC20 = 4;
const changed = (feeRate: string, version: number): VersionedNetwork => ({
  ...SEED_NETWORKS.find(({ id }) => id === TRC20)!,
  feeRate,
  version,
});

test('a row that another instance has changed counts, an older one that comes after it does not [SETTING-034]', () => {
  const networks = new Networks(SEED_NETWORKS);
  networks.take(changed('2', 2));
  networks.take(changed('3', 1));
  networks.take(changed('4', 2));
  expect(networks.byId(TRC20)?.feeRate).toBe('2');
  expect(networks.all().map(({ id }) => id)).toEqual(SEED_NETWORKS.map(({ id }) => id));
});

test('an override of this install takes precedence over every change [SETTING-034]', () => {
  const networks = new Networks(SEED_NETWORKS, (row) => ({ ...row, confirmations: 2 }));
  networks.take({ ...changed('2', 1), confirmations: 9 });
  expect(networks.byId(TRC20)).toMatchObject({ feeRate: '2', confirmations: 2 });
});
