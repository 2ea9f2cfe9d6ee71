import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { QuotationItem } from '@bourse/contract';
import { formatBookPrice } from '@bourse/ui';
import { HotkeyHelp } from '../../../market/hotkeys/lazy-hotkey-help.js';
import { usePageSearch } from '../../../core/search-key.js';
import { useHotkeys } from '../../../market/hotkeys/use-hotkeys.js';
import type { PairStream } from '../../../market/stream/pair-stream.js';
import { useKept } from '../../../prefs/use-kept.js';
import { SPOT_KEYS_HELP, spotHotkeys, type SpotActions } from './spot-hotkeys.js';

interface Props extends Pick<SpotActions, 'search' | 'side' | 'interval' | 'ticket'> {
  pair: Pick<QuotationItem, 'price_scale'>;
  stream: PairStream;
  help: boolean;
  onHelp: (open: boolean) => void;
}

/** The keys of the spot screen, their help, and what they let the screen reader say. */
export function SpotKeys({ pair, stream, help, onHelp, ...actions }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [keysOn, setKeysOn] = useKept('keys.single', true);
  const [spoken, setSpoken] = useState('');
  const speakBook = (): void => {
    const { bestBid, bestAsk } = stream.snapshot();
    const price = (text: string): string => formatBookPrice(text, pair.price_scale);
    setSpoken(t('book.spoken', { bid: price(bestBid), ask: price(bestAsk) }));
  };
  usePageSearch(actions.search);
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
        {help && <HotkeyHelp rows={SPOT_KEYS_HELP} onClose={() => onHelp(false)} on={keysOn} onSwitch={setKeysOn} />}
      </Suspense>
    </>
  );
}
