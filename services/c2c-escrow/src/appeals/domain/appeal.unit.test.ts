import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  openAfterAnswer,
  checkEvidence,
  isOverdue,
  needsTwoOperators,
  newAppeal,
  PICTURES_MAX,
  PIECES_MAX,
  applyRuling,
  withdrawAppeal,
  type Appeal,
  type AppealSide,
  type Ruling,
} from './appeal.js';

const open: Appeal = newAppeal(
  { id: '9', dealId: '7', openedBy: 'buyer', reason: 'paid, nothing came', openedAt: 100, due: 500, withEscrow: true },
  'open',
);
const ruling: Ruling = {
  outcome: 'buyer',
  operatorId: 1,
  words: 'the bank says so',
  needsTwo: false,
  isSecond: false,
  now: 300,
};

describe('taking back', () => {
  test('only the opener withdraws an appeal, once; nobody withdraws one of the system [APPEAL-001]', () => {
    expect(withdrawAppeal(open, 'buyer', 200)).toMatchObject({ state: 'withdrawn', endedAt: 200 });
    expect(withdrawAppeal(open, 'seller', 200)).toBe('c2c.state');
    expect(withdrawAppeal({ ...open, openedBy: 'system' }, 'buyer', 200)).toBe('c2c.state');
    expect(withdrawAppeal({ ...open, state: 'withdrawn' }, 'buyer', 200)).toBe('c2c.state');
  });

  test('nobody withdraws an appeal while a proposed decision waits [APPEAL-001]', () => {
    const proposed = { ...open, proposal: { outcome: 'seller' as const, operatorId: 1, at: 150 } };
    for (const side of ['buyer', 'seller'] as const) expect(withdrawAppeal(proposed, side, 200)).toBe('c2c.state');
  });
});

describe('evidence', () => {
  test('is accepted while the appeal is open, up to the limit of a side [APPEAL-002]', () => {
    expect(checkEvidence(open, { pieces: 0, pictures: 0 }, true)).toBe('ok');
    expect(checkEvidence({ ...open, state: 'buyer' }, { pieces: 0, pictures: 0 }, false)).toBe('c2c.state');
    expect(checkEvidence({ ...open, state: 'waiting' }, { pieces: 0, pictures: 0 }, false)).toBe('c2c.state');
    expect(checkEvidence(open, { pieces: PIECES_MAX, pictures: 0 }, false)).toBe('c2c.evidenceMax');
    expect(checkEvidence(open, { pieces: PIECES_MAX - 1, pictures: PICTURES_MAX }, false)).toBe('ok');
    expect(checkEvidence(open, { pieces: PICTURES_MAX, pictures: PICTURES_MAX }, true)).toBe('c2c.evidenceMax');
  });
});

describe('deciding', () => {
  test('one operator decides when one is enough, and only once [APPEAL-003]', () => {
    const first = applyRuling(open, ruling);
    expect(first).toMatchObject({
      is: 'decided',
      appeal: { state: 'buyer', endedAt: 300, decidedBy: 1, decision: 'the bank says so' },
    });
    if (first.is === 'refused') throw new Error('it was refused');
    expect(applyRuling(first.appeal, { ...ruling, outcome: 'seller' })).toEqual({ is: 'refused', key: 'c2c.state' });
  });

  test('the first operator proposes and a second one decides when two must agree [APPEAL-004]', () => {
    const large = { ...ruling, needsTwo: true };
    const first = applyRuling(open, large);
    expect(first).toMatchObject({ is: 'proposed', appeal: { state: 'open', proposal: { outcome: 'buyer' } } });
    if (first.is !== 'proposed') throw new Error('it is no proposal');
    expect(applyRuling(first.appeal, large)).toEqual({ is: 'refused', key: 'admin.samePerson' });
    expect(applyRuling(first.appeal, { ...large, operatorId: 2, isSecond: true })).toMatchObject({
      is: 'decided',
      appeal: { state: 'buyer', decidedBy: 2, proposal: null },
    });
  });

  test('a different ruling of the second operator is a new proposal [APPEAL-004]', () => {
    const large = { ...ruling, needsTwo: true };
    const first = applyRuling(open, large);
    if (first.is !== 'proposed') throw new Error('it is no proposal');
    const other = applyRuling(first.appeal, { ...large, outcome: 'seller', operatorId: 2, isSecond: true });
    expect(other).toMatchObject({ is: 'proposed', appeal: { proposal: { outcome: 'seller', operatorId: 2 } } });
  });

  test('no sequence of calls by one operator decides an appeal that needs two [APPEAL-004]', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<AppealSide>('buyer', 'seller'), { maxLength: 12 }), (outcomes) => {
        let appeal = open;
        for (const outcome of outcomes) {
          const isSecond = appeal.proposal !== null && appeal.proposal.operatorId !== 1;
          const next = applyRuling(appeal, { ...ruling, outcome, needsTwo: true, isSecond });
          expect(next.is).not.toBe('decided');
          if (next.is === 'proposed') appeal = next.appeal;
        }
      }),
    );
  });

  test('two operators must agree above the amount, and for every coin other than USDT [APPEAL-005]', () => {
    const stake = { currencyName: 'USDT', number: 1_000n, withEscrow: true };
    expect(needsTwoOperators(stake, 1_000n)).toBe(false);
    expect(needsTwoOperators({ ...stake, number: 1_001n }, 1_000n)).toBe(true);
    expect(needsTwoOperators({ ...stake, currencyName: 'BTC', number: 1n }, 1_000n)).toBe(true);
    // A record pays nobody.
    expect(needsTwoOperators({ ...stake, number: 1_001n, withEscrow: false }, 1_000n)).toBe(false);
  });
});

describe('time', () => {
  test('an open appeal is overdue from its due time on, a decided one never [APPEAL-006]', () => {
    expect(isOverdue(open, 499)).toBe(false);
    expect(isOverdue(open, 500)).toBe(true);
    expect(isOverdue({ ...open, state: 'seller' }, 900)).toBe(false);
  });

  test('a waiting appeal opens once, with or without escrow as the ledger answers [APPEAL-007]', () => {
    const waiting = newAppeal({ ...open, withEscrow: false }, 'waiting');
    expect(openAfterAnswer(waiting, true)).toMatchObject({ state: 'open', withEscrow: true });
    expect(openAfterAnswer(waiting, false)).toMatchObject({ state: 'open', withEscrow: false });
    expect(() => openAfterAnswer(open, true)).toThrow('invariant');
  });
});
