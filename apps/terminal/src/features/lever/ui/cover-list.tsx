import { useTranslation } from 'react-i18next';
import { Num } from '@bourse/ui';
import { useBoard } from '../api/lever.js';
import { Signed } from './signed.js';
import { PositionSide } from './position-side.js';

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
                    <Num>{`${row.symbol} ${row.multiple}×`}</Num> <PositionSide type={row.type} />
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
