import { Camera, ImagePlus, RotateCcw, X } from 'lucide-react';
import { useEffect, useId, useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, cx, Num } from '@bourse/ui';
import { ApiError } from '../core/api.js';
import { uploadImage, type UploadScene } from '../core/upload.js';
import { fileProblem, photoAfter, PHOTO_TYPES, type Photo, type PhotoEvent } from './photo.js';

export interface PhotoFieldProps {
  label: string;
  hint?: string;
  scene: UploadScene;
  photo: Photo;
  onPhoto: (change: (photo: Photo) => Photo) => void;
  error: string | undefined;
  /** Offers the camera beside the files, where there is one in the hand. */
  camera?: boolean;
}

/** One picture: chosen, dropped or taken, seen at once, sent with a bar that fills, and replaced by another press. */
export function PhotoField({ label, hint, scene, photo, onPhoto, error, camera = false }: PhotoFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(undefined);
  const preview = useRef<string>(undefined);
  const [over, setOver] = useState(false);
  const drop = (): void => {
    running.current?.abort();
    if (preview.current) URL.revokeObjectURL(preview.current);
    preview.current = undefined;
  };
  useEffect(() => drop, []);

  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    drop();
    const wrong = fileProblem(file);
    if (wrong) return onPhoto((before) => photoAfter(before, { type: 'refused', problem: t(wrong) }));
    const mine = new AbortController();
    running.current = mine;
    // A newer choice, or leaving, takes this one out of the picture.
    const dispatch = (event: PhotoEvent): void => {
      if (running.current === mine && !mine.signal.aborted) onPhoto((before) => photoAfter(before, event));
    };
    preview.current = URL.createObjectURL(file);
    dispatch({ type: 'chosen', preview: preview.current });
    try {
      dispatch({
        type: 'stored',
        url: await uploadImage(file, scene, (share) => dispatch({ type: 'progress', share }), mine.signal),
      });
    } catch (failure) {
      dispatch({ type: 'refused', problem: failure instanceof ApiError ? failure.message : t('photo.failed') });
    }
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const remove = (): void => {
    drop();
    onPhoto((before) => photoAfter(before, { type: 'removed' }));
  };
  // A problem of this picture says more than that one is missing.
  const said = (photo.state === 'none' ? photo.problem : undefined) ?? error;
  const choose = (): void => input.current?.click();
  return (
    <div className="flex min-w-0 flex-col gap-1" role="group" aria-labelledby={`${id}-label`}>
      <span id={`${id}-label`} className="text-table text-t2">
        {label}
      </span>
      <input
        ref={input}
        id={id}
        type="file"
        accept={PHOTO_TYPES.join(',')}
        className="sr-only"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={cx(
          'relative flex aspect-[8/5] flex-col items-center justify-center ' +
            'overflow-hidden rounded-panel border border-dashed bg-bg2',
          over ? 'border-accent' : said ? 'border-down' : 'border-line-strong',
        )}
      >
        {photo.state === 'none' ? (
          <button
            type="button"
            onClick={choose}
            aria-describedby={said ? `${id}-error` : undefined}
            className={
              'flex size-full flex-col items-center justify-center gap-2 rounded-panel p-3 ' +
              'text-center text-body text-t2 hover:bg-bg3 hover:text-t1'
            }
          >
            <ImagePlus size={24} aria-hidden />
            <span>
              {t('photo.choose')}
              <span className="sr-only">: {label}</span>
            </span>
            <span className="text-label">{t('photo.rule')}</span>
          </button>
        ) : (
          <img src={photo.preview} alt={t('photo.chosen', { label })} className="size-full object-contain" />
        )}
        {photo.state === 'sending' && (
          <div className="absolute inset-x-0 bottom-0 flex flex-col gap-1 bg-bg1 p-2">
            <div
              role="progressbar"
              aria-label={t('photo.sending', { label })}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={photo.percent}
              className="h-1.5 overflow-hidden rounded-chip bg-bg3"
            >
              <div className="h-full bg-accent" style={{ inlineSize: `${photo.percent}%` }} />
            </div>
            <span className="text-label text-t2">
              {t('photo.sent')} <Num>{photo.percent} %</Num>
            </span>
          </div>
        )}
      </div>
      {photo.state !== 'none' && (
        <div className="flex flex-wrap items-center gap-2">
          <Button size="small" onClick={choose} aria-label={`${t('photo.again')}: ${label}`}>
            <RotateCcw size={14} aria-hidden />
            {t('photo.again')}
          </Button>
          <Button size="small" kind="quiet" onClick={remove} aria-label={`${t('photo.remove')}: ${label}`}>
            <X size={14} aria-hidden />
            {t('photo.remove')}
          </Button>
          {photo.state === 'there' && (
            <span role="status" className="text-table text-up">
              <span aria-hidden>✓ </span>
              {t('photo.there')}
            </span>
          )}
        </div>
      )}
      {camera && photo.state === 'none' && <CameraButton label={label} onFile={(file) => void take(file)} />}
      {hint && <p className="text-label text-t2">{hint}</p>}
      {said && (
        <p id={`${id}-error`} role="alert" className="text-table text-down">
          {said}
        </p>
      )}
    </div>
  );
}

/** Opens the camera of a phone or tablet; a device that points with a mouse has none in the hand. */
function CameraButton({ label, onFile }: { label: string; onFile: (file: File | undefined) => void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="hidden pointer-coarse:block">
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        className="sr-only"
        tabIndex={-1}
        aria-label={`${t('photo.camera')}: ${label}`}
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Button size="main" className="w-full" onClick={() => input.current?.click()}>
        <Camera size={18} aria-hidden />
        {t('photo.camera')}
      </Button>
    </div>
  );
}
