import type { Problems } from '../../forms/problems.js';
import type { Photo } from '../../parts/photo.js';

/** As long as a reason must and may be, and as many pictures as come with it (api §2.7). */
export const REASON_LENGTH = { min: 10, max: 1_000 } as const;
export const EVIDENCE_MAX = 6;

/** Faults of the form that opens an appeal. */
export function appealProblems({
  reason,
  photos,
}: {
  reason: string;
  photos: readonly Photo[];
}): Problems<'reason' | 'photos'> {
  return {
    ...([...reason.trim()].length < REASON_LENGTH.min ? { reason: 'deals.problem.reason' } : {}),
    ...(photos.some(({ state }) => state === 'sending') ? { photos: 'photo.wait' } : {}),
  };
}

/** Faults of the form that brings one more piece: words or a picture there must be. */
export function evidenceProblems({ text, photo }: { text: string; photo: Photo }): Problems<'text' | 'photo'> {
  if (photo.state === 'sending') return { photo: 'photo.wait' };
  return text.trim() === '' && photo.state === 'none' ? { text: 'deals.problem.evidence' } : {};
}
