import { describe, expect, test } from '@jest/globals';
import {
  fileProblem,
  NO_PHOTO,
  PHOTO_BYTES_MAX,
  photoAfter,
  photoProblem,
  photoUrl,
  storedPhoto,
  type Photo,
  type PhotoEvent,
} from './photo.js';

const after = (...events: PhotoEvent[]): Photo => events.reduce(photoAfter, NO_PHOTO);
const chosen: PhotoEvent = { type: 'chosen', preview: 'blob:1' };

describe('a photo on its way', () => {
  test('only accepted files are sent [ACCOUNTVIEW-010]', () => {
    expect(fileProblem({ type: 'image/png', size: PHOTO_BYTES_MAX })).toBeUndefined();
    expect(fileProblem({ type: 'image/png', size: PHOTO_BYTES_MAX + 1 })).toBe('upload.size');
    for (const type of ['image/heic', 'application/pdf', 'image/svg+xml', ''])
      expect(fileProblem({ type, size: 10 })).toBe('upload.type');
  });

  test('shows its progress, which never goes back, until it is stored [ACCOUNTVIEW-011]', () => {
    expect(after(chosen, { type: 'progress', share: 0.5 }, { type: 'progress', share: 0.25 })).toEqual({
      state: 'sending',
      preview: 'blob:1',
      percent: 50,
    });
    expect(after(chosen, { type: 'progress', share: 2 })).toMatchObject({ percent: 100 });
    expect(after(chosen, { type: 'stored', url: '/api/upload/x' })).toEqual({
      state: 'there',
      preview: 'blob:1',
      url: '/api/upload/x',
    });
  });

  test('a late answer changes nothing: after a refusal, after a removal [ACCOUNTVIEW-012]', () => {
    expect(
      after(
        chosen,
        { type: 'refused', problem: 'too large' },
        { type: 'progress', share: 1 },
        { type: 'stored', url: '/u' },
      ),
    ).toEqual({ state: 'none', problem: 'too large' });
    expect(after(chosen, { type: 'removed' }, { type: 'stored', url: '/u' })).toEqual(NO_PHOTO);
  });

  test('a form sends its address only once it is stored, and waits for one on its way [ACCOUNTVIEW-013]', () => {
    const sending = after(chosen);
    expect([
      photoProblem(NO_PHOTO, 'missing'),
      photoProblem(sending, 'missing'),
      photoProblem(storedPhoto('/u'), 'missing'),
    ]).toEqual(['missing', 'photo.wait', undefined]);
    expect([photoUrl(NO_PHOTO), photoUrl(sending), photoUrl(storedPhoto('/u')), storedPhoto('')]).toEqual([
      '',
      '',
      '/u',
      NO_PHOTO,
    ]);
  });
});
