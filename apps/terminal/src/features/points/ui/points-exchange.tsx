import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { api } from '../../../core/api.js';
import type { PointsAccess } from '../api/points.js';
import { Desk } from './desk.js';

const TERMINAL: PointsAccess = { client: api, session: 'terminal' };

/** Points in the terminal: an exchange asks for the fund password. */
export default function PointsExchange() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h1 className="text-last font-semibold">{t('nav.points')}</h1>
        <Link to="/bindInfo" className="text-table text-t2 underline hover:text-t1">
          {t('points.bindTitle')}
        </Link>
      </div>
      <Desk access={TERMINAL} onBind={() => void navigate('/bindInfo')} />
    </div>
  );
}
