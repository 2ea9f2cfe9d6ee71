import { useTranslation } from 'react-i18next';
import { NO_NUMBER } from '@bourse/ui';
import { changesOf, unchangedOf } from './diff-model.js';

/** The changes of an act: the old value struck through, the new one beside it. */
export function Diff({ before, after }: { before: unknown; after: unknown }) {
  const { t } = useTranslation();
  const changes = changesOf(before, after);
  const same = unchangedOf(before, after);
  if (changes.length === 0 && same.length === 0) return <>{NO_NUMBER}</>;
  return (
    <dl className="flex flex-col gap-1 text-table">
      {changes.map(({ name, before: was, after: is }) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          {name !== '' && <dt className="text-t2">{name}</dt>}
          <dd className="flex min-w-0 flex-wrap gap-x-2 break-all">
            {was !== undefined && (
              <del>
                <span className="sr-only">{t('diff.before')} </span>
                {was}
              </del>
            )}
            {is !== undefined && (
              <ins className="font-medium no-underline">
                <span className="sr-only">{t('diff.after')} </span>
                {is}
              </ins>
            )}
          </dd>
        </div>
      ))}
      {same.map(([name, value]) => (
        <div key={name} className="flex flex-wrap gap-x-2 text-t2">
          <dt>{name}</dt>
          <dd className="break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
