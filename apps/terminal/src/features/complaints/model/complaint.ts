import { COMPLAINT_KINDS, type ComplaintKind } from '@bourse/contract';
import type { Problems } from '../../../forms/problems.js';
import { photoUrl, type Photo } from '../../../parts/photo.js';

/** Bounds of the contract (api §2.10). */
export const SUBJECT_MAX = 100;
export const TEXT_MAX = 2_000;
export const ABOUT_MAX = 64;
export const PICTURES_MAX = 4;

export interface ComplaintFields {
  readonly kind: ComplaintKind;
  readonly subject: string;
  readonly text: string;
  readonly about?: string;
  readonly images?: string;
}
/** The kind that an address names; `other` without one. */
export const kindOf = (text: string | null): ComplaintKind => COMPLAINT_KINDS.find((kind) => kind === text) ?? 'other';

/** Words as they are sent: the server takes no line breaks. */
export const sentText = (text: string): string => text.replace(/\s+/g, ' ').trim();
/** Addresses of the pictures that have arrived, as they are sent. */
export const sentImages = (photos: readonly Photo[]): { images?: string } => {
  const images = photos.map(photoUrl).filter(Boolean).join(',');
  return images === '' ? {} : { images };
};

/** The missing fields, as message keys in the order of the server. */
export function complaintProblems({
  subject,
  text,
  photos,
}: {
  readonly subject?: string;
  readonly text: string;
  readonly photos: readonly Photo[];
}): Problems<'subject' | 'text' | 'photos'> {
  return {
    ...(subject !== undefined && sentText(subject) === '' ? { subject: 'complaint.subjectRequired' } : {}),
    ...(sentText(text) === '' ? { text: 'complaint.textRequired' } : {}),
    ...(photos.some(({ state }) => state === 'sending') ? { photos: 'photo.wait' } : {}),
  };
}
