import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { available, held } from '@bourse/events';
import type { TestDatabases } from '@bourse/testing';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { ledgerDatabases, LedgerProcess, USDT } from './writer-harness.js';

// A real database on a machine that may be busy with other suites.
jest.setTimeout(testTimeoutMs(24_000));

const PEOPLE = [100_001, 100_002, 100_003];
let world: TestDatabases;
let ledger: LedgerProcess;
beforeAll(async () => {
  world = await ledgerDatabases();
  ledger = await LedgerProcess.start(world, { partitions: 3 });
  for (const [at, user] of PEOPLE.entries()) await ledger.seed(user, `${at + 1}0.50`);
});
afterAll(async () => {
  await ledger?.stop();
  await world?.end();
});

test('the sums that journals of an object moved, by account, the house as one [ACC-031]', async () => {
  const nets = await ledger.reader.netsOf('seed', PEOPLE.slice(0, 2).map(String));
  const change = { account: 'change', currency: USDT };
  const outside = { owner: null, account: 'h.outside', currency: USDT };
  expect(nets).toHaveLength(4);
  expect(nets).toEqual(
    expect.arrayContaining([
      { causeId: '100001', owner: 100_001, ...change, amount: '10.5' },
      { causeId: '100001', ...outside, amount: '-10.5' },
      { causeId: '100002', owner: 100_002, ...change, amount: '20.5' },
      { causeId: '100002', ...outside, amount: '-20.5' },
    ]),
  );
});

test('held amounts count for their owner, and journals of one object are summed [ACC-031]', async () => {
  const user = PEOPLE[2]!;
  const move = (id: string, causeId: string, to: string) =>
    ledger.command({
      commandId: id,
      userId: user,
      onBehalfOf: user,
      answer: { type: 'ok' },
      journals: [
        {
          id,
          causeType: causeId === '7' ? 'withdrawal' : 'transfer',
          causeId,
          legs: [{ from: available(user, 'change'), to, currency: USDT, amount: '1.25' }],
        },
      ],
    });
  expect((await move('withdrawal:7:hold', '7', held(user, 'change', 'withdrawal:7')))?.ok).toBe(true);
  expect(await ledger.reader.netsOf('withdrawal', ['7', '8'])).toEqual([]);
  for (const id of ['transfer:a', 'transfer:b']) expect((await move(id, '9', available(user, 'legal')))?.ok).toBe(true);
  const nets = await ledger.reader.netsOf('transfer', ['9']);
  expect(nets.map(({ account, amount }) => `${account} ${amount}`).sort()).toEqual(['change -2.5', 'legal 2.5']);
});
