import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Tabs } from '@bourse/ui';
import { lazyScreen } from '@bourse/web';
import type { PairScales } from '../pair/scales.js';
import { useMarketSource } from '../stream/market-source.js';
import type { PairStream } from '../stream/pair-stream.js';
import { TradeTape } from './tapes.js';

const WholeMarketTape = lazyScreen(async () => ({
  default: (await import('./whole-market-tape.js')).WholeMarketTape,
}));

/** The trades of the pair, or of all pairs where they are live. */
export function TapeTabs({ pair, stream, scales }: { pair: QuotationItem; stream: PairStream; scales: PairScales }) {
  const { t } = useTranslation();
  const { isLive } = useMarketSource();
  const [tab, setTab] = useState<'pair' | 'all'>('pair');
  return (
    <Tabs
      label={t('tape.title')}
      value={tab}
      onChange={setTab}
      tabs={[{ id: 'pair', label: t('tape.title') }, ...(isLive ? [{ id: 'all' as const, label: t('tape.all') }] : [])]}
    >
      <Suspense>
        {tab === 'pair' ? <TradeTape pair={pair} stream={stream} /> : <WholeMarketTape scales={scales} />}
      </Suspense>
    </Tabs>
  );
}
