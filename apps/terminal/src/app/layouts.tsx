import { Suspense, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from '@bourse/ui';
import { loadWithTexts } from '../core/i18n.js';
import { lazyScreen } from '@bourse/web';
import { useSignedIn } from '../core/session.js';
import { WhenNear } from '../parts/when-near.js';
import type { Layout } from '../routes.js';
import { BottomNav } from './bottom-nav.js';
import { ErrorBoundary } from './error-boundary.js';
import { Header } from './header.js';
import { StatusBar } from './status-bar.js';

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

/**
 * Pages: header, content, status bar; room for the bottom navigation on phones. There the content fills a window, so
 * that the status bar is below what a page shows while it loads, and is not moved.
 */
function PublicLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Header />
      <main id="main" tabIndex={-1} className="flex-1 outline-none max-md:min-h-dvh">
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
      <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none max-md:min-h-dvh">
        {children}
      </main>
      <StatusBar />
      <BottomNav />
    </div>
  );
}

/** The menu of account pages. Other pages do not load it. */
const AccountNav = lazyScreen(() => import('./account-nav.js'));

/** Account pages: menu at the start, content beside it. */
function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <PublicLayout>
      <div className="mx-auto flex w-full max-w-[1280px] flex-col gap-4 p-4 md:flex-row">
        <ErrorBoundary>
          <Suspense fallback={<div className="h-9 shrink-0 md:w-52" aria-busy="true" />}>
            <AccountNav />
          </Suspense>
        </ErrorBoundary>
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
