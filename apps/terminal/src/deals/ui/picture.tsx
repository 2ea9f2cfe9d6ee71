import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from '@bourse/ui';

const nameOf = (address: string): string => address.split('?')[0] ?? '';

/**
 * A picture that only some may see: its address is signed again in each answer. What is shown stays as it is while the
 * picture is the same one; the link to it is the newest.
 */
export function SignedPicture({ src, alt, className }: { src: string; alt: string; className?: string }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(src);
  const [failed, setFailed] = useState('');
  if (nameOf(shown) !== nameOf(src)) setShown(src);
  if (failed === src)
    return <p className="grid h-40 place-items-center p-4 text-table text-t2">{t('chat.pictureFailed')}</p>;
  return (
    <a
      href={src}
      target="_blank"
      rel="noreferrer noopener"
      aria-label={`${alt}: ${t('deals.openPicture')}`}
      className="block w-fit max-w-full rounded-panel"
    >
      <img
        src={shown}
        alt=""
        onError={() => (shown === src ? setFailed(src) : setShown(src))}
        className={cx('max-w-full rounded-panel object-contain', className)}
      />
    </a>
  );
}
