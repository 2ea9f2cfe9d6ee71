import { lazy, Suspense, useEffect, useState, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppearance } from '../prefs/appearance.js';

/** The library's colours are replaced by the tokens. */
const TOKENS = { '--normal-bg': 'var(--bg2)', '--normal-text': 'var(--t1)', '--normal-border': 'var(--line-strong)' } as CSSProperties;

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
      <Toaster theme={theme === 'white' ? 'light' : 'dark'} dir={i18n.language === 'ar' ? 'rtl' : 'ltr'} position={i18n.language === 'ar' ? 'bottom-left' : 'bottom-right'} offset={{ bottom: 40, right: 16, left: 16 }} mobileOffset={{ bottom: 128 }} style={TOKENS} containerAriaLabel={t('toast.region')}
        toastOptions={{ closeButtonAriaLabel: t('common.close') }} />
    </Suspense>
  );
}
