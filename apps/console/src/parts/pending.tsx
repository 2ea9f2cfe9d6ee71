import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { PendingChange } from '@bourse/contract';
import { Badge } from '@bourse/ui';
import { addressOf } from '../paths.js';
import { Diff } from './diff.js';
import { When } from './when.js';

/**
 * A waiting change of a guarded row: the value in force beside the new one, the time from which it holds, and a link to
 * its approval. Empty without a waiting change.
 */
export function Pending({ now, pending }: { now: unknown; pending: PendingChange | null | undefined }) {
  const { t } = useTranslation();
  if (!pending) return null;
  const { value, approval_id: id, in_force_at: from } = pending;
  return (
    <div className="flex flex-col gap-1 text-table">
      <Diff before={now} after={value} />
      <span className="flex flex-wrap items-center gap-x-2 text-t2">
        {from === '' ? (
          t('guarded.unapproved')
        ) : (
          <span>
            {t('guarded.from')} <When time={from} />
          </span>
        )}
        <Link to={addressOf('approvals')} className="underline underline-offset-2">
          {t('guarded.approval', { id })}
        </Link>
      </span>
    </div>
  );
}

/** Marks a row whose changes need a second operator. */
export function GuardedMark({ guarded }: { guarded: 0 | 1 | undefined }) {
  const { t } = useTranslation();
  return guarded === 1 ? <Badge tone="plain">{t('guarded.mark')}</Badge> : null;
}
