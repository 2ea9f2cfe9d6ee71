import '../../../market/live.css';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import {
  arrowOf,
  Change,
  cx,
  formatBookPrice,
  formatTickPrice,
  NO_NUMBER,
  Num,
  Tabs,
  formatTurnover,
} from '@bourse/ui';
import { useTicker } from '../../../core/feed.js';
import { pairsOf } from '../../../core/market.js';
import { useApprox } from '../../../market/pair/scales.js';
import { useServerClock } from '../../../parts/use-server-clock.js';
import { useRecordedPrices } from '../../../market/stream/recorded-prices.js';
import { FeedChip } from '../../../parts/feed-chip.js';

/** The markets as tabs, and the chosen one with its price, its value, its volume and where the price comes from. */
export function MarketHead({
  pair,
  groups,
  age,
  onChoose,
}: {
  pair: QuotationItem;
  groups: readonly QuotationGroup[];
  age: number | undefined;
  onChoose: (item: QuotationItem) => void;
}) {
  const { t } = useTranslation();
  const pairs = useMemo(() => pairsOf(groups).filter((item) => item.open_microtrade === 1), [groups]);
  const approx = useApprox(groups, pair.legal_id);
  const now = useServerClock();
  const recorded = useRecordedPrices([pair.id], () => now)(pair.id);
  const ticker = useTicker(pair.symbol);
  const price = ticker?.price ?? pair.now_price;
  const change = ticker?.change ?? pair.change;
  return (
    <div className="shrink-0 bg-bg1">
      <Tabs<string>
        label={t('micro.markets')}
        value={pair.symbol}
        onChange={(symbol) => {
          const item = pairs.find((other) => other.symbol === symbol);
          if (item) onChoose(item);
        }}
        tabs={pairs.map((item) => ({ id: item.symbol, label: <SymbolTab item={item} /> }))}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-line px-4 py-2 max-md:px-3">
        <h1 className="flex items-center gap-2 text-title font-semibold">
          <Num>{pair.symbol}</Num>
          <FeedChip feed={pair.feed} />
        </h1>
        <div className={cx('flex items-baseline gap-2', age !== undefined && 'stale')}>
          <Num
            className={cx(
              'text-last font-semibold max-md:text-title',
              arrowOf(change) === '▲' && 'text-up',
              arrowOf(change) === '▼' && 'text-down',
            )}
          >
            {formatBookPrice(price, pair.price_scale)}
          </Num>
          <Num className="text-table text-t2">{approx(price)}</Num>
        </div>
        <Fact name={t('micro.decides')}>
          <Num className="font-semibold">
            {recorded === undefined ? NO_NUMBER : formatTickPrice(recorded, pair.price_scale)}
          </Num>
        </Fact>
        <Fact name={t('pair.change')}>
          <Change value={change} />
        </Fact>
        <Fact name={t('pair.volume', { coin: pair.currency_name })}>
          <Num>{formatTurnover(ticker?.volume ?? pair.volume)}</Num>
        </Fact>
        {pair.mode !== 'normal' && (
          <span role="status" className="text-table text-warn">
            {t(`pair.mode.${pair.mode}`)}
          </span>
        )}
        {age !== undefined && (
          <span role="status" className="text-table text-warn">
            {t('micro.stale')} <Num>{(age / 1_000).toFixed(0)} s</Num>
          </span>
        )}
      </div>
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="whitespace-nowrap">
    <span className="block text-label text-t2">{name}</span>
    {children}
  </div>
);

/** A market with its price and change. */
function SymbolTab({ item }: { item: QuotationItem }) {
  const ticker = useTicker(item.symbol);
  return (
    <span className="flex items-baseline gap-2">
      <Num>{item.symbol}</Num>
      <Num className="text-table font-normal text-t2">
        {formatBookPrice(ticker?.price ?? item.now_price, item.price_scale)}
      </Num>
      <Change value={ticker?.change ?? item.change} className="text-table font-normal" />
    </span>
  );
}
