import { Headphones, Menu as MenuIcon, Moon, Sun, UserRound } from 'lucide-react';
import { Fragment, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useNavigate } from 'react-router-dom';
import { LOCALES, LOCALE_CODES, type LocaleCode } from '@bourse/i18n';
import { cx, masked, Menu, MenuItem, MenuSeparator, Num } from '@bourse/ui';
import { api } from '../core/api.js';
import { useServerConfig } from '../core/config.js';
import { changeLocale, current } from '../core/i18n.js';
import { signOut, useSession, useSignedIn } from '../core/session.js';
import { toastError } from '../core/toasts.js';
import { useAppearance } from '../prefs/appearance.js';
import { hasScreen } from '../paths.js';
import { GUEST_LINKS, MAIN_LINKS, shown, shownGroups, USER_GROUPS } from './nav.js';
import { NoticeMenu } from './notice-menu.js';
import { useViewer } from './use-viewer.js';

const AppMenu = lazy(async () => ({ default: (await import('./app-menu.js')).AppMenu }));

export function Header() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { signedIn } = viewer;
  const userId = useSession((session) => session.userId);
  const config = useServerConfig();
  const links = shown(MAIN_LINKS, viewer);
  const support = config?.support_url
    ? `${config.support_url}${config.support_url.includes('?') ? '&' : '?'}user_id=${userId ?? ''}`
    : undefined;
  return (
    <header className="sticky top-0 z-30 flex h-13 shrink-0 items-center gap-2 border-b border-line bg-bg1 px-4">
      <Link
        to={hasScreen('/') ? '/' : '/dealCenter'}
        className="flex items-center gap-2 rounded-chip text-title font-semibold"
      >
        <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden>
          <path
            d="M9 7v18M9 10h4v9H9M19 5v22M19 9h4v11h-4"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.4"
            strokeLinejoin="round"
          />
        </svg>
        <span className="max-md:sr-only">Bourse</span>
      </Link>
      <nav aria-label={t('nav.main')} className="ms-2 flex min-w-0 flex-1 gap-1 max-md:hidden">
        {links.map((link) => (
          <NavLink
            key={link.path}
            to={link.path}
            className={({ isActive }) =>
              cx(
                'rounded-chip px-2 py-1.5 text-button whitespace-nowrap',
                isActive ? 'text-t1' : 'text-t2 hover:text-t1',
              )
            }
          >
            {t(link.text)}
          </NavLink>
        ))}
      </nav>
      <div className="ms-auto flex items-center gap-1">
        {support && (
          <a
            href={support}
            target="_blank"
            rel="noreferrer noopener"
            aria-label={t('nav.support')}
            title={t('nav.support')}
            className="grid size-9 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1"
          >
            <Headphones size={16} aria-hidden />
          </a>
        )}
        {config && (config.app.ios || config.app.android) && (
          <Suspense fallback={null}>
            <AppMenu ios={config.app.ios} android={config.app.android} />
          </Suspense>
        )}
        <NoticeMenu />
        <LanguageMenu />
        <ThemeSwitch />
        {signedIn ? <AccountMenu /> : <GuestLinks />}
        {links.length > 0 && (
          <div className="md:hidden">
            <PhoneMenu />
          </div>
        )}
      </div>
    </header>
  );
}

function ThemeSwitch() {
  const { t } = useTranslation();
  const { theme, setTheme } = useAppearance();
  const dark = theme === 'dark';
  return (
    <button
      type="button"
      role="switch"
      aria-checked={!dark}
      aria-label={t('theme.white')}
      title={t(dark ? 'theme.toWhite' : 'theme.toDark')}
      onClick={() => setTheme(dark ? 'white' : 'dark')}
      className="grid size-9 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1"
    >
      {dark ? <Moon size={16} aria-hidden /> : <Sun size={16} aria-hidden />}
    </button>
  );
}

function LanguageMenu() {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const choose = async (code: LocaleCode): Promise<void> => {
    try {
      await changeLocale(code);
    } catch (error) {
      console.warn('texts not loaded', error);
      return toastError(t('language.failed'));
    }
    if (signedIn)
      await api
        .post('/api/set/lang', { lang: code }, { quiet: true })
        .catch((error: unknown) => console.warn('language not stored on the server', error));
  };
  return (
    <Menu
      label={`${t('language.menu')}: ${current()}`}
      trigger={
        <span className="uppercase" lang="en">
          {current()}
        </span>
      }
    >
      {LOCALE_CODES.map((code) => (
        <MenuItem key={code} checked={code === current()} onSelect={() => void choose(code)}>
          <span lang={LOCALES[code].htmlLang}>{LOCALES[code].name}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

function AccountMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const viewer = useViewer();
  const info = useSession((session) => session.info);
  const leave = async (): Promise<void> => {
    await signOut();
    await navigate(hasScreen('/') ? '/' : '/dealCenter');
  };
  return (
    <Menu label={t('nav.account')} trigger={<UserRound size={16} aria-hidden />}>
      {info && (
        <div className="px-3 py-2 text-table text-t2">
          <Num>{masked(info.account_number)}</Num>
          <br />
          {t('nav.uid')} <Num>{info.id}</Num>
        </div>
      )}
      {shownGroups(USER_GROUPS, viewer).map(({ text, links }) => (
        <Fragment key={text}>
          <MenuSeparator />
          {links.map((link) => (
            <MenuItem key={link.path} onSelect={() => void navigate(link.path)}>
              {t(link.text)}
            </MenuItem>
          ))}
        </Fragment>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void leave()}>{t('nav.logout')}</MenuItem>
    </Menu>
  );
}

function GuestLinks() {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-1">
      {hasScreen('/components/login') && (
        <Link
          to="/components/login"
          className="rounded-panel px-2 py-1.5 text-button whitespace-nowrap text-t1 hover:bg-bg3"
        >
          {t('nav.login')}
        </Link>
      )}
      {hasScreen('/register') && (
        <Link
          to="/register"
          className="rounded-panel bg-t1 px-3 py-1.5 text-button font-medium whitespace-nowrap text-on-t1 max-md:hidden"
        >
          {t('nav.register')}
        </Link>
      )}
    </div>
  );
}

/** Links that do not fit a narrow header. */
function PhoneMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const viewer = useViewer();
  const links = [
    ...shown(MAIN_LINKS, viewer),
    ...shown(GUEST_LINKS, viewer).filter((link) => link.path === '/register'),
  ];
  return (
    <Menu label={t('nav.menu')} trigger={<MenuIcon size={18} aria-hidden />}>
      {links.map((link) => (
        <MenuItem key={link.path} onSelect={() => void navigate(link.path)}>
          {t(link.text)}
        </MenuItem>
      ))}
    </Menu>
  );
}
