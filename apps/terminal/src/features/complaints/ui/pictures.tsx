import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { NO_PHOTO, type Photo } from '../../../parts/photo.js';
import { PhotoField } from '../../../parts/photo-field.js';
import { PICTURES_MAX } from '../model/complaint.js';

/** Up to four pictures, one more offered when the last one is chosen. */
export function Pictures({
  photos,
  onPhotos,
  error,
}: {
  photos: readonly Photo[];
  onPhotos: (change: (photos: readonly Photo[]) => readonly Photo[]) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const change = (at: number) => (next: (photo: Photo) => Photo) =>
    onPhotos((all) => all.map((photo, place) => (place === at ? next(photo) : photo)));
  const mayAdd = photos.length < PICTURES_MAX && photos.every(({ state }) => state !== 'none');
  return (
    <>
      {photos.length > 0 && (
        <div className="grid grid-cols-1 gap-3 md:grid-cols-2">
          {photos.map((photo, at) => (
            <PhotoField
              key={at}
              label={`${t('complaints.picture')} ${at + 1}`}
              scene="evidence"
              camera
              photo={photo}
              onPhoto={change(at)}
              error={photo.state === 'sending' ? error : undefined}
            />
          ))}
        </div>
      )}
      {mayAdd && (
        <Button className="w-fit" onClick={() => onPhotos((all) => [...all, NO_PHOTO])}>
          {t('complaints.morePictures')}
        </Button>
      )}
    </>
  );
}
