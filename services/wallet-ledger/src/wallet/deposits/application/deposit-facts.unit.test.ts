import { expect, test } from '@jest/globals';
import { TOPICS } from '@bourse/events';
import type { Timers, Tx } from '@bourse/persistence';
import type { Clock } from '@bourse/platform';
import type { Currencies } from '../../../ledger/application/currencies.js';
import type { Prices } from '../../shared/application/prices.js';
import { DepositFacts } from './deposit-facts.js';
import type { DepositRow } from './ports.js';

type Fire = (timer: { payload: unknown }, tx: Tx) => Promise<void>;

function world(price: () => bigint | null) {
  const told: unknown[] = [];
  const set: { dueAt: number; payload: unknown }[] = [];
  let fire: Fire = async () => undefined;
  const timers = {
    handle: (_: string, handler: Fire) => {
      fire = handler;
    },
    set: async (_: Tx, __: string, ___: string, dueAt: number, payload: unknown) => {
      set.push({ dueAt, payload });
    },
  } as unknown as Timers;
  const noticed: unknown[] = [];
  const tx = {
    emit: (topic: string, _: number, { body }: { body: unknown }) =>
      (topic === TOPICS.ledgerFacts ? told : noticed).push(body),
  } as unknown as Tx;
  const facts = new DepositFacts(
    { fresh: price } as unknown as Prices,
    timers,
    { scaleOf: () => 8, nameOf: () => 'BTC' } as unknown as Currencies,
    { now: () => 1_000 } as Clock,
  );
  return { told, noticed, set, tx, facts, fire: (payload: unknown) => fire({ payload }, tx) };
}
const row = (more: Partial<DepositRow> = {}): DepositRow =>
  ({ id: '5', userId: 7, currencyId: 1, amount: '0.33333333', ...more }) as DepositRow;

test('a deposit is published with its value at the fresh price, rounded down at 8 decimals [TEAM-004]', async () => {
  const { told, tx, facts } = world(() => 56_637_560_000_000_000_000_123n);
  await facts.credited(tx, row());
  // 0.33333333 × 56637.560000000000000123 = 18879.1864778746…
  expect(told).toEqual([{ id: '5', userId: 7, currency: 1, amount: '0.33333333', value: '18879.18647787', at: 1_000 }]);
});

test('without a fresh price it is published later, with the first one [TEAM-004]', async () => {
  let price: bigint | null = null;
  const { told, set, tx, facts, fire } = world(() => price);
  await facts.credited(tx, row({ amount: '2' }));
  expect([told, set.map(({ dueAt }) => dueAt)]).toEqual([[], [11_000]]);
  await fire(set[0]?.payload);
  expect([told, set.length]).toEqual([[], 2]);
  price = 10n ** 18n;
  await fire(set[1]?.payload);
  expect(told).toEqual([{ id: '5', userId: 7, currency: 1, amount: '2', value: '2.00000000', at: 1_000 }]);
});

test('a deposit without an owner is not published [TEAM-004]', async () => {
  const { told, set, tx, facts } = world(() => 1n);
  await facts.credited(tx, row({ userId: null }));
  expect([told, set]).toEqual([[], []]);
});

test('its owner is notified once, with a readable amount [NOTICE-017]', async () => {
  const { noticed, tx, facts } = world(() => 1n);
  await facts.credited(tx, row({ amount: '2.50000000' }));
  facts.held(tx, row({ amount: '0.00001', minimum: '0.001' }));
  facts.held(tx, row({ userId: null }));
  expect(noticed).toMatchObject([
    { notices: [{ userId: 7, id: 'deposit:5:credited', kind: 'depositCredited', params: { amount: '2.5 BTC' } }] },
    {
      notices: [{ id: 'deposit:5:held', kind: 'depositHeld', params: { amount: '0.00001 BTC', minimum: '0.001 BTC' } }],
    },
  ]);
});
