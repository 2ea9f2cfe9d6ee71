import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { useArmedKeys } from '../../../core/armed-keys.js';
import { useHotkeys } from '../../../market/hotkeys/use-hotkeys.js';
import type { Side } from '../model/ticket.js';
import { useCancelAll } from './use-cancel.js';

/**
 * The keys that send and cancel orders (terminal rule 10), shown while they are armed, and their notice in the status
 * bar.
 */
export function OrderKeys({ pair, send }: { pair: QuotationItem; send: (side: Side) => void }) {
  const { t } = useTranslation();
  const { arm } = useArmedKeys();
  const cancelAll = useCancelAll();
  useHotkeys(true, [
    { keys: 'shift+b', run: () => send('buy') },
    { keys: 'shift+s', run: () => send('sell') },
    { keys: 'shift+x', run: () => void cancelAll(pair) },
  ]);
  const place = document.getElementById('status-notice');
  if (!place) return null;
  return createPortal(
    <button
      type="button"
      onClick={() => {
        // The button is removed: the focus must not move to the top of the page.
        document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
        arm(false);
      }}
      className="font-medium text-warn underline-offset-2 hover:underline"
    >
      {t('keys.armed')}
    </button>,
    place,
  );
}
