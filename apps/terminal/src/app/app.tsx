import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, useEffect, useRef, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { Empty } from '@bourse/ui';
import { admit, type Admission } from '../core/admission.js';
import { queryClient } from '../core/api.js';
import { loadWithTexts } from '../core/i18n.js';
import { lazyScreen } from '@bourse/web';
import { setTitle } from '../core/notifications/title-badge.js';
import { useSession, useSignedIn } from '../core/session.js';
import type { Guard } from '../paths.js';
import { ROUTES, type RouteEntry } from '../routes.js';
import { ErrorBoundary } from './error-boundary.js';
import { Confirmation } from './confirmation.js';
import { LAYOUTS } from './layouts.js';
import { MobileRedirect } from './mobile-redirect.js';
import { Reactions } from './reactions.js';
import { Search } from './search.js';
import { Toasts } from './toasts.js';

/** The screen of the address, unless its visitor is a guest who is led to the sign-in page instead. */
const first = ROUTES.find(
  ({ path, guard }) => path === window.location.pathname && (guard === 'open' || useSession.getState().token !== null),
);
/**
 * Code and texts of a screen arrive together, so that no key is ever shown. Those of the first one are requested before
 * the shell has its texts.
 */
const screenOf = (route: RouteEntry): ComponentType =>
  lazyScreen(() => loadWithTexts(route.load(), route.areas), route.load === first?.load);
void first?.load().then(
  ({ preload }) => preload?.(),
  () => undefined,
);
const NotFound = lazyScreen(() => import('./not-found.js'));
const loaded = new Map<RouteEntry['load'], ComponentType>();
const SCREENS = ROUTES.map((route) => {
  // Twins of an address share their screen: changing between them does not mount it again.
  const Screen = loaded.get(route.load) ?? screenOf(route);
  loaded.set(route.load, Screen);
  return { route, Screen };
});

export function App() {
  const { i18n } = useTranslation();
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter>
          <ErrorBoundary>
            <Routes>
              {SCREENS.map(({ route, Screen }) => (
                <Route
                  key={route.path}
                  path={route.path}
                  caseSensitive
                  element={<Shown route={route} Screen={Screen} language={i18n.language} />}
                />
              ))}
              <Route path="*" element={<Unknown />} />
            </Routes>
          </ErrorBoundary>
          <FocusAfterNavigation />
          <MobileRedirect />
          <Reactions />
          <Confirmation />
          <Search />
          <Toasts />
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>
  );
}

function Shown({ route, Screen, language }: { route: RouteEntry; Screen: ComponentType; language: string }) {
  const { t, i18n } = useTranslation();
  const admission = useAdmission(route.guard);
  const left = useSession((session) => session.left);
  const location = useLocation();
  // The title may be in an area that is still on its way: until then the last title stays.
  const title = i18n.exists(route.title) ? t(route.title) : undefined;
  useEffect(() => {
    if (title) setTitle(title);
  }, [title, language]);
  // The router takes `/dealCenter/` for `/dealCenter`; the gateway does not, and answers 404 (api §1.1).
  if (location.pathname !== route.path) return <Unknown />;
  if (admission === 'signIn')
    return (
      <Navigate to={`/components/login?back=${encodeURIComponent(`${location.pathname}${location.search}`)}`} replace />
    );
  const Layout = LAYOUTS[route.layout];
  return (
    <Layout>
      {/* A screen that one person filled in is not shown to the next one. */}
      <ErrorBoundary key={`${route.path} ${left}`}>
        {admission === 'refused' ? (
          <>
            <h1 className="p-4 text-title font-semibold">{title}</h1>
            <Empty>{t(`guard.${route.guard}`)}</Empty>
          </>
        ) : admission === 'wait' ? (
          <OnItsWay />
        ) : (
          <Suspense fallback={<OnItsWay />}>
            <Screen />
          </Suspense>
        )}
      </ErrorBoundary>
    </Layout>
  );
}

/** The place of a screen that is on its way. What takes longer than a glance shows that something comes. */
const OnItsWay = () => <div className="on-its-way min-h-[60vh]" aria-busy="true" />;

/**
 * Moves the focus to the new content after a navigation that removed the focused link, as a page load does. An element
 * that still has the focus keeps it.
 */
function FocusAfterNavigation() {
  const { pathname } = useLocation();
  const first = useRef(pathname);
  useEffect(() => {
    if (first.current === pathname) return undefined;
    first.current = pathname;
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [pathname]);
  return null;
}

function useAdmission(guard: Guard): Admission {
  const signedIn = useSignedIn();
  const info = useSession((session) => session.info);
  const infoFailed = useSession((session) => session.infoFailed);
  return admit(guard, { signedIn, info, infoFailed });
}

function Unknown() {
  const Layout = LAYOUTS.site;
  return (
    <Layout>
      <Suspense fallback={<OnItsWay />}>
        <NotFound />
      </Suspense>
    </Layout>
  );
}
