import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { QuotationItem } from '@bourse/contract';
import { Change, formatBookPrice, formatFitting, Num, Panel, Skeleton } from '@bourse/ui';
import { useTicker } from '../../../core/feed.js';
import { FeedChip } from '../../../parts/feed-chip.js';
import { spotAddress } from '../../../paths.js';
import { MOVERS, type MoverLists } from '../model/market-list.js';

/** Pairs in each list of movers. */
export const MOVERS_SHOWN = 3;

/** Gainers, losers and the most traded pairs, beside one another; on a phone they scroll sideways. */
export function Movers({ lists }: { lists: MoverLists | undefined }) {
  const { t } = useTranslation();
  return (
    <div className="relative mb-4 grid snap-x auto-cols-[85%] grid-flow-col gap-3 overflow-x-auto md:auto-cols-fr">
      {MOVERS.map((which) => (
        <Panel key={which} label={t(`markets.${which}`)} className="snap-start p-3">
          <h2 className="mb-1 text-table font-medium">{t(`markets.${which}`)}</h2>
          <ol className="min-h-24">
            {lists === undefined
              ? Array.from({ length: MOVERS_SHOWN }, (_, at) => (
                  <li key={at} className="h-8 py-2">
                    <Skeleton className="h-4 w-full" />
                  </li>
                ))
              : lists[which].map((item) => (
                  <li key={item.symbol}>
                    <Mover item={item} byVolume={which === 'topVolume'} />
                  </li>
                ))}
            {lists?.[which].length === 0 && <li className="py-2 text-table text-t2">–</li>}
          </ol>
        </Panel>
      ))}
    </div>
  );
}

function Mover({ item, byVolume }: { item: QuotationItem; byVolume: boolean }) {
  const live = useTicker(item.symbol);
  return (
    <Link
      to={spotAddress(item)}
      className="grid h-8 grid-cols-[minmax(0,1fr)_auto_4.5rem] items-center gap-2 rounded-chip text-table hover:bg-bg2"
    >
      <span className="flex min-w-0 items-center gap-1 font-medium">
        <Num className="truncate">{item.symbol}</Num>
        <FeedChip feed={item.feed} />
      </span>
      <Num className="text-end whitespace-nowrap text-t2">
        {byVolume
          ? `${formatFitting(item.quote_volume, 4, 6)} ${item.legal_name}`
          : formatBookPrice(live?.price ?? item.now_price, item.price_scale)}
      </Num>
      <span className="text-end whitespace-nowrap">
        <Change value={live?.change ?? item.change} />
      </span>
    </Link>
  );
}
