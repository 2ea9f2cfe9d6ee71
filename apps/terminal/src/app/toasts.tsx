import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppearance } from '../prefs/appearance.js';

const Toaster = lazy(async () => ({ default: (await import('sonner')).Toaster }));

/** The one polite region for server messages. Its code comes after the screen, before it is needed. */
export function Toasts() {
  const { t, i18n } = useTranslation();
  const theme = useAppearance((state) => state.theme);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), 500);
    return () => clearTimeout(timer);
  }, []);
  if (!ready) return null;
  return (
    <Suspense fallback={null}>
      <Toaster theme={theme === 'white' ? 'light' : 'dark'} dir={i18n.language === 'ar' ? 'rtl' : 'ltr'} position="top-center" offset={64} containerAriaLabel={t('toast.region')}
        toastOptions={{ closeButtonAriaLabel: t('common.close') }} />
    </Suspense>
  );
}
