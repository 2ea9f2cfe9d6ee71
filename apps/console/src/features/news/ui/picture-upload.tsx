import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uploadNewsPicture } from '../api/upload.js';

const TYPES = ['image/jpeg', 'image/png', 'image/webp'];

/** Uploads a picture and passes its address on; it is public once a news item uses it. */
export function PictureUpload({
  label,
  of,
  onStored,
}: {
  label: string;
  /** Heading of the item, for the audit log. */
  of: string;
  onStored: (address: string) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [state, setState] = useState<{ readonly busy: boolean; readonly problem?: string }>({ busy: false });
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setState({ busy: true });
    try {
      onStored(await uploadNewsPicture(file, t('console.news.pictureReason', { title: of.slice(0, 100) })));
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, problem: failure instanceof Error ? failure.message : t('common.loadFailed') });
    }
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-table text-t2">
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={TYPES.join(',')}
        disabled={state.busy}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
        className={
          'max-w-full text-table text-t2 file:me-3 file:h-7 file:rounded-panel file:border ' +
          'file:border-line-strong file:bg-bg2 file:px-2 file:text-t1'
        }
      />
      <p id={`${id}-hint`} className="text-label text-t2" role="status">
        {state.busy ? t('console.news.sending') : t('console.news.pictureHint')}
      </p>
      {state.problem !== undefined && (
        <p role="alert" className="text-table text-down">
          {state.problem}
        </p>
      )}
    </div>
  );
}
