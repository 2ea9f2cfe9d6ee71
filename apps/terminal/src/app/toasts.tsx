import { lazy, Suspense, useEffect, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useToastRegion } from '../core/toasts.js';
import { useAppearance } from '../prefs/appearance.js';

/** The library's colours are replaced by the tokens. */
const TOKENS = {
  '--normal-bg': 'var(--bg2)',
  '--normal-text': 'var(--t1)',
  '--normal-border': 'var(--line-strong)',
  fontFamily: 'inherit',
} as CSSProperties;

/** Mounted beside the region, hence after its code came. */
function There() {
  useEffect(() => {
    useToastRegion.setState({ there: true });
  }, []);
  return null;
}

const Toaster = lazy(async () => ({ default: (await import('sonner')).Toaster }));

/** The one polite region for server messages. Its code comes with the first toast. */
export function Toasts() {
  const { t, i18n } = useTranslation();
  const theme = useAppearance((state) => state.theme);
  const wanted = useToastRegion((region) => region.wanted);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <There />
      <Toaster
        theme={theme === 'white' ? 'light' : 'dark'}
        dir={i18n.language === 'ar' ? 'rtl' : 'ltr'}
        position={i18n.language === 'ar' ? 'bottom-left' : 'bottom-right'}
        offset={{ bottom: 40, right: 16, left: 16 }}
        mobileOffset={{ bottom: 128 }}
        style={TOKENS}
        containerAriaLabel={t('toast.region')}
        toastOptions={{ closeButtonAriaLabel: t('common.close') }}
      />
    </Suspense>
  );
}
