/** The limits of an upload (api §2.11); the server checks pixels. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export const PHOTO_BYTES_MAX = 5 * 1024 * 1024;

/** The problem of a file before it is sent, as a message key. */
export function fileProblem({ type, size }: { readonly type: string; readonly size: number }): string | undefined {
  if (!(PHOTO_TYPES as readonly string[]).includes(type)) return 'upload.type';
  return size > PHOTO_BYTES_MAX ? 'upload.size' : undefined;
}

/** A photo on its way. `preview` is what is shown of it; `url` is what forms send. */
export type Photo =
  | { readonly state: 'none'; readonly problem?: string }
  | { readonly state: 'sending'; readonly preview: string; readonly percent: number }
  | { readonly state: 'there'; readonly preview: string; readonly url: string };
export const NO_PHOTO: Photo = { state: 'none' };

export type PhotoEvent =
  | { readonly type: 'chosen'; readonly preview: string }
  | { readonly type: 'progress'; readonly share: number }
  | { readonly type: 'stored'; readonly url: string }
  /** Text, as it is shown. */
  | { readonly type: 'refused'; readonly problem: string }
  | { readonly type: 'removed' };

/** The way of a photo. What comes after it was removed or refused is late and changes nothing. */
export function photoAfter(photo: Photo, event: PhotoEvent): Photo {
  switch (event.type) {
    case 'chosen':
      return { state: 'sending', preview: event.preview, percent: 0 };
    case 'progress':
      return photo.state === 'sending'
        ? { ...photo, percent: Math.max(photo.percent, Math.min(100, Math.floor(event.share * 100))) }
        : photo;
    case 'stored':
      return photo.state === 'sending' ? { state: 'there', preview: photo.preview, url: event.url } : photo;
    case 'refused':
      return { state: 'none', problem: event.problem };
    case 'removed':
      return NO_PHOTO;
  }
}

/** One that the server already has. */
export const storedPhoto = (url: string): Photo => (url === '' ? NO_PHOTO : { state: 'there', preview: url, url });
export const photoUrl = (photo: Photo): string => (photo.state === 'there' ? photo.url : '');
/** A form waits for a photo that is still being sent. */
export const photoProblem = (photo: Photo, missing: string): string | undefined =>
  photo.state === 'there' ? undefined : photo.state === 'sending' ? 'photo.wait' : missing;
