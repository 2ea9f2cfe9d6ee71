import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { cx } from '@bourse/ui';

const PLACES = [
  { to: '/c2cTrade', text: 'deals.market' },
  { to: '/c2cRelease', text: 'deals.release' },
  { to: '/c2cOrder', text: 'deals.orders' },
  { to: '/c2cRecord', text: 'deals.records' },
] as const;

/** Title of a C2C screen, and the ways between them. */
export function DealsHead({ title }: { title: string }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <h1 className="text-last font-semibold">{title}</h1>
      <nav aria-label={t('nav.c2c')} className="flex max-w-full gap-1 overflow-x-auto">
        {PLACES.map(({ to, text }) => (
          <NavLink
            key={to}
            to={to}
            className={({ isActive }) =>
              cx(
                'rounded-panel px-3 py-2 whitespace-nowrap',
                isActive ? 'bg-bg3 text-t1' : 'text-t2 hover:bg-bg2 hover:text-t1',
              )
            }
          >
            {t(text)}
          </NavLink>
        ))}
      </nav>
    </div>
  );
}

/** The frame of the C2C screens: the middle of the page, as wide as a table needs. */
export const DEALS_PAGE = 'mx-auto flex w-full max-w-[1280px] flex-col gap-4 p-4';
