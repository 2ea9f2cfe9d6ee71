import { describe, expect, test } from '@jest/globals';
import { choicesOf, happenings } from './appeal.js';

describe('an appeal before operators', () => {
  test('is one timeline, oldest first, a step before its result [CONSOLE-114]', () => {
    const told = happenings({
      timeline: [
        { time: '2026-01-02 10:00:00', text: 'opened' },
        { time: '2026-01-02 12:00:00', text: 'proposed' },
      ],
      evidence: [
        { by: 'buyer', url: '/a', text: '', time: '2026-01-02 10:00:00' },
        { by: 'seller', url: '', text: 'nothing came', time: '2026-01-02 11:00:00' },
      ],
      notes: [{ time: '2026-01-02 11:30:00', operator_id: 4, text: 'asked the bank' }],
    });
    expect(told.map(({ id }) => id)).toEqual(['step 0', 'evidence 0', 'evidence 1', 'note 0', 'step 1']);
  });

  test('shows its proposal to a second operator while it is open, and makes its proposer wait [CONSOLE-114]', () => {
    expect(choicesOf({ state: 1, proposed: '', proposed_by: 0 }, 2)).toEqual({
      second: '',
      waitsForOther: false,
    });
    expect(choicesOf({ state: 1, proposed: 'buyer', proposed_by: 2 }, 3)).toMatchObject({ second: 'buyer' });
    expect(choicesOf({ state: 1, proposed: 'buyer', proposed_by: 2 }, 2)).toMatchObject({
      second: '',
      waitsForOther: true,
    });
    expect(choicesOf({ state: 2, proposed: '', proposed_by: 0 }, 2)).toEqual({
      second: '',
      waitsForOther: false,
    });
  });
});
