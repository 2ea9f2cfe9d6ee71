import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { api } from '../../../core/api.js';
import { loadInfo, useSession } from '../../../core/session.js';
import type { PointsAccess } from '../api/points.js';
import { Desk } from './desk.js';

/** How long after a binding the profile is read again. */
const PROFILE_MS = 3_000;
const TERMINAL: PointsAccess = { client: api, session: 'terminal' };

/** Points in the terminal: an exchange asks for the fund password. */
export default function PointsExchange() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const type = useSession((session) => session.info?.type);
  // The profile has a new binding a moment later: read once more, for the menu.
  useEffect(() => {
    if (type !== 0) return undefined;
    const timer = setTimeout(() => {
      loadInfo().catch((error: unknown) => console.warn('profile not read', error));
    }, PROFILE_MS);
    return () => clearTimeout(timer);
  }, [type]);
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
