import { ArrowLeftRight, ChartCandlestick, FileText, Gift, UserRound, Wallet, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { cx } from '@bourse/ui';
import { sameScreen } from '../paths.js';
import { ACCOUNT_GROUPS } from './account-groups.js';
import { shownGroups } from './nav.js';
import { useViewer } from './use-viewer.js';

/** Icons of the groups, by the text of their heading. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  'nav.account': UserRound,
  'nav.assets': Wallet,
  'nav.records': FileText,
  'nav.trade': ChartCandlestick,
  'nav.c2c': ArrowLeftRight,
  'nav.rewards': Gift,
};

/** The menu beside account pages: groups under their headings, on a phone one line of links. */
export default function AccountNav() {
  const { t } = useTranslation();
  const groups = shownGroups(ACCOUNT_GROUPS, useViewer());
  const links = groups.flatMap((group) => group.links);
  const { pathname } = useLocation();
  const menu = useRef<HTMLElement>(null);
  const here = links.find((link) => link.path === pathname) ?? links.find((link) => sameScreen(link.path, pathname));
  // On a phone the menu is one line that scrolls: where the person is comes into sight. Elsewhere it is a column, and
  // the page stays at its top.
  useEffect(() => {
    const line = menu.current;
    if (line && line.scrollWidth > line.clientWidth)
      line.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [here]);
  return (
    <nav
      ref={menu}
      aria-label={t('nav.account')}
      className="flex shrink-0 gap-1 overflow-x-auto md:w-52 md:flex-col md:gap-4"
    >
      {groups.map(({ text, links: shown }) => {
        const Icon = ICONS[text];
        return (
          <div key={text} className="flex md:flex-col md:gap-1">
            <p aria-hidden className="flex items-center gap-2 px-3 py-1 text-table font-medium text-t2 max-md:hidden">
              {Icon && <Icon size={14} />}
              {t(text)}
            </p>
            <ul aria-label={t(text)} className="flex gap-1 md:flex-col md:gap-0">
              {shown.map((link) => (
                <li key={link.path} className="flex">
                  <Link
                    to={link.path}
                    aria-current={link === here ? 'page' : undefined}
                    className={cx(
                      'flex-1 rounded-panel px-3 py-2 whitespace-nowrap md:py-1.5 md:ps-8.5 md:whitespace-normal',
                      link === here ? 'bg-bg3 text-t1' : 'text-t2 hover:bg-bg2 hover:text-t1',
                    )}
                  >
                    {t(link.text)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
