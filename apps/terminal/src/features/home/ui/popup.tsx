import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { News } from '@bourse/contract';
import { Button, CloseButton, cx } from '@bourse/ui';
import { LinkButton } from '../../../parts/link-button.js';
import { NewsContent } from '../../../parts/news-content.js';
import { newsText } from '../../../parts/news-text.js';
import { slideTarget } from '../model/carousel.js';

/** Between the popup and what has the focus above it. */
const GAP_PX = 16;

/**
 * One item with its whole body and its picture. It appears in the lower corner and neither takes the focus nor blocks
 * the page: a dialog over the page would be closed unread. Escape closes it while the focus is inside. What takes the
 * focus behind it by a key is scrolled above it (WCAG 2.4.11).
 */
export default function Popup({ item, onClose }: { item: News; onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const target = slideTarget(item);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const popup = box.current;
    if (!popup) return undefined;
    const uncover = (focused: unknown): void => {
      if (!(focused instanceof Element) || popup.contains(focused) || !focused.matches(':focus-visible')) return;
      const [behind, cover] = [focused.getBoundingClientRect(), popup.getBoundingClientRect()];
      const isBeside = behind.right <= cover.left || behind.left >= cover.right;
      if (!isBeside && behind.bottom > cover.top && behind.top < cover.bottom)
        window.scrollBy(0, behind.bottom - cover.top + GAP_PX);
    };
    const onFocus = ({ target: focused }: FocusEvent): void => uncover(focused);
    // The end of the page can be scrolled above it too.
    document.body.style.paddingBottom = `${popup.offsetHeight + 2 * GAP_PX}px`;
    uncover(document.activeElement);
    document.addEventListener('focusin', onFocus);
    return () => {
      document.body.style.paddingBottom = '';
      document.removeEventListener('focusin', onFocus);
    };
  }, []);
  return (
    <>
      <p role="status" className="sr-only" {...newsText(item)}>
        {item.title}
      </p>
      <div
        ref={box}
        role="dialog"
        aria-modal="false"
        aria-labelledby={id}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onClose();
        }}
        className={cx(
          'fixed end-4 bottom-4 z-20 flex max-h-[min(60dvh,32rem)] w-[min(26rem,calc(100vw-2rem))] flex-col',
          'overflow-hidden rounded-dialog border border-line-strong bg-bg1 shadow-lg max-md:bottom-16',
        )}
      >
        <div className="flex items-start justify-between gap-4 border-b border-line p-4">
          <h2 id={id} className="text-title font-semibold" {...newsText(item)}>
            {item.title}
          </h2>
          <CloseButton label={t('home.close')} onClick={onClose} large />
        </div>
        <div tabIndex={0} role="group" aria-labelledby={id} className="flex min-h-0 flex-col gap-3 overflow-auto p-4">
          {item.cover !== '' && <img src={item.cover} alt="" className="max-h-48 w-full rounded-panel object-cover" />}
          <NewsContent html={item.content} {...newsText(item)} className="prose-news flex flex-col gap-3 text-body" />
        </div>
        <div className="flex justify-end gap-2 border-t border-line p-3">
          {target.kind === 'page' && <LinkButton to={target.to}>{t('home.goThere')}</LinkButton>}
          {target.kind === 'site' && (
            <a href={target.href} target="_blank" rel="noreferrer noopener" className="self-center underline">
              {t('home.readMore')}
            </a>
          )}
          <Button kind="primary" onClick={onClose}>
            {t('home.gotIt')}
          </Button>
        </div>
      </div>
    </>
  );
}
