import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answered, CLOSED, closed, replied, type Complaint, type ComplaintRules } from './complaint.js';

const DAY = 86_400_000;
const RULES: ComplaintRules = { reopenMs: 14 * DAY, messagesMax: 5 };
const begun: Complaint = {
  ...{ id: 1, userId: 2, lang: 'en', kind: 'deposit', subject: 'Where is it', about: '77', state: 'open' },
  ...{ createdAt: 0, updatedAt: 0, closedAt: null, unread: 0, length: 1 },
};
const now = (decided: Complaint | typeof CLOSED): Complaint => {
  if (decided === CLOSED) throw new Error('refused');
  return decided;
};

describe('a complaint', () => {
  test('waits for support after a reply and for the person after an answer [COMPLAINT-001] [COMPLAINT-002]', () => {
    const told = now(answered(begun, 10));
    expect(told).toMatchObject({ state: 'answered', unread: 1, updatedAt: 10, length: 2 });
    expect(now(answered(told, 11)).unread).toBe(2);
    expect(now(replied(told, 20, RULES))).toMatchObject({ state: 'open', updatedAt: 20, length: 3 });
  });

  test('is closed once, and answered no more [COMPLAINT-002] [COMPLAINT-003]', () => {
    const ended = now(closed(begun, 30));
    expect(ended).toMatchObject({ state: 'closed', closedAt: 30 });
    expect(closed(ended, 31)).toBe(CLOSED);
    expect(answered(ended, 31)).toBe(CLOSED);
  });

  test('opens again by a reply within the days, to the last millisecond [COMPLAINT-001]', () => {
    const ended = now(closed(begun, 100));
    expect(now(replied(ended, 100 + 14 * DAY, RULES))).toMatchObject({ state: 'open', closedAt: null });
    expect(replied(ended, 101 + 14 * DAY, RULES)).toBe(CLOSED);
  });

  test('does not grow without end [COMPLAINT-001]', () => {
    expect(now(replied({ ...begun, length: 4 }, 1, RULES)).length).toBe(5);
    expect(replied({ ...begun, length: 5 }, 1, RULES)).toBe(CLOSED);
  });

  test('is closed exactly while it has a time of its end, whatever happens to it [COMPLAINT-003]', () => {
    const act = fc.constantFrom('reply', 'answer', 'close');
    fc.assert(
      fc.property(fc.array(fc.tuple(act, fc.integer({ min: 0, max: 20 * DAY })), { maxLength: 20 }), (acts) => {
        let [complaint, at] = [begun, 0];
        for (const [what, later] of acts) {
          at += later;
          const next =
            what === 'reply'
              ? replied(complaint, at, RULES)
              : what === 'answer'
                ? answered(complaint, at)
                : closed(complaint, at);
          if (next !== CLOSED) complaint = next;
          expect(complaint.closedAt !== null).toBe(complaint.state === 'closed');
        }
      }),
    );
  });
});
