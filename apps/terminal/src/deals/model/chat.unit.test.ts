import { describe, expect, test } from '@jest/globals';
import type { ChatLine } from '@bourse/contract';
import { NO_PHOTO } from '../../parts/photo.js';
import { appealProblems, evidenceProblems } from './appeal.js';
import { firstUnread, inOrder, messageOf } from './chat.js';

const line = (id: number, from: ChatLine['from'], more: Partial<ChatLine> = {}): ChatLine => ({
  id,
  from,
  text: `text ${id}`,
  image: '',
  create_time: '2026-11-23 10:00:00',
  ...more,
});

describe('the conversation of a deal', () => {
  test('lines are in order and once, with the newest address of their picture [TERM-C2C-020]', () => {
    const rows = inOrder([
      line(3, 'buyer'),
      line(2, 'seller', { image: '/u/a?s=old' }),
      line(1, 'system'),
      line(2, 'seller', { image: '/u/a?s=new' }),
    ]);
    expect(rows.map(({ id, image }) => `${id}${image}`)).toEqual(['1', '2/u/a?s=new', '3']);
  });

  test('own, other and the exchange’s lines differ; support is the exchange [TERM-C2C-020]', () => {
    const sides = (['buyer', 'seller', 'support', 'system'] as const).map(
      (from) => messageOf(line(1, from), 'seller').from,
    );
    expect(sides).toEqual(['other', 'own', 'system', 'system']);
    expect(messageOf(line(7, 'buyer', { text: '', image: '/u/a' }), 'seller')).toEqual({
      id: '7',
      from: 'other',
      text: '',
      picture: '/u/a',
      at: Date.UTC(2026, 10, 23, 10),
    });
  });

  test('the mark is above the first line that was not read; own lines do not count [TERM-C2C-021]', () => {
    const lines = [line(1, 'system'), line(2, 'buyer'), line(3, 'seller'), line(4, 'buyer')];
    expect(firstUnread(lines, 'seller', 0)).toBeUndefined();
    expect(firstUnread(lines, 'seller', 1)).toBe('4');
    expect(firstUnread(lines, 'seller', 2)).toBe('2');
    // More were unread than are shown: all of them are new.
    expect(firstUnread(lines, 'seller', 80)).toBe('1');
  });
});

describe('an appeal', () => {
  const there = { state: 'there', preview: 'p', url: 'u' } as const;
  const sending = { state: 'sending', preview: 'p', percent: 3 } as const;

  test('gives a reason of ten characters at least, and waits for its pictures [TERM-C2C-022]', () => {
    expect(appealProblems({ reason: '  too short ', photos: [] })).toEqual({ reason: 'deals.problem.reason' });
    expect(appealProblems({ reason: 'ten chars.', photos: [there, NO_PHOTO] })).toEqual({});
    expect(appealProblems({ reason: 'ten chars.', photos: [there, sending] })).toEqual({ photos: 'photo.wait' });
  });

  test('evidence is words or a picture [TERM-C2C-022]', () => {
    expect(evidenceProblems({ text: ' ', photo: NO_PHOTO })).toEqual({ text: 'deals.problem.evidence' });
    expect(evidenceProblems({ text: 'seen', photo: NO_PHOTO })).toEqual({});
    expect(evidenceProblems({ text: '', photo: there })).toEqual({});
    expect(evidenceProblems({ text: 'seen', photo: sending })).toEqual({ photo: 'photo.wait' });
  });
});
