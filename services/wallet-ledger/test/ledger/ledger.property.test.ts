import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { accountKey, type Posting } from '../../src/ledger/domain/journal.js';
import { HotLedger } from '../../src/ledger/domain/hot-ledger.js';
import { imageOf, postings, scope } from './ledger-suite.js';
import { PlainLedger } from './plain-ledger.js';

function load(ledger: HotLedger, { journals }: Posting): void {
  for (const { from, to, currency } of journals.flatMap(({ legs }) => legs)) {
    for (const { owner, account, hold } of [from, to]) {
      if (!ledger.knowsAccount(accountKey(owner, account, currency)))
        ledger.loadAccount({
          owner,
          account,
          currency,
          available: 0n,
          held: 0n,
          availableSequence: 0,
          heldSequence: 0,
        });
      if (hold !== null && !ledger.knowsHold(`${accountKey(owner, account, currency)}#${hold}`))
        ledger.loadHold({ owner, account, currency, hold, remaining: 0n, causeType: '', causeId: '' });
    }
  }
}

test.each([1, 3])(
  'the ledger in memory decides as the plain one does, step by step, with %i partitions [LEDGER-012]',
  (partitions) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(postings(0, partitions), fc.boolean()), { maxLength: 40 }), (steps) => {
        const plain = new PlainLedger(scope(0, partitions));
        const hot = new HotLedger(scope(0, partitions));
        for (const [posting, saves] of steps) {
          load(hot, posting);
          expect(hot.post(posting)).toEqual(plain.post(posting));
          if (saves) hot.settle();
        }
        expect(imageOf(hot)).toEqual(imageOf(plain));
      }),
    );
  },
);

test('a rollback to a savepoint leaves no trace and nothing to save [LEDGER-013]', () => {
  fc.assert(
    fc.property(
      fc.array(postings(0, 1), { maxLength: 15 }),
      fc.array(postings(0, 1), { maxLength: 15 }),
      (kept, undone) => {
        const ledger = new HotLedger(scope(0, 1));
        for (const posting of kept) {
          load(ledger, posting);
          ledger.post(posting);
        }
        ledger.settle();
        const before = imageOf(ledger);
        const mark = ledger.mark();
        for (const posting of undone) {
          load(ledger, posting);
          ledger.post(posting);
        }
        ledger.rollBack(mark);
        expect(imageOf(ledger)).toEqual(before);
        expect(ledger.changes()).toEqual({ accounts: [], holds: [] });
      },
    ),
  );
});
