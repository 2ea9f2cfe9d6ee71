import { Flag } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ComplaintKind } from '@bourse/contract';

/**
 * The way to a complaint about one order, deal, deposit or withdrawal; its number is filled in there. `compact`: a flag
 * that bears the words, for tables with many columns.
 */
export function ComplainLink({
  kind,
  about,
  compact = false,
}: {
  kind: ComplaintKind;
  about: string;
  compact?: boolean;
}) {
  const { t } = useTranslation();
  const to = `/complaints?${new URLSearchParams({ kind, about }).toString()}`;
  if (compact)
    return (
      <Link
        to={to}
        aria-label={t('complain.link')}
        title={t('complain.link')}
        className="inline-flex size-6 items-center justify-center text-t2 hover:text-t1"
      >
        <Flag aria-hidden className="size-4" />
      </Link>
    );
  return (
    <Link to={to} className="text-table text-t2 underline hover:text-t1">
      {t('complain.link')}
    </Link>
  );
}
