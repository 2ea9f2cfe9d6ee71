import { useTranslation } from 'react-i18next';
import { cx, Num } from '@bourse/ui';
import { useBoard } from '../api/lever.js';
import { Signed } from './signed.js';

/** Positions that must close too, because what closes loses more than there is. */
export function CoverList({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation();
  const { board } = useBoard('open');
  return (
    <div className="grid gap-2 text-table">
      <p>{t('lever.coverText')}</p>
      <ul className="grid gap-1">
        {ids.map((id) => {
          const row = board?.rows.find((one) => one.id === id);
          return (
            <li key={id} className="flex justify-between gap-2">
              {row ? (
                <>
                  <span>
                    <Num>{`${row.symbol} ${row.multiple}×`}</Num>{' '}
                    <span className={cx(row.type === 1 ? 'text-up' : 'text-down')}>
                      {t(row.type === 1 ? 'lever.long' : 'lever.short')}
                    </span>
                  </span>
                  <Signed>{row.profits}</Signed>
                </>
              ) : (
                <Num>{id}</Num>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
