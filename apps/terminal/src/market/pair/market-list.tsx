import { Star } from 'lucide-react';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { Change, cx, formatPrice, Num, Skeleton, Tabs } from '@bourse/ui';
import { tickers, watchTickers } from '../../core/feed.js';
import { useKept } from '../../prefs/use-kept.js';

interface Props {
  groups: readonly QuotationGroup[] | undefined;
  chosen: string;
  onChoose: (item: QuotationItem) => void;
  autoFocus?: boolean;
}
let version = 0;
const watchVersion = (changed: () => void): (() => void) =>
  watchTickers(() => {
    version += 1;
    changed();
  });

/** Pairs by quote currency, with search and favourites. Prices follow the ticker stream at 4 Hz. */
export function MarketList({ groups, chosen, onChoose, autoFocus = false }: Props) {
  const { t } = useTranslation();
  const [favourites, setFavourites] = useKept<readonly string[]>('favourites', []);
  const [tab, setTab] = useState<string>(() => chosen.split('/')[1] ?? 'USDT');
  const [search, setSearch] = useState('');
  useSyncExternalStore(watchVersion, () => version);
  const rows = useMemo(() => {
    const all = groups?.flatMap((group) => group.quotation).filter((item) => item.is_display === 1);
    const wanted = search.trim().toLowerCase();
    if (wanted !== '') return all?.filter((item) => item.symbol.toLowerCase().includes(wanted));
    return tab === 'favourites'
      ? all?.filter((item) => favourites.includes(item.symbol))
      : all?.filter((item) => item.legal_name === tab);
  }, [groups, tab, search, favourites]);
  const tabs = [
    {
      id: 'favourites',
      label: (
        <>
          <Star size={14} aria-hidden />
          <span className="sr-only">{t('market.favourites')}</span>
        </>
      ),
    },
    ...(groups ?? []).map((group) => ({ id: group.name, label: <Num>{group.name}</Num> })),
  ];
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="p-2">
        <input
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          placeholder={t('common.search')}
          aria-label={t('market.search')}
          data-autofocus={autoFocus ? '' : undefined}
          data-search=""
          className="h-8 w-full rounded-panel border border-line-strong bg-bg2 px-3 text-table"
        />
      </div>
      <Tabs
        label={t('market.quotes')}
        tabs={tabs}
        value={tab}
        onChange={(next) => {
          setTab(next);
          setSearch('');
        }}
      />
      <ul aria-label={t('market.list')} className="min-h-0 flex-1 overflow-auto">
        {rows === undefined &&
          [0, 1, 2, 3, 4, 5].map((row) => (
            <li key={row} className="h-8 px-3 py-2">
              <Skeleton className="h-4" />
            </li>
          ))}
        {rows?.length === 0 && (
          <li className="p-4 text-center text-t2">
            {t(search !== '' ? 'market.nothingFound' : 'market.noFavourites')}
          </li>
        )}
        {rows?.map((item) => {
          const ticker = tickers.get(item.symbol);
          const starred = favourites.includes(item.symbol);
          return (
            <li
              key={item.symbol}
              className={cx('flex h-8 items-center hover:bg-bg2', item.symbol === chosen && 'bg-bg3')}
            >
              <button
                type="button"
                aria-pressed={starred}
                aria-label={t('market.favourite', { pair: item.symbol })}
                onClick={() =>
                  setFavourites(
                    starred ? favourites.filter((symbol) => symbol !== item.symbol) : [...favourites, item.symbol],
                  )
                }
                className="grid size-8 shrink-0 place-items-center text-t3"
              >
                <Star size={12} aria-hidden className={cx(starred && 'fill-current text-accent')} />
              </button>
              <button
                type="button"
                aria-current={item.symbol === chosen || undefined}
                onClick={() => onChoose(item)}
                className="grid h-8 min-w-0 flex-1 grid-cols-[1fr_1fr_4.5rem] items-center gap-1 pe-3 text-table"
              >
                <span className="truncate text-start">
                  <Num>
                    {item.currency_name}
                    <span className="text-t3">/{item.legal_name}</span>
                  </Num>
                </span>
                <span className="truncate text-end">
                  <Num>{formatPrice(ticker?.price ?? item.now_price, item.price_scale)}</Num>
                </span>
                <span className="truncate text-end">
                  <Change value={ticker?.change ?? item.change} />
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
