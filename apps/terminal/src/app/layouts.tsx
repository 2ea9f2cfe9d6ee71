import { Suspense, useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { cx } from '@bourse/ui';
import { loadWithTexts } from '../core/i18n.js';
import { lazyScreen } from '@bourse/web';
import { useSignedIn } from '../core/session.js';
import { WhenNear } from '../parts/when-near.js';
import { sameScreen } from '../paths.js';
import type { Layout } from '../routes.js';
import { BottomNav } from './bottom-nav.js';
import { ErrorBoundary } from './error-boundary.js';
import { Header } from './header.js';
import { ACCOUNT_GROUPS, shownGroups } from './nav.js';
import { StatusBar } from './status-bar.js';
import { useViewer } from './use-viewer.js';

function SkipLink({ to = 'main', text = 'nav.skip', className }: { to?: string; text?: string; className?: string }) {
  const { t } = useTranslation();
  return (
    <a
      href={`#${to}`}
      className={cx(
        'sr-only focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-50 ' +
          'focus:rounded-panel focus:bg-t1 focus:px-4 focus:py-2 focus:text-on-t1',
        className,
      )}
    >
      {t(text)}
    </a>
  );
}

/** Pages: header, content, status bar; room for the bottom navigation on phones. */
function PublicLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Header />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <StatusBar />
      <BottomNav />
    </div>
  );
}

/** Its code and texts come when the reader comes near. */
const Footer = lazyScreen(() => loadWithTexts(import('./footer.js'), ['front']));

/** Pages for everybody: as above, with the footer below what the window shows, where its coming moves nothing. */
function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Header />
      <main id="main" tabIndex={-1} className="min-h-dvh outline-none">
        {children}
      </main>
      <WhenNear place="min-h-80">
        <ErrorBoundary>
          <Suspense fallback={<div className="min-h-80" aria-busy="true" />}>
            <Footer />
          </Suspense>
        </ErrorBoundary>
      </WhenNear>
      <StatusBar />
      <BottomNav />
    </div>
  );
}

/** The trading screens fill the window from 1024 px on; below, they scroll like pages. */
function TerminalLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh lg:overflow-hidden">
      <SkipLink />
      {/* On a phone a button that is always visible opens the order form. */}
      <SkipLink to="ticket" text="nav.skipTicket" className="max-md:hidden" />
      <Header />
      <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        {children}
      </main>
      <StatusBar />
      <BottomNav />
    </div>
  );
}

/** Account pages: menu at the start, content beside it. */
function AccountLayout({ children }: { children: ReactNode }) {
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
    <PublicLayout>
      <div className="mx-auto flex w-full max-w-[1280px] flex-col gap-4 p-4 md:flex-row">
        {links.length > 1 && (
          <nav
            ref={menu}
            aria-label={t('nav.account')}
            className="flex shrink-0 gap-1 overflow-x-auto md:w-52 md:flex-col"
          >
            {groups.map((group, at) => (
              <ul
                key={group.text}
                aria-label={t(group.text)}
                className={cx('flex gap-1 md:flex-col', at > 0 && 'md:mt-2 md:border-t md:border-line md:pt-2')}
              >
                {group.links.map((link) => (
                  <li key={link.path} className="flex">
                    <Link
                      to={link.path}
                      aria-current={link === here ? 'page' : undefined}
                      className={cx(
                        'flex-1 rounded-panel px-3 py-2 whitespace-nowrap',
                        link === here ? 'bg-bg3 text-t1' : 'text-t2 hover:bg-bg2 hover:text-t1',
                      )}
                    >
                      {t(link.text)}
                    </Link>
                  </li>
                ))}
              </ul>
            ))}
          </nav>
        )}
        <div className="min-w-0 flex-1">{children}</div>
      </div>
    </PublicLayout>
  );
}

/** A public page that has the account menu for signed-in people. */
function MemberLayout({ children }: { children: ReactNode }) {
  const Layout = useSignedIn() ? AccountLayout : SiteLayout;
  return <Layout>{children}</Layout>;
}

function BareLayout({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="min-h-dvh outline-none">
      {children}
    </main>
  );
}

export const LAYOUTS: Record<Layout, ComponentType<{ children: ReactNode }>> = {
  public: PublicLayout,
  site: SiteLayout,
  terminal: TerminalLayout,
  account: AccountLayout,
  member: MemberLayout,
  bare: BareLayout,
};
