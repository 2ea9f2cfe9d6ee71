import { expect, test } from '@jest/globals';
import { percent } from '@bourse/formulas';
import { ledgerPartition } from '@bourse/events';
import type { LedgerOrder, Sagas } from '@bourse/ledger-client';
import type { Log } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { SimulatedClock } from '@bourse/testing';
import { Policies } from '../src/insurance/application/policies.js';
import type { ContractStore } from '../src/contracts/application/ports.js';
import { Settlement } from '../src/contracts/application/settlement.js';
import type { Ticks } from '../src/ticks/application/ticks.js';
import type { Contract } from '../src/contracts/domain/contract.js';
import type { Policy } from '../src/insurance/domain/policy.js';
import type { Tick } from '../src/ticks/domain/tick.js';
import type { MicroDatabase } from '../src/shared/application/database.js';
import type { PolicyStore } from '../src/insurance/application/ports.js';
import type { TickStore } from '../src/ticks/application/ports.js';

const AT = Date.UTC(2026, 10, 27, 12);
const HAP = 8;
const hap = (text: string): bigint => toUnits(text, 8);
const POLICY: Policy = {
  id: '9',
  userId: 7,
  typeId: 1,
  currencyId: HAP,
  currencyName: 'HAP',
  scale: 8,
  amount: hap('100'),
  premium: hap('15'),
  vault: hap('198.9'),
  running: 1,
  terms: {
    premiumRate: percent('15'),
    stakeRate: percent('100'),
    claimLossRate: percent('50'),
    claimRate: percent('50'),
    endProfitRate: percent('100'),
    maxOpen: 5,
    claimsPerDay: 2,
  },
  state: 'active',
  createdAt: 0,
  endedAt: null,
};
const CONTRACT: Contract = {
  id: '77',
  userId: 7,
  matchId: 2,
  symbol: 'ETH/USDT',
  priceScale: 2,
  currencyId: HAP,
  currencyName: 'HAP',
  scale: 8,
  direction: 'up',
  seconds: 30,
  stake: hap('50'),
  fee: hap('0.1'),
  ratio: percent('100'),
  policyId: POLICY.id,
  state: 'running',
  acceptedAt: AT - 30_500,
  openTickId: 1n,
  openTime: AT - 30_000,
  openPrice: '60000',
  expireTime: AT,
  endTickIds: [],
  endPrice: null,
  result: null,
  profits: 0n,
  handledAt: null,
};
const TICKS = [4, 3, 2, 1, 0].map((before): Tick => {
  const time = AT - before * 1_000;
  const id = BigInt(10 - before);
  return { symbol: 'ETH/USDT', id, time, at: time, price: '61000', prevHash: '', hash: '' };
});

test('the win that ends a policy is paid before its vault is debited, in one partition [HARD-486]', async () => {
  const sent: { readonly saga: string; readonly command: LedgerOrder }[] = [];
  const begin = (saga: string, { command }: { command: LedgerOrder }): void => void sent.push({ saga, command });
  const sagas = {
    defineMove: ({ name }: { name: string }) => ({
      begin: (_tx: Tx, move: { command: LedgerOrder }) => Promise.resolve(begin(name, move)),
      beginAll: (_tx: Tx, moves: readonly { command: LedgerOrder }[]) =>
        Promise.resolve(moves.forEach((move) => begin(name, move))),
    }),
  } as unknown as Sagas;
  const saved: Policy[] = [];
  const done = (): Promise<void> => Promise.resolve();
  const policies = new Policies(
    sagas,
    {
      lock: () => Promise.resolve([POLICY]),
      save: (_tx: Tx, rows: readonly Policy[]) => Promise.resolve(void saved.push(...rows)),
      giveQuota: done,
    } as unknown as PolicyStore,
    new SimulatedClock(AT),
  );
  let waiting: readonly Contract[] = [CONTRACT];
  const settlement = new Settlement(
    sagas,
    { partitionsOf: () => 1 } as unknown as Log,
    {
      transaction: <T>(work: (tx: Tx) => Promise<T>) => work({ emit: () => undefined } as unknown as Tx),
    } as MicroDatabase,
    {
      takeOpening: () => Promise.resolve([]),
      takeExpired: () => {
        const taken = waiting;
        waiting = [];
        return Promise.resolve(taken);
      },
      saveClosed: done,
      giveBack: done,
    } as unknown as ContractStore,
    {
      heads: () => Promise.resolve([{ ...TICKS.at(-1)!, broken: false }]),
      within: () => Promise.resolve(TICKS),
      keep: done,
    } as unknown as TickStore,
    policies,
    new SimulatedClock(AT),
    { onStored: () => undefined } as unknown as Ticks,
  );
  expect(await settlement.round()).toBe(1);
  expect(saved.at(-1)).toMatchObject({ state: 'ended', vault: 0n });
  expect(sent.map(({ saga }) => saga)).toEqual(['micro.settle', 'insurance.vault']);
  expect(sent[1]!.command.journals[0]!.legs).toEqual([expect.objectContaining({ amount: '248.90000000' })]);
  // Both are the person's: the ledger books them in this order.
  expect(new Set(sent.map(({ command }) => ledgerPartition(command.userId, 8))).size).toBe(1);
});

test('policies that end together give their quotas back in the order of the types [MICRO-037]', async () => {
  const rows = [2, 1].map((typeId, at) => ({ ...POLICY, id: String(at), typeId, running: 1, vault: hap('300') }));
  const given: number[] = [];
  const store = {
    lock: () => Promise.resolve(rows),
    save: () => Promise.resolve(),
    giveQuota: (_tx: Tx, typeId: number) => Promise.resolve(void given.push(typeId)),
  } as unknown as PolicyStore;
  const sagas = { defineMove: () => ({ begin: () => Promise.resolve() }) } as unknown as Sagas;
  const policies = new Policies(sagas, store, new SimulatedClock(AT));
  await policies.contractsClosed(
    {} as Tx,
    rows.map(({ id }) => ({ policyId: id, change: 0n })),
  );
  expect(given).toEqual([1, 2]);
});
