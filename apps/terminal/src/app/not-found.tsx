import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { hasScreen } from '../paths.js';

export function NotFound() {
  const { t } = useTranslation();
  const title = t('notFound.title');
  useEffect(() => {
    document.title = `${title} · Bourse`;
  }, [title]);
  return (
    <div className="mx-auto flex max-w-xl flex-col items-start gap-4 p-8">
      <h1 className="text-title font-semibold">{title}</h1>
      <p className="text-t2">{t('notFound.text')}</p>
      <Link to={hasScreen('/') ? '/' : '/dealCenter'} className="text-accent underline">
        {t('notFound.back')}
      </Link>
    </div>
  );
}
