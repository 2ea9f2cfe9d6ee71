import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { QuotationItem } from '@bourse/contract';
import { formatBookPrice } from '@bourse/ui';
import { lazyScreen } from '@bourse/web';
import { loadWithTexts } from '../../../core/i18n.js';
import { useArmedKeys } from '../../../core/armed-keys.js';
import { useSignedIn } from '../../../core/session.js';
import { useHotkeys } from '../../../market/hotkeys/use-hotkeys.js';
import type { PairStream } from '../../../market/stream/pair-stream.js';
import { useKept } from '../../../prefs/use-kept.js';
import type { Side } from '../model/ticket.js';
import { spotHotkeys, type SpotActions } from './spot-hotkeys.js';

const SpotKeysHelp = lazyScreen(async () => ({
  default: (await loadWithTexts(import('./spot-keys-help.js'), ['desk'])).SpotKeysHelp,
}));
const OrderKeys = lazyScreen(async () => ({
  default: (await loadWithTexts(import('./order-keys.js'), ['desk'])).OrderKeys,
}));

interface Props extends Pick<SpotActions, 'side' | 'interval' | 'ticket'> {
  send: (side: Side) => void;
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
  useHotkeys(
    keysOn,
    spotHotkeys({ ...actions, speakBook, help: () => onHelp(true), go: (address) => void navigate(address) }),
  );
  return (
    <>
      <p className="sr-only" aria-live="polite">
        {spoken}
      </p>
      <Suspense>{help && <SpotKeysHelp onClose={() => onHelp(false)} on={keysOn} onSwitch={setKeysOn} />}</Suspense>
      {/* Its own boundary: the open help must not vanish while the keys are loaded. */}
      <Suspense>{signedIn && armed && <OrderKeys pair={pair} send={send} />}</Suspense>
    </>
  );
}
