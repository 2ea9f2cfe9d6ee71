import { describe, expect, test } from '@jest/globals';
import { afterDecision, chosenOf, neighbourOf } from './queue.js';

const rows = [{ user_id: 7 }, { user_id: 8 }, { user_id: 9 }];

describe('the queue of papers', () => {
  test('shows the case of the address, or the first [CONSOLE-111]', () => {
    expect(chosenOf(rows, 8)).toEqual({ user_id: 8 });
    expect(chosenOf(rows, 1)).toEqual({ user_id: 7 });
    expect(chosenOf(rows, undefined)).toEqual({ user_id: 7 });
    expect(chosenOf([], 8)).toBeUndefined();
  });

  test('moves up and down and stops at its ends [CONSOLE-111]', () => {
    expect(neighbourOf(rows, 7, 1)).toBe(8);
    expect(neighbourOf(rows, 9, 1)).toBe(9);
    expect(neighbourOf(rows, 7, -1)).toBe(7);
    expect(neighbourOf(rows, undefined, 1)).toBe(7);
    expect(neighbourOf([], 7, 1)).toBeUndefined();
  });

  test('opens the next case after a decision, and the last remaining one at the end [CONSOLE-111]', () => {
    expect(afterDecision(rows, 7)).toBe(8);
    expect(afterDecision(rows, 9)).toBe(8);
    expect(afterDecision([{ user_id: 7 }], 7)).toBeUndefined();
  });
});
