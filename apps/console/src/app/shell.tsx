import { LogOut, Menu as MenuIcon, Moon, Sun, UserRound } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useLocation, useNavigate } from 'react-router-dom';
import { LANGUAGES } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';
import { Badge, Button, cx, Dialog, Menu, MenuItem, MenuSeparator, Num } from '@bourse/ui';
import { useReach } from '@bourse/web';
import { changeLocale, current } from '../core/i18n.js';
import { readMe, signOut, useOperator } from '../core/operator.js';
import { useTheme } from '../core/theme.js';
import { useWork } from '../core/work.js';
import { addressOf } from '../paths.js';
import { hasScreen } from '../routes.js';
import { sidebarOf } from './nav.js';
import { SearchBox } from './search-box.js';

/** Sidebar, header, the page. On narrow windows the sidebar is a drawer. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  useEffect(() => setOpen(false), [pathname]);
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className={
          'sr-only focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-50 ' +
          'focus:rounded-panel focus:bg-t1 focus:px-4 focus:py-2 focus:text-on-t1'
        }
      >
        {t('nav.skip')}
      </a>
      <aside className="sticky top-0 h-dvh w-56 shrink-0 overflow-y-auto border-e border-line bg-bg1 max-lg:hidden">
        <Brand />
        <Sidebar />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <Header onMenu={() => setOpen(true)} />
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col gap-4 p-4 outline-none md:p-6">
          <OperatorReadError />
          {children}
        </main>
      </div>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('shell.menu')}
        closeLabel={t('common.close')}
        shape="drawer"
      >
        <Sidebar />
      </Dialog>
    </div>
  );
}

const Brand = () => (
  <Link to="/" className="flex h-12 items-center gap-2 border-b border-line px-4 text-title font-semibold">
    <span aria-hidden className="size-3 rounded-chip bg-accent" />
    Bourse
  </Link>
);

/** One shared array: a selector that returns a new array each time would render for ever. */
const NO_ROLES: readonly string[] = [];

function Sidebar() {
  const { t } = useTranslation();
  const roles = useOperator((operator) => operator.me?.roles ?? NO_ROLES);
  const work = useWork();
  return (
    <nav aria-label={t('shell.nav')} className="flex flex-col gap-4 p-3">
      {sidebarOf(roles).map(({ group, routes }) => (
        <div key={group} className="flex flex-col gap-0.5">
          <p id={`group-${group}`} className="px-3 py-1 text-label text-t2">
            {t(`group.${group}`)}
          </p>
          <ul aria-labelledby={`group-${group}`} className="flex flex-col gap-0.5">
            {routes.map(({ name, path, label }) => (
              <li key={name} className="flex">
                <NavLink
                  to={path}
                  end={path === '/'}
                  className={({ isActive }) =>
                    cx(
                      'flex min-h-8 flex-1 items-center justify-between gap-2 rounded-panel px-3 text-body',
                      isActive ? 'bg-bg3 text-t1' : 'text-t2 hover:bg-bg2 hover:text-t1',
                    )
                  }
                >
                  {t(label)}
                  <Waiting count={work.get(name)} />
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The number of waiting items behind a link; renders nothing for zero. */
function Waiting({ count }: { count: number | undefined }) {
  const { t } = useTranslation();
  if (!count) return null;
  return (
    <span className="rounded-chip bg-t1 px-1.5 text-label text-on-t1">
      <Num>{count > 999 ? '999+' : count}</Num>
      <span className="sr-only"> {t('shell.waiting')}</span>
    </span>
  );
}

function Header({ onMenu }: { onMenu: () => void }) {
  const { t } = useTranslation();
  const { theme, setTheme } = useTheme();
  const next = theme === 'dark' ? 'white' : 'dark';
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b border-line bg-bg1 px-4">
      <button
        type="button"
        aria-label={t('shell.menu')}
        onClick={onMenu}
        className="grid size-9 place-items-center rounded-panel text-t2 hover:bg-bg3 lg:hidden"
      >
        <MenuIcon size={18} aria-hidden />
      </button>
      <SearchBox />
      <span className="flex-1 max-sm:hidden" />
      <Reach />
      <LanguageMenu />
      <button
        type="button"
        aria-label={t(next === 'white' ? 'theme.toWhite' : 'theme.toDark')}
        onClick={() => setTheme(next)}
        className="grid size-9 place-items-center rounded-panel text-t2 hover:bg-bg3 hover:text-t1"
      >
        {next === 'white' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
      </button>
      <OperatorMenu />
    </header>
  );
}

/** Whether calls reach the exchange, and how long one takes. */
function Reach() {
  const { t } = useTranslation();
  const { reached, latencyMs } = useReach();
  return (
    <span role="status" className="flex items-center gap-2 text-label text-t2">
      <span aria-hidden className={cx('keeps-colours size-2 rounded-full', reached ? 'bg-up' : 'bg-down')} />
      {t(reached ? 'status.live' : 'status.offline')}
      {reached && latencyMs !== undefined && (
        <span className="max-md:hidden" aria-hidden>
          <Num>{Math.round(latencyMs)} ms</Num>
        </span>
      )}
    </span>
  );
}

function LanguageMenu() {
  const { t } = useTranslation();
  return (
    <Menu
      label={`${t('language.menu')}: ${current()}`}
      trigger={
        <span className="uppercase" lang="en">
          {current()}
        </span>
      }
    >
      {LANGUAGES.map((code) => (
        <MenuItem
          key={code}
          checked={code === current()}
          onSelect={() => void changeLocale(code).catch((error: unknown) => console.warn('texts not loaded', error))}
        >
          <span lang={LOCALES[code].htmlLang}>{LOCALES[code].name}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

function OperatorMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const me = useOperator((operator) => operator.me);
  return (
    <>
      {me && (
        <span className="flex items-center gap-2 text-body max-sm:hidden">
          <span>{me.username}</span>
          {me.roles.map((role) => (
            <Badge key={role}>{t(`role.${role}`)}</Badge>
          ))}
        </span>
      )}
      <Menu label={t('shell.operator')} trigger={<UserRound size={16} aria-hidden />}>
        {me && <div className="px-3 py-2 text-table text-t2">{me.username}</div>}
        <MenuSeparator />
        {hasScreen('account') && (
          <MenuItem onSelect={() => void navigate(addressOf('account'))}>{t('place.account')}</MenuItem>
        )}
        <MenuItem onSelect={() => void signOut()}>
          {t('shell.signOut')}
          <LogOut size={14} aria-hidden />
        </MenuItem>
      </Menu>
    </>
  );
}

/** There is a token, but its owner could not be read. The roles are unknown, so no screen is shown. */
function OperatorReadError() {
  const { t } = useTranslation();
  const failed = useOperator((operator) => operator.meFailed && operator.me === undefined);
  if (!failed) return null;
  const retry = (): void => void readMe().catch((error: unknown) => console.warn('operator not read', error));
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-panel border border-down p-3">
      {t('shell.whoFailed')}
      <Button size="small" onClick={retry}>
        {t('common.retry')}
      </Button>
    </div>
  );
}
