import { CandlestickChart, Handshake, House, LineChart, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { cx } from '@bourse/ui';
import { PHONE_LINKS, shown } from './nav.js';
import { useViewer } from './use-viewer.js';

const ICONS: Record<string, typeof House> = {
  '/': House,
  '/allmarket': LineChart,
  '/dealCenter': CandlestickChart,
  '/c2cTrade': Handshake,
  '/finance': Wallet,
};

/** Navigation of phones, within reach of the thumb. */
export function BottomNav() {
  const { t } = useTranslation();
  const viewer = useViewer();
  return (
    <nav
      aria-label={t('nav.main')}
      className="sticky bottom-0 z-30 flex border-t border-line bg-bg1 pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {shown(PHONE_LINKS, viewer).map(({ path, text }) => {
        const Icon = ICONS[path] ?? House;
        return (
          <NavLink
            key={path}
            to={path}
            end={path === '/'}
            className={({ isActive }) =>
              cx(
                'flex h-13 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-label',
                isActive ? 'text-t1' : 'text-t2',
              )
            }
          >
            <Icon size={18} aria-hidden />
            <span className="max-w-full truncate px-1">{t(text)}</span>
          </NavLink>
        );
      })}
    </nav>
  );
}
