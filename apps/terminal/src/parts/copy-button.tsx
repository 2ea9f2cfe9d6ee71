import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { toastDone, toastError } from '@bourse/web';

/** How long the button itself says that it copied. */
const CONFIRMATION_MS = 2_000;

/**
 * Copies a text and says in words whether it did. `what` names the text for people who do not see what is beside
 * the button.
 */
export function CopyButton({ text, what, children }: { text: string; what: string; children?: string }) {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      toastDone(t('common.copied'), 'copied');
    } catch (refused) {
      // Browsers refuse the clipboard without permission, or outside a secure page: the person copies by hand.
      console.warn('not copied', refused);
      toastError(t('common.notCopied'));
    }
  };
  const name = children ?? t('common.copy');
  return (
    <Button size="small" disabled={text === ''} aria-label={`${name}: ${what}`} onClick={() => void copy()}>
      {done ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      {done ? t('common.copied') : name}
    </Button>
  );
}
