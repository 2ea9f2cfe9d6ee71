import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { Num } from '@bourse/ui';
import { setTitle } from '../core/notifications/title-badge.js';
import { LinkButton } from '../parts/link-button.js';
import { hasScreen } from '../paths.js';

/** Ways on from nowhere. */
const WAYS = [
  { to: '/', text: 'notFound.back', kind: 'primary' },
  { to: '/allmarket', text: 'nav.markets', kind: 'secondary' },
  { to: '/help', text: 'nav.help', kind: 'secondary' },
] as const;

/** An address without a screen; the gateway answered it with 404. */
export default function NotFound() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const title = t('notFound.title');
  useEffect(() => {
    setTitle(title);
  }, [title]);
  return (
    <div className="mx-auto flex max-w-xl flex-col items-start gap-4 px-4 py-16">
      <p className="text-balance font-semibold text-t2" aria-hidden>
        404
      </p>
      <h1 className="text-last font-semibold">{title}</h1>
      <p className="text-t2">{t('notFound.text')}</p>
      <Num className="max-w-full rounded-chip bg-bg2 px-2 py-1 text-table break-all">{pathname}</Num>
      <div className="flex flex-wrap gap-2">
        {WAYS.filter(({ to }) => hasScreen(to)).map(({ to, text, kind }) => (
          <LinkButton key={to} to={to} kind={kind}>
            {t(text)}
          </LinkButton>
        ))}
      </div>
    </div>
  );
}
