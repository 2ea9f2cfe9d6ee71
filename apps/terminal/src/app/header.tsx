import { CircleQuestionMark, Headphones, Menu as MenuIcon, Moon, Sun } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { LANGUAGES, type ServerConfig } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';
import { Menu, MenuItem, MenuSeparator } from '@bourse/ui';
import { useServerConfig } from '../core/config.js';
import { current } from '../core/i18n.js';
import { useSession } from '../core/session.js';
import { useAppearance } from '../prefs/appearance.js';
import { hasScreen } from '../paths.js';
import { supportAddress } from './addresses.js';
import { chooseLanguage } from './choose-language.js';
import { MainNav } from './main-nav.js';
import { GUEST_LINKS, HELP_LINKS, MAIN_LINKS, shown } from './nav.js';
import { NoticeMenu } from './notice-menu.js';
import { useViewer } from './use-viewer.js';

/** Guests do not have it. */
const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.js')).AccountMenu }));
const AppMenu = lazy(async () => ({ default: (await import('./app-menu.js')).AppMenu }));

export function Header() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { signedIn } = viewer;
  const userId = useSession((session) => session.userId);
  const config = useServerConfig();
  const links = shown(MAIN_LINKS, viewer);
  const support = supportAddress(config?.support_url ?? '', userId);
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
      <MainNav links={links} />
      <div className="ms-auto flex items-center gap-1">
        <div className="flex items-center gap-1 max-md:hidden">
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
            <Suspense fallback={<span className="size-9" />}>
              <AppMenu ios={config.app.ios} android={config.app.android} />
            </Suspense>
          )}
          <HelpMenu />
        </div>
        <NoticeMenu />
        <LanguageMenu />
        <ThemeSwitch />
        {signedIn ? (
          <Suspense fallback={<span className="size-9" />}>
            <AccountMenu />
          </Suspense>
        ) : (
          <GuestLinks />
        )}
        <div className="md:hidden">
          <PhoneMenu support={support} apps={config?.app} />
        </div>
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
      className="grid size-9 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1 max-md:hidden"
    >
      {dark ? <Moon size={16} aria-hidden /> : <Sun size={16} aria-hidden />}
    </button>
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
        <MenuItem key={code} checked={code === current()} onSelect={() => void chooseLanguage(code, t)}>
          <span lang={LOCALES[code].htmlLang}>{LOCALES[code].name}</span>
        </MenuItem>
      ))}
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

/** The help centre and complaints, as soon as they have screens. */
function HelpMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const links = shown(HELP_LINKS, useViewer());
  if (links.length === 0) return null;
  return (
    <Menu label={t('nav.help')} trigger={<CircleQuestionMark size={16} aria-hidden />}>
      {links.map((link) => (
        <MenuItem key={link.path} onSelect={() => void navigate(link.path)}>
          {t(link.text)}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** The menu for links that a narrow header has no room for. Apps are links here: a page cannot scan its own screen. */
function PhoneMenu({ support, apps }: { support: string | undefined; apps: ServerConfig['app'] | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const viewer = useViewer();
  const { theme, setTheme } = useAppearance();
  const links = [
    ...shown(MAIN_LINKS, viewer),
    ...shown(GUEST_LINKS, viewer).filter((link) => link.path === '/register'),
  ];
  const elsewhere = [
    { name: t('nav.support'), href: support },
    { name: 'iPhone', href: apps?.ios },
    { name: 'Android', href: apps?.android },
  ];
  return (
    <Menu label={t('nav.menu')} trigger={<MenuIcon size={18} aria-hidden />}>
      {links.map((link) => (
        <MenuItem key={link.path} onSelect={() => void navigate(link.path)}>
          {t(link.text)}
        </MenuItem>
      ))}
      <MenuSeparator />
      {shown(HELP_LINKS, viewer).map((link) => (
        <MenuItem key={link.path} onSelect={() => void navigate(link.path)}>
          {t(link.text)}
        </MenuItem>
      ))}
      {elsewhere.map(
        ({ name, href }) =>
          href && (
            <MenuItem key={name} onSelect={() => window.open(href, '_blank', 'noopener,noreferrer')}>
              {name}
            </MenuItem>
          ),
      )}
      <MenuItem onSelect={() => setTheme(theme === 'dark' ? 'white' : 'dark')}>
        {t(theme === 'dark' ? 'theme.toWhite' : 'theme.toDark')}
      </MenuItem>
    </Menu>
  );
}
