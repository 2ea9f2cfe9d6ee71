import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, useEffect, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { Empty } from '@bourse/ui';
import { lazyScreen } from '@bourse/web';
import { queryClient } from '../core/api.js';
import { useMay, useOperator } from '../core/operator.js';
import { ROUTES, type Route as Screen } from '../routes.js';
import { ErrorBoundary } from './error-boundary.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';
import { Toasts } from './toasts.js';

const SCREENS = ROUTES.map((route) => ({ route, Screen: lazyScreen(route.load) }));

export function App() {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter basename={import.meta.env.BASE_URL.replace(/\/$/, '')}>
          <ErrorBoundary>
            <Pages />
          </ErrorBoundary>
          <Toasts />
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>
  );
}

/**
 * Someone who is not signed in sees only the sign-in form; the address stays, and its screen is shown after the
 * sign-in.
 */
function Pages() {
  const signedIn = useOperator((operator) => operator.token !== null);
  if (!signedIn) return <SignIn />;
  return (
    <Shell>
      <Routes>
        {SCREENS.map(({ route, Screen }) => (
          <Route
            key={route.name}
            path={route.path}
            caseSensitive
            element={<Shown key={route.name} route={route} Screen={Screen} />}
          />
        ))}
        <Route path="*" element={<Unknown />} />
      </Routes>
    </Shell>
  );
}

function Shown({ route, Screen }: { route: Screen; Screen: ComponentType }) {
  const { t } = useTranslation();
  const known = useOperator((operator) => operator.me !== undefined);
  const may = useMay(route.role);
  const title = t(route.label);
  useEffect(() => {
    document.title = `${title} · Bourse`;
  }, [title]);
  if (!known) return <OnItsWay />;
  if (!may)
    return (
      <>
        <h1 className="text-last font-semibold">{title}</h1>
        <Empty>{t('shell.noRole', { role: t(`role.${route.role}`) })}</Empty>
      </>
    );
  return (
    <ErrorBoundary>
      <Suspense fallback={<OnItsWay />}>
        <Screen />
      </Suspense>
    </ErrorBoundary>
  );
}

const OnItsWay = () => <div className="min-h-[60vh]" aria-busy="true" />;

function Unknown() {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="text-last font-semibold">{t('shell.unknownTitle')}</h1>
      <Empty>{t('shell.unknown')}</Empty>
    </>
  );
}
