import { describe, expect, test } from '@jest/globals';
import { available, held, LedgerCommandV1, type LedgerCommand } from '@bourse/events';
import type { Delivery } from '@bourse/messaging';
import type { OutboxRow } from '@bourse/persistence';
import { HotLedger } from '../../domain/index.js';
import { Batch, type Missing } from './batch.js';
import { JournalChain } from './entries.js';

const USER = 100_001;
const USDT = 3;
const CONTEXT = {
  partition: 0,
  userEventPartitions: 1,
  scaleOf: () => 8,
  nameOf: () => 'USDT',
  now: () => 0,
  isWatched: () => false,
  isPacked: true,
};

/** The names that a batch of one order looks up. */
function missingOf(given: Partial<LedgerCommand>, delivered: Pick<Delivery & { kind: 'command' }, 'isFirst'>): Missing {
  const message = LedgerCommandV1.encode({
    commandId: 'c1',
    issuer: 'spot-matching',
    userId: USER,
    onBehalfOf: USER,
    secondKey: `coid:${USER}:mine`,
    journals: [
      {
        id: 'order:1:hold',
        causeType: 'order',
        causeId: '1',
        legs: [{ from: available(USER, 'change'), to: held(USER, 'change', 'order:1'), currency: USDT, amount: '1' }],
      },
    ],
    ...given,
  });
  const ledger = new HotLedger({ partition: 0, ownsUser: () => true, limitOf: () => 10n ** 28n });
  const chain = new JournalChain(0, { number: 0, hash: '' }, () => 8);
  return new Batch([{ kind: 'command', message, offset: null, ...delivered }], ledger, chain, CONTEXT).missing();
}

const HOLD = { owner: USER, account: 'change', currency: USDT, hold: 'order:1' };

test('the first attempt of a new command looks up only its account and second key [LEDGER-056]', () => {
  const missing = missingOf({ isNew: true }, { isFirst: true });
  expect(missing).toMatchObject({ commandIds: [], holds: [], newHolds: [HOLD], secondKeys: [`coid:${USER}:mine`] });
  expect(missing.accounts).toEqual([{ owner: USER, account: 'change', currency: USDT }]);
});

test('a command that may have been carried out before is looked up with its hold [LEDGER-056]', () => {
  for (const missing of [missingOf({ isNew: true }, {}), missingOf({}, { isFirst: true }), missingOf({}, {})])
    expect(missing).toMatchObject({ commandIds: ['c1'], holds: [HOLD], newHolds: [] });
});

describe('a row that takes more from a hold than there is', () => {
  const [free, order, amend] = [
    available(USER, 'change'),
    held(USER, 'change', 'order:1'),
    held(USER, 'change', 'order:2'),
  ];
  /** A row of a partition of the books with one command of one leg. */
  const row = (stream: string, number: number, from: string, to: string, amount: string): Delivery => ({
    kind: 'row',
    row: { stream, number } as OutboxRow,
    messages: [
      LedgerCommandV1.encode({
        issuer: 'spot-matching',
        userId: USER,
        journals: [
          {
            id: `j:${stream}:${number}`,
            causeType: 'order',
            causeId: '1',
            legs: [{ from, to, currency: USDT, amount }],
          },
        ],
      }),
    ],
  });
  const change = row('spot.0', 7, amend, order, '1');
  const release = row('spot.1', 3, order, free, '3');
  const later = row('spot.1', 4, order, free, '0.5');

  /** Applies rows to a hold of 2 for the order and of 1.5 for its amend. */
  function apply(deliveries: readonly Delivery[], mayWait = true): { batch: Batch; ledger: HotLedger } {
    const ledger = new HotLedger({ partition: 0, ownsUser: () => true, limitOf: () => 10n ** 28n });
    const account = { owner: USER, account: 'change', currency: USDT };
    ledger.loadAccount({ ...account, available: 0n, held: 350_000_000n, availableSequence: 0, heldSequence: 1 });
    const cause = { causeType: 'order', causeId: '1' };
    ledger.loadHold({ ...account, hold: 'order:1', remaining: 200_000_000n, ...cause });
    ledger.loadHold({ ...account, hold: 'order:2', remaining: 150_000_000n, ...cause });
    const chain = new JournalChain(0, { number: 0, hash: '' }, () => 8);
    const batch = new Batch(deliveries, ledger, chain, CONTEXT, undefined, mayWait);
    batch.apply(batch.missing(), { at: 1, accounts: [], holds: [], commands: [], secondKeys: [] });
    return { batch, ledger };
  }

  test('is applied behind the row of another stream that brings the rest [LEDGER-057]', () => {
    const { batch, ledger } = apply([release, change]);
    expect(batch.done).toEqual([change, release]);
    expect([batch.early, batch.stopped]).toEqual([[], []]);
    expect(ledger.stateOf(USER, 'change', USDT).available).toBe(300_000_000n);
  });

  test('waits with the later rows of its stream until that row arrives [LEDGER-057]', () => {
    const { batch, ledger } = apply([release, later]);
    expect([batch.done, batch.early, batch.stopped, batch.journals]).toEqual([[], [release, later], [], []]);
    expect(ledger.stateOf(USER, 'change', USDT).available).toBe(0n);
  });

  test('stops its stream when it may not wait any longer, and changes nothing [LEDGER-057]', () => {
    const { batch, ledger } = apply([release, later], false);
    expect(batch.stopped).toEqual([
      { stream: 'spot.1', number: 3, reason: expect.stringContaining('hold_exceeded') as unknown },
    ]);
    expect([batch.done, batch.early]).toEqual([[], []]);
    expect(ledger.stateOf(USER, 'change', USDT).available).toBe(0n);
  });
});

describe('a transfer of a house account to another partition', () => {
  const [PARTITION, HOUSE] = [0, -1];
  const KEPT = 500_000_000n;
  /** Applies a transfer to a partition that has so many units, and keeps 5 for a payment. @returns what is left. */
  function leftAfter(units: bigint, amount: string): bigint {
    const ledger = new HotLedger({ partition: PARTITION, ownsUser: () => true, limitOf: () => 10n ** 28n });
    const fees = { owner: HOUSE, account: 'h.fees', currency: USDT };
    ledger.loadAccount({ ...fees, available: units, held: 0n, availableSequence: 0, heldSequence: 0 });
    const transfer = LedgerCommandV1.encode({
      commandId: 'house_purse:h.fees:3:0-1:7',
      issuer: 'house-purses',
      userId: 1,
      onBehalfOf: null,
      answer: { type: 'ok' },
      journals: [
        {
          id: 'house_purse:h.fees:3:0-1:7:out',
          causeType: 'house_purse',
          causeId: 'house_purse:h.fees:3:0-1:7',
          legs: [{ from: 'h.fees', to: 'h.clearing', currency: USDT, amount }],
        },
      ],
    });
    const context = { ...CONTEXT, keptUnits: (account: string) => (account === 'h.fees' ? KEPT : 0n) };
    const chain = new JournalChain(PARTITION, { number: 0, hash: '' }, () => 8);
    const batch = new Batch([{ kind: 'command', message: transfer, offset: null }], ledger, chain, context);
    const { accounts } = batch.missing();
    expect(accounts.map(({ account }) => account)).toEqual(['h.clearing']);
    batch.apply(batch.missing(), { at: 1, accounts: [], holds: [], commands: [], secondKeys: [] });
    expect([batch.done.length, batch.defects]).toEqual([1, []]);
    // A transfer that was not made is not remembered: it is made once the money is no longer kept.
    expect(batch.commands.length).toBe(batch.journals.length > 0 ? 1 : 0);
    return ledger.stateOf(HOUSE, 'h.fees', USDT).available;
  }

  test('leaves what its partition keeps for a payment, or is not made [HOUSE-014]', () => {
    expect(leftAfter(800_000_000n, '3')).toBe(KEPT);
    expect(leftAfter(800_000_000n, '3.00000001')).toBe(800_000_000n);
  });

  test('takes a part with which the payment could not be made [HOUSE-014]', () => {
    expect(leftAfter(400_000_000n, '4')).toBe(0n);
  });
});
