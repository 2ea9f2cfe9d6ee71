import { expect, test } from '@jest/globals';
import { available, held, LedgerCommandV1, type LedgerCommand } from '@bourse/events';
import type { Delivery } from '@bourse/messaging';
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

test('a new command that is given first is not looked up, its account and second key are [LEDGER-056]', () => {
  const missing = missingOf({ isNew: true }, { isFirst: true });
  expect(missing).toMatchObject({ commandIds: [], holds: [], newHolds: [HOLD], secondKeys: [`coid:${USER}:mine`] });
  expect(missing.accounts).toEqual([{ owner: USER, account: 'change', currency: USDT }]);
});

test('a command that may have been carried out before is looked up with its hold [LEDGER-056]', () => {
  for (const missing of [missingOf({ isNew: true }, {}), missingOf({}, { isFirst: true }), missingOf({}, {})])
    expect(missing).toMatchObject({ commandIds: ['c1'], holds: [HOLD], newHolds: [] });
});
