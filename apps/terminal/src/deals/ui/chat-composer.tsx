import { Camera, ImagePlus, SendHorizontal } from 'lucide-react';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { PHOTO_TYPES } from '../../parts/photo.js';

/** As long as a line may be (api §2.7). */
const TEXT_MAX = 1_000;

/** The input of the chat: a text, a picture from the files, or one from the camera. */
export function ChatComposer({
  onText,
  onPicture,
}: {
  onText: (text: string) => void;
  onPicture: (file: File) => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const send = (): void => {
    if (text.trim() === '') return;
    onText(text.trim());
    setText('');
  };
  const onKey = (event: KeyboardEvent): void => {
    // While a word is being composed, Enter ends the word. On a phone it begins a line.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    if (matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    send();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={onSubmit} className="flex items-end gap-2 border-t border-line p-3">
      <PictureButton label={t('deals.sendPicture')} onFile={onPicture} />
      <PictureButton label={t('photo.camera')} onFile={onPicture} camera />
      <textarea
        aria-label={t('deals.message')}
        placeholder={t('deals.message')}
        value={text}
        rows={1}
        maxLength={TEXT_MAX}
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
        className={
          'field-sizing-content max-h-32 min-h-11 min-w-0 flex-1 resize-none rounded-panel border border-line-strong ' +
          'bg-bg2 px-3 py-2.5 text-body text-t1 placeholder:text-t2'
        }
      />
      <Button kind="primary" size="main" type="submit" aria-label={t('deals.send')} className="w-11 shrink-0 !px-0">
        <SendHorizontal size={18} aria-hidden className="rtl:-scale-x-100" />
      </Button>
    </form>
  );
}

function PictureButton({
  label,
  onFile,
  camera = false,
}: {
  label: string;
  onFile: (file: File) => void;
  camera?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className={camera ? 'hidden pointer-coarse:block' : undefined}>
      <input
        ref={input}
        type="file"
        accept={camera ? 'image/*' : PHOTO_TYPES.join(',')}
        {...(camera ? { capture: 'environment' as const } : {})}
        className="sr-only"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
      <Button
        size="main"
        aria-label={label}
        title={label}
        className="w-11 shrink-0 !px-0"
        onClick={() => input.current?.click()}
      >
        {camera ? <Camera size={18} aria-hidden /> : <ImagePlus size={18} aria-hidden />}
      </Button>
    </span>
  );
}
