import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { QuotationItem } from '@bourse/contract';
import { ApiError } from '@bourse/api-client';
import { formatBookPrice } from '@bourse/ui';
import { toastDone, toastError } from '@bourse/web';
import { useArmedKeys } from '../../../core/armed-keys.js';
import { useSignedIn } from '../../../core/session.js';
import { HotkeyHelp } from '../../../market/hotkeys/lazy-hotkey-help.js';
import { usePageSearch } from '../../../core/search-key.js';
import { useHotkeys } from '../../../market/hotkeys/use-hotkeys.js';
import type { PairStream } from '../../../market/stream/pair-stream.js';
import { useKept } from '../../../prefs/use-kept.js';
import { ORDER_KEYS_HELP, orderHotkeys, SPOT_KEYS_HELP, spotHotkeys, type SpotActions } from './spot-hotkeys.js';

interface Props extends Pick<SpotActions, 'search' | 'side' | 'interval' | 'ticket' | 'send'> {
  pair: QuotationItem;
  stream: PairStream;
  help: boolean;
  onHelp: (open: boolean) => void;
}

/** The keys of the spot screen, their help, and what they let the screen reader say. */
export function SpotKeys({ pair, stream, help, onHelp, send, ...actions }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [keysOn, setKeysOn] = useKept('keys.single', true);
  const [spoken, setSpoken] = useState('');
  const speakBook = (): void => {
    const { bestBid, bestAsk } = stream.snapshot();
    const price = (text: string): string => formatBookPrice(text, pair.price_scale);
    setSpoken(t('book.spoken', { bid: price(bestBid), ask: price(bestAsk) }));
  };
  const signedIn = useSignedIn();
  const { armed, arm } = useArmedKeys();
  // The keys belong to this desk: leaving it disarms them.
  useEffect(() => () => arm(false), [arm]);
  const cancelPair = async (): Promise<void> => {
    try {
      const { cancelAll } = await import('../api/orders.js');
      toastDone(t('orders.cancelledCount', { count: await cancelAll(pair) }));
    } catch (error) {
      if (!(error instanceof ApiError)) toastError(t('ticket.noAnswer'));
    }
  };
  usePageSearch(actions.search);
  useHotkeys(armed, armed ? orderHotkeys({ send, cancelAll: () => void cancelPair() }) : []);
  useHotkeys(
    keysOn,
    spotHotkeys({ ...actions, speakBook, help: () => onHelp(true), go: (address) => void navigate(address) }),
  );
  return (
    <>
      <p className="sr-only" aria-live="polite">
        {spoken}
      </p>
      <Suspense>
        {help && (
          <HotkeyHelp
            rows={SPOT_KEYS_HELP}
            onClose={() => onHelp(false)}
            on={keysOn}
            onSwitch={setKeysOn}
            orders={signedIn ? { rows: ORDER_KEYS_HELP, armed, onArm: arm } : undefined}
          />
        )}
      </Suspense>
    </>
  );
}
