import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { Change, directionOf, formatBookPrice, Num, Skeleton } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { useTicker } from '../../../core/feed.js';
import { serverNow } from '../../../core/server-time.js';
import { pairsOf } from '../../../core/market.js';
import { spotAddress } from '../../../paths.js';
import { useApprox } from '../../../market/pair/scales.js';
import { dayLine } from '../api/day-line.js';
import { FeedChip } from '../../../parts/feed-chip.js';
import { sparkline, TOP_TILES } from '../model/tiles.js';

/** Up to six pairs with price, change and the line of the last day. */
export function Tiles({ groups }: { groups: readonly QuotationGroup[] | undefined }) {
  const { t } = useTranslation();
  const items = pairsOf(groups).slice(0, TOP_TILES);
  return (
    <section aria-label={t('home.tiles')} className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      {groups === undefined &&
        Array.from({ length: TOP_TILES }, (_, index) => <Skeleton key={index} className="h-32" />)}
      {groups && items.map((item) => <Tile key={item.symbol} item={item} groups={groups} />)}
    </section>
  );
}

function Tile({ item, groups }: { item: QuotationItem; groups: readonly QuotationGroup[] }) {
  const live = useTicker(item.symbol);
  const line = useQuery({
    queryKey: ['day-line', item.symbol],
    staleTime: 300_000,
    queryFn: async () => dayLine(api, item.symbol, Math.floor((await serverNow()) / 1_000)),
  });
  const price = live?.price ?? item.now_price;
  const change = live?.change ?? item.change;
  const approx = useApprox(groups, item.legal_id);
  const direction = directionOf(change);
  return (
    <Link
      to={spotAddress(item)}
      className="flex h-32 flex-col justify-between rounded-panel border border-line bg-bg1 p-3 hover:bg-bg2"
    >
      <span className="flex min-w-0 items-center gap-1.5">
        <Num className="text-button font-medium">{item.symbol}</Num>
        <FeedChip feed={item.feed} />
      </span>
      <span className="text-title font-semibold">
        <Num>{formatBookPrice(price, item.price_scale)}</Num>
      </span>
      <span className="flex items-baseline justify-between gap-2 text-label text-t2">
        <Num className="truncate">{approx(price)}</Num>
        <Change value={change} className="shrink-0 whitespace-nowrap text-table" />
      </span>
      <svg viewBox="0 0 120 28" preserveAspectRatio="none" className="h-7 w-full" aria-hidden>
        <path
          d={sparkline(line.data ?? [], 120, 28)}
          fill="none"
          stroke={direction === 0 ? 'var(--t3)' : direction < 0 ? 'var(--down)' : 'var(--up)'}
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </Link>
  );
}
