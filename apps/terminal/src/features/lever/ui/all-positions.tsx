import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Panel } from '@bourse/ui';
import { useBoard, useLeverPushes } from '../api/lever.js';
import { CloseAll } from './close-all.js';
import { OpenPositions } from './position-tables.js';
import { Signed } from './signed.js';

/** All positions of all pairs, their total profit, and the ways to close them together (api §5). */
export default function AllPositions() {
  const { t } = useTranslation();
  useLeverPushes();
  const open = useBoard('open');
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-last font-semibold">{t('nav.allPositions')}</h1>
        <Link className="text-table text-t2 underline hover:text-t1" to="/leverList">
          {t('nav.leverList')}
        </Link>
      </div>
      <Panel className="flex min-h-80 flex-col overflow-hidden">
        <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2 text-table">
          <span className="flex flex-col">
            <span className="text-label text-t2">{t('lever.profitTotal')}</span>
            <Signed unit="USDT">{open.board?.profits_total ?? '0'}</Signed>
          </span>
          <CloseAll rows={open.board?.rows} />
        </div>
        <OpenPositions list={open} />
      </Panel>
    </div>
  );
}
