import { ExternalLink, RotateCcw, RotateCw, Undo2, ZoomIn, ZoomOut } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from '@bourse/ui';
import { viewAfter, WHOLE, type PictureAct, type PictureView } from './picture-view.js';

export interface PictureProps {
  /** Signed address, good for five minutes; empty: there is no picture. */
  readonly src: string;
  readonly label: string;
  /** The view, if the parent keeps it, which also handles keys. */
  readonly view?: PictureView;
  readonly onAct?: (act: PictureAct) => void;
  readonly className?: string;
}

/** Pictures come from the exchange, also where the console has an origin of its own. */
export const addressOfPicture = (src: string): string => (src.startsWith('/') ? `${__EXCHANGE__}${src}` : src);

const ACTS = [
  { act: 'farther', text: 'console.picture.farther', icon: ZoomOut },
  { act: 'nearer', text: 'console.picture.nearer', icon: ZoomIn },
  { act: 'left', text: 'console.picture.left', icon: RotateCcw },
  { act: 'right', text: 'console.picture.right', icon: RotateCw },
  { act: 'whole', text: 'console.picture.whole', icon: Undo2 },
] as const;

/** A private picture with zoom, rotation and scroll bars, and a link that opens it on its own page. */
export function Picture({ src, label, view, onAct, className }: PictureProps) {
  const { t } = useTranslation();
  const [own, setOwn] = useState(WHOLE);
  const { zoom, turn } = view ?? own;
  const press = onAct ?? ((act: PictureAct): void => setOwn((before) => viewAfter(before, act)));
  return (
    <figure className={cx('flex min-w-0 flex-col gap-1', className)}>
      <figcaption className="flex flex-wrap items-center justify-between gap-1">
        <span className="text-table text-t2">{label}</span>
        {src !== '' && (
          <span className="flex" role="group" aria-label={label}>
            {ACTS.map(({ act, text, icon: Icon }) => (
              <PictureButton key={act} text={t(text)} onPress={() => press(act)}>
                <Icon size={14} aria-hidden />
              </PictureButton>
            ))}
            <a
              href={addressOfPicture(src)}
              target="_blank"
              rel="noreferrer noopener"
              aria-label={t('console.picture.alone')}
              title={t('console.picture.alone')}
              className="inline-grid size-7 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1"
            >
              <ExternalLink size={14} aria-hidden />
            </a>
          </span>
        )}
      </figcaption>
      {src === '' ? (
        <p className="grid aspect-square place-items-center rounded-panel border border-dashed border-line text-t2">
          {t('console.picture.none')}
        </p>
      ) : (
        <Frame key={src} src={addressOfPicture(src)} label={label} zoom={zoom} turn={turn} />
      )}
    </figure>
  );
}

/** A square, so that a turned picture has the room it had before. */
function Frame({ src, label, zoom, turn }: { src: string; label: string } & PictureView) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);
  const size = `${zoom}%`;
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className="aspect-square overflow-auto overscroll-contain rounded-panel border border-line bg-bg2"
    >
      {failed ? (
        <p className="grid size-full place-items-center p-4 text-center text-table text-t2">
          {t('console.picture.failed')}
        </p>
      ) : (
        <img
          src={src}
          alt={label}
          data-zoom={zoom}
          data-turn={turn}
          onError={() => setFailed(true)}
          className="max-w-none object-contain"
          style={{ inlineSize: size, blockSize: size, transform: `rotate(${turn}deg)` }}
        />
      )}
    </div>
  );
}

function PictureButton({ text, onPress, children }: { text: string; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={text}
      title={text}
      onClick={onPress}
      className="inline-grid size-7 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1"
    >
      {children}
    </button>
  );
}
