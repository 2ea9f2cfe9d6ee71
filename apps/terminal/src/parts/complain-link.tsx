import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ComplaintKind } from '@bourse/contract';

/** The way to a complaint about one order, deal, deposit or withdrawal; its number is filled in there. */
export function ComplainLink({ kind, about, className }: { kind: ComplaintKind; about: string; className?: string }) {
  const { t } = useTranslation();
  return (
    <Link
      to={`/complaints?${new URLSearchParams({ kind, about }).toString()}`}
      className={className ?? 'text-table text-t2 underline hover:text-t1'}
    >
      {t('complain.link')}
    </Link>
  );
}
