import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { migrations } from '../../../src/migrations.js';
import { PostgresOwnOutputs } from '../../../src/wallet/chains/persistence/own-outputs.js';

jest.setTimeout(testTimeoutMs(24_000));

let db: TestDatabases;
let outputs: PostgresOwnOutputs;
beforeAll(async () => {
  db = await testDatabases();
  outputs = new PostgresOwnOutputs(await db.databases.open({ schema: 'ledger', migrations }));
});
afterAll(() => db.end());

const id = (n: number): string => n.toString(16).padStart(64, '0');
const own = (n: number, amount: bigint, height = 1) => ({
  txId: id(n),
  output: n,
  address: `address ${n}`,
  amount,
  height,
});

test('outputs of ours are found again, largest first; spent ones while a reorg may come [BTC-020]', async () => {
  const [small, large, other] = [own(1, 5n), own(2, 9_223_372_036_854_775_807n), own(3, 7n)];
  await outputs.record('bitcoin', { height: 1, received: [small, large], spent: [] });
  await outputs.record('bitcoin', { height: 1, received: [small, large], spent: [] }); // read twice
  // Another chain's block says nothing about these.
  await outputs.record('dogecoin', { height: 1, received: [other], spent: [{ ...small, by: id(8) }] });
  expect(await outputs.unspent('bitcoin', 1)).toEqual([large, small]);
  expect(await outputs.find('bitcoin', [small, other, { txId: id(2), output: 1 }])).toEqual([small]);

  await outputs.record('bitcoin', {
    height: 50,
    received: [],
    spent: [
      { txId: id(1), output: 1, by: id(9) },
      { txId: id(77), output: 0, by: id(9) },
    ],
  });
  expect([
    await outputs.spender('bitcoin', small),
    await outputs.spender('bitcoin', large),
    await outputs.spender('bitcoin', own(77, 1n)),
  ]).toEqual([id(9), null, null]);
  expect(await outputs.unspent('bitcoin', 149)).toEqual([large, small]);
  expect(await outputs.unspent('bitcoin', 150)).toEqual([large]);
  expect(await outputs.find('bitcoin', [small])).toEqual([small]);

  // In another block after a reorganisation.
  await outputs.record('bitcoin', { height: 7, received: [{ ...large, height: 7 }], spent: [] });
  expect((await outputs.unspent('bitcoin', 7)).map(({ height }) => height)).toEqual([7, 1]);
});
