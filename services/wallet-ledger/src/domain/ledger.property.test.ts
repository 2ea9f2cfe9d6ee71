import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { accountKey, holdKey, type AccountState, type HoldState, type Posting } from './journal.js';
import { HotLedger } from './hot-ledger.js';
import { imageOf, postings, territory } from './ledger-suite.js';
import { PlainLedger } from './plain-ledger.js';

function load(ledger: HotLedger, { journals }: Posting): void {
  for (const { from, to, currency } of journals.flatMap(({ legs }) => legs)) {
    for (const { owner, account, hold } of [from, to]) {
      if (!ledger.knowsAccount(accountKey(owner, account, currency))) ledger.loadAccount({ owner, account, currency, available: 0n, held: 0n, availableSequence: 0, heldSequence: 0 });
      if (hold !== null && !ledger.knowsHold(`${accountKey(owner, account, currency)}#${hold}`)) ledger.loadHold({ owner, account, currency, hold, remaining: 0n, causeType: '', causeId: '' });
    }
  }
}

test.each([1, 3])('the ledger in memory decides as the plain one does, step by step, with %i partitions [LEDGER-012]', (partitions) => {
  fc.assert(fc.property(fc.array(fc.tuple(postings(0, partitions), fc.boolean()), { maxLength: 40 }), (steps) => {
    const plain = new PlainLedger(territory(0, partitions));
    const hot = new HotLedger(territory(0, partitions));
    for (const [posting, saves] of steps) {
      load(hot, posting);
      expect(hot.post(posting)).toEqual(plain.post(posting));
      if (saves) { hot.stage(); hot.settle(); }
    }
    expect(imageOf(hot)).toEqual(imageOf(plain));
  }));
});

test('what is rolled back to a mark leaves no trace and nothing to save [LEDGER-013]', () => {
  fc.assert(fc.property(fc.array(postings(0, 1), { maxLength: 15 }), fc.array(postings(0, 1), { maxLength: 15 }), (kept, undone) => {
    const ledger = new HotLedger(territory(0, 1));
    for (const posting of kept) {
      load(ledger, posting);
      ledger.post(posting);
    }
    ledger.stage();
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
  }));
});

test.each([1, 3])('the ledger in memory that is saved one batch late decides as the plain one does, with %i partitions [LEDGER-037]', (partitions) => {
  fc.assert(fc.property(fc.array(fc.array(postings(0, partitions), { maxLength: 6 }), { maxLength: 12 }), (batches) => {
    const plain = new PlainLedger(territory(0, partitions));
    const hot = new HotLedger(territory(0, partitions));
    // What is durable: without the batch that is on its way.
    const accounts = new Map<string, AccountState>();
    const holds = new Map<string, HoldState>();
    const onTheWay: { accounts: AccountState[]; holds: HoldState[] }[] = [];
    const commit = (): void => {
      const saved = onTheWay.shift();
      for (const state of saved?.accounts ?? []) accounts.set(accountKey(state.owner, state.account, state.currency), state);
      for (const state of saved?.holds ?? []) {
        const key = holdKey(state.owner, state.account, state.currency, state.hold);
        if (state.remaining === 0n) holds.delete(key); else holds.set(key, state);
      }
      hot.settle();
    };
    for (const batch of batches) {
      for (const { journals } of batch) {
        for (const { from, to, currency } of journals.flatMap(({ legs }) => legs)) {
          for (const { owner, account, hold } of [from, to]) {
            const key = accountKey(owner, account, currency);
            if (!hot.knowsAccount(key)) hot.loadAccount(accounts.get(key) ?? { owner, account, currency, available: 0n, held: 0n, availableSequence: 0, heldSequence: 0 });
            if (hold === null) continue;
            const name = holdKey(owner, account, currency, hold);
            if (!hot.knowsHold(name)) hot.loadHold(holds.get(name) ?? { owner, account, currency, hold, remaining: 0n, causeType: '', causeId: '' });
          }
        }
      }
      for (const posting of batch) expect(hot.post(posting)).toEqual(plain.post(posting));
      const changed = hot.stage();
      onTheWay.push({ accounts: changed.accounts.map((state) => ({ ...state })), holds: changed.holds.map((state) => ({ ...state })) });
      if (onTheWay.length === 2) commit();
    }
    while (onTheWay.length > 0) commit();
    expect(imageOf(hot)).toEqual(imageOf(plain));
    expect(imageOf({ accounts: () => accounts.values(), holds: () => holds.values() } as unknown as PlainLedger)).toEqual(imageOf(plain));
  }));
});
