import { ArrowDown, ArrowUp, Star } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import type { QuotationItem } from '@bourse/contract';
import {
  Button,
  Change,
  cx,
  Empty,
  Field,
  formatAmount,
  formatBookPrice,
  formatTurnover,
  Num,
  Panel,
  Skeleton,
  Tabs,
} from '@bourse/ui';
import { useTicker } from '../../../core/feed.js';
import { preloadQuotations, useQuotations } from '../../../core/market.js';
import { spotAddress } from '../../../paths.js';
import { useKept } from '../../../prefs/use-kept.js';
import { FeedChip } from '../../../parts/feed-chip.js';
import { marketList, moversOf, type SortBy } from '../model/market-list.js';
import { Movers, MOVERS_SHOWN } from './movers.js';
import { useLiveItems } from './use-live-items.js';

const FAVOURITES = '*';

export { preloadQuotations as preload };

/** All pairs with live quotations: search, quote tabs, favourites, sorting. */
export default function Markets() {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [tab, setTab] = useState('');
  const [sort, setSort] = useState<{ by: SortBy; descending: boolean }>({ by: 'volume', descending: true });
  const [favourites, setFavourites] = useKept<string[]>('favourites', []);
  const { groups, failed, retry } = useQuotations();
  const quotations = useMemo(() => groups?.flatMap((group) => group.quotation), [groups]);
  const list = useRef<HTMLDivElement>(null);
  const items = useLiveItems(quotations, list);
  const rates = new Map(groups?.map(({ id, usdt_price: price }) => [id, price]));
  const rows =
    items &&
    marketList(items, {
      search,
      quote: tab === FAVOURITES ? '' : tab,
      favouritesOnly: tab === FAVOURITES,
      favourites,
      sortBy: sort.by,
      descending: sort.descending,
      rates,
    });
  const toggle = (symbol: string): void =>
    setFavourites(favourites.includes(symbol) ? favourites.filter((kept) => kept !== symbol) : [...favourites, symbol]);
  const heading = (by: SortBy, label: string, end: boolean, className = '') => (
    <th
      scope="col"
      aria-sort={sort.by === by ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      className={cx('h-9 px-3 font-normal text-t2 max-md:px-2', end ? 'text-right' : 'text-start', className)}
    >
      <button
        type="button"
        aria-label={t('markets.sortBy', { column: label })}
        onClick={() => setSort({ by, descending: sort.by === by ? !sort.descending : by !== 'symbol' })}
        className={cx('inline-flex min-h-6 items-center gap-1 hover:text-t1', end ? 'text-right' : 'text-start')}
      >
        {label}
        {sort.by === by && (sort.descending ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />)}
      </button>
    </th>
  );
  return (
    <div className="mx-auto w-full max-w-[1280px] p-4">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-last font-semibold">{t('markets.title')}</h1>
        <Field
          className="w-full md:w-64"
          type="search"
          label={t('markets.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <div ref={list}>
        {!failed && <Movers lists={items && moversOf(items, rates, MOVERS_SHOWN)} />}
        <Panel>
          <Tabs
            label={t('markets.title')}
            value={tab}
            onChange={setTab}
            tabs={[
              { id: FAVOURITES, label: t('markets.favourites') },
              { id: '', label: t('markets.all') },
              ...(groups ?? []).map((group) => ({ id: group.name, label: group.name })),
            ]}
          />
          <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={t('markets.title')}>
            <table className="w-full border-collapse text-table">
              <thead>
                <tr>
                  {heading('symbol', t('markets.pair'), false)}
                  {heading('price', t('markets.price'), true)}
                  {heading('change', t('markets.change'), true)}
                  <th scope="col" className="px-3 text-right font-normal text-t2 max-md:hidden">
                    {t('markets.high')}
                  </th>
                  <th scope="col" className="px-3 text-right font-normal text-t2 max-md:hidden">
                    {t('markets.low')}
                  </th>
                  {heading('volume', t('markets.volume'), true, 'max-md:hidden')}
                  <th scope="col" className="max-md:hidden">
                    <span className="sr-only">{t('markets.trade')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {groups &&
                  rows?.map((item) => (
                    <Row
                      key={item.symbol}
                      item={item}
                      favourite={favourites.includes(item.symbol)}
                      onToggle={() => toggle(item.symbol)}
                    />
                  ))}
                {groups === undefined &&
                  !failed &&
                  [0, 1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
                    <tr key={row} className="border-t border-line">
                      <td colSpan={7} className="h-10 px-3">
                        <Skeleton className="h-4 w-full" />
                      </td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
          {failed && (
            <Empty action={<Button onClick={retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>
          )}
          {rows?.length === 0 && <Empty>{t('markets.none')}</Empty>}
        </Panel>
      </div>
    </div>
  );
}

function Row({ item, favourite, onToggle }: { item: QuotationItem; favourite: boolean; onToggle: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const live = useTicker(item.symbol);
  const price = live?.price ?? item.now_price;
  return (
    <tr
      className="cursor-pointer border-t border-line hover:bg-bg2"
      // The link in the row is its name for keyboards and readers; a press anywhere else leads there too.
      onClick={(event) => {
        if (!(event.target as Element).closest('a, button')) void navigate(spotAddress(item));
      }}
    >
      <td className="h-10 px-3 whitespace-nowrap max-md:px-2">
        <span className="inline-flex items-center gap-2">
          <button
            type="button"
            aria-pressed={favourite}
            aria-label={t(favourite ? 'markets.removeFavourite' : 'markets.addFavourite', { pair: item.symbol })}
            onClick={onToggle}
            className={cx(
              'grid size-6 place-items-center rounded-chip',
              favourite ? 'text-warn' : 'text-t3 hover:text-t1',
            )}
          >
            <Star size={14} fill={favourite ? 'currentColor' : 'none'} aria-hidden />
          </button>
          <Link to={spotAddress(item)} className="text-button font-medium hover:underline">
            <Num>{item.symbol}</Num>
          </Link>
          <FeedChip feed={item.feed} />
        </span>
      </td>
      <td className="px-3 text-right text-t1 max-md:px-2">
        <Num>{formatBookPrice(price, item.price_scale)}</Num>
      </td>
      <td className="px-3 text-right whitespace-nowrap max-md:px-2">
        <Change value={live?.change ?? item.change} />
      </td>
      <td className="px-3 text-right text-t2 max-md:hidden">
        <Num>{formatBookPrice(live?.high ?? item.high, item.price_scale)}</Num>
      </td>
      <td className="px-3 text-right text-t2 max-md:hidden">
        <Num>{formatBookPrice(live?.low ?? item.low, item.price_scale)}</Num>
      </td>
      <td className="px-3 text-right text-t2 max-md:hidden">
        <Num className="block whitespace-nowrap">
          {formatAmount(live?.volume ?? item.volume)} {item.currency_name}
        </Num>
        <Num className="block text-label whitespace-nowrap">
          {formatTurnover(item.quote_volume)} {item.legal_name}
        </Num>
      </td>
      <td className="px-3 text-end max-md:hidden">
        <Link to={spotAddress(item)} className="rounded-chip border border-line-strong px-2 py-1 hover:bg-bg3">
          {t('markets.trade')}
        </Link>
      </td>
    </tr>
  );
}
