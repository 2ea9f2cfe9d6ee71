import { describe, expect, test } from '@jest/globals';
import { NO_PHOTO, storedPhoto } from '../../../parts/photo.js';
import { complaintProblems, kindOf, sentImages, sentText } from './complaint.js';

describe('a complaint that is written [COMPLAINT-020]', () => {
  test('names its kind by the address it was begun at', () => {
    expect([kindOf('deposit'), kindOf('weather'), kindOf(null)]).toEqual(['deposit', 'other', 'other']);
  });

  test('is sent without line breaks and with the pictures that have arrived', () => {
    expect(sentText(' one\n two\t three ')).toBe('one two three');
    expect(sentImages([storedPhoto('/a'), NO_PHOTO, storedPhoto('/b')])).toEqual({ images: '/a,/b' });
    expect(sentImages([NO_PHOTO])).toEqual({});
  });

  test('needs a subject and words, and waits for its pictures', () => {
    const sending = { state: 'sending', preview: 'x', percent: 3 } as const;
    expect(complaintProblems({ subject: ' ', text: '\n', photos: [sending] })).toEqual({
      subject: 'complaint.subjectRequired',
      text: 'complaint.textRequired',
      photos: 'photo.wait',
    });
    expect(complaintProblems({ text: 'words', photos: [NO_PHOTO] })).toEqual({});
  });
});
