import { Star } from 'lucide-react';
import { Fragment, useEffect, useId, useMemo, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { Change, cx, formatBookPrice, Num, Skeleton, Tabs } from '@bourse/ui';
import { tickers, watchTickers } from '../../core/feed.js';
import { useKept } from '../../prefs/use-kept.js';
import { FeedChip } from '../../parts/feed-chip.js';
import type { FoundList, FoundRow } from './found-rows.js';

interface Props {
  groups: readonly QuotationGroup[] | undefined;
  chosen: string;
  onChoose: (item: QuotationItem) => void;
  autoFocus?: boolean;
  /** Name of the search field, where more than pairs is searched. */
  label?: string;
  /** Searched besides the pairs. */
  also?: readonly FoundList[];
}
const MARKED = 'outline-2 -outline-offset-2 outline-accent';
let version = 0;
const watchVersion = (changed: () => void): (() => void) =>
  watchTickers(() => {
    version += 1;
    changed();
  });

/** Pairs by quote currency, with search and favourites. Prices follow the ticker stream at 4 Hz. */
export function MarketList({ groups, chosen, onChoose, autoFocus = false, label, also = [] }: Props) {
  const { t } = useTranslation();
  const [favourites, setFavourites] = useKept<readonly string[]>('favourites', []);
  const [tab, setTab] = useState<string>(() => chosen.split('/')[1] ?? 'USDT');
  const [search, setSearch] = useState('');
  /** The row that an arrow key has chosen. */
  const [moved, setMoved] = useState<number>();
  /** Enter was pressed before the pairs, which come first, were known: it takes the first row then. */
  const [isEnterKept, setEnterKept] = useState(false);
  const id = useId();
  useSyncExternalStore(watchVersion, () => version);
  const rows = useMemo(() => {
    const all = groups?.flatMap((group) => group.quotation).filter((item) => item.is_display === 1);
    const wanted = search.trim().toLowerCase();
    if (wanted !== '') return all?.filter((item) => item.symbol.toLowerCase().includes(wanted));
    return tab === 'favourites'
      ? all?.filter((item) => favourites.includes(item.symbol))
      : all?.filter((item) => item.legal_name === tab);
  }, [groups, tab, search, favourites]);
  const isOneQuote = search.trim() === '' && tab !== 'favourites';
  const found =
    search.trim() === '' ? [] : also.map(({ heading, rowsFor }) => ({ heading, found: rowsFor(search.trim()) }));
  /** Ids of all rows, in the order of the arrow keys, and what Enter does on them. */
  const choices = [
    ...(rows ?? []).map((item) => ({ id: `${id}-${item.symbol}`, run: () => onChoose(item) })),
    ...found.flatMap((list) => list.found.map((row) => ({ id: `${id}-${row.id}`, run: row.run }))),
  ];
  /** The row that Enter takes: the first one once something is typed and the pairs are known. */
  const active = moved ?? (search.trim() === '' || rows === undefined ? -1 : 0);
  const marked = choices[active];
  useEffect(() => {
    if (!isEnterKept || rows === undefined) return;
    setEnterKept(false);
    marked?.run();
  }, [isEnterKept, rows, marked]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && rows === undefined && search.trim() !== '' && !marked) setEnterKept(true);
    else if (choices.length === 0) return;
    else if (event.key === 'Enter' && marked) marked.run();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = event.key === 'ArrowDown' ? active + 1 : Math.max(active, 0) - 1;
      const at = (next + choices.length) % choices.length;
      setMoved(at);
      document.getElementById(choices[at]?.id ?? '')?.scrollIntoView({ block: 'nearest' });
    } else return;
    event.preventDefault();
  };
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
        {/* Of type text: Escape must close the dialog at the first press, not empty the field. */}
        <input
          type="text"
          role="combobox"
          aria-haspopup="grid"
          autoComplete="off"
          spellCheck={false}
          aria-expanded={choices.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={marked?.id}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setMoved(undefined);
            setEnterKept(false);
          }}
          onKeyDown={onKey}
          placeholder={t('common.search')}
          aria-label={label ?? t('market.search')}
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
      <ul
        id={id}
        role={choices.length > 0 ? 'grid' : undefined}
        aria-label={t('market.list')}
        className="min-h-0 flex-1 overflow-auto"
      >
        {rows === undefined &&
          [0, 1, 2, 3, 4, 5].map((row) => (
            <li key={row} role="presentation" className="h-8 px-3 py-2">
              <Skeleton className="h-4" />
            </li>
          ))}
        {rows !== undefined && choices.length === 0 && (
          <li role="presentation" className="p-4 text-center text-t2">
            {t(search !== '' ? 'market.nothingFound' : 'market.noFavourites')}
          </li>
        )}
        {rows?.map((item) => {
          const ticker = tickers.get(item.symbol);
          const starred = favourites.includes(item.symbol);
          return (
            <li
              key={item.symbol}
              id={`${id}-${item.symbol}`}
              role="row"
              aria-selected={item.symbol === chosen}
              className={cx(
                'flex h-8 items-center hover:bg-bg2',
                item.symbol === chosen && 'bg-bg3',
                marked?.id === `${id}-${item.symbol}` && MARKED,
              )}
            >
              <span role="gridcell" className="flex shrink-0">
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
              </span>
              <span role="gridcell" className="flex min-w-0 flex-1">
                <button
                  type="button"
                  aria-current={item.symbol === chosen || undefined}
                  onClick={() => onChoose(item)}
                  className={
                    'grid h-8 min-w-0 flex-1 ' +
                    'grid-cols-[minmax(0,1fr)_auto_4.5rem] items-center gap-2 ' +
                    'pe-3 text-table'
                  }
                >
                  <span className="flex items-center gap-1 text-start">
                    <Num>
                      {item.currency_name}
                      {/* Its tab names the quote; the figures need the room. */}
                      <span className={isOneQuote ? 'sr-only' : 'text-t3'}>/{item.legal_name}</span>
                    </Num>
                    <FeedChip feed={item.feed} />
                  </span>
                  <span className="text-right">
                    <Num>{formatBookPrice(ticker?.price ?? item.now_price, item.price_scale)}</Num>
                  </span>
                  <span className="truncate text-right">
                    <Change value={ticker?.change ?? item.change} />
                  </span>
                </button>
              </span>
            </li>
          );
        })}
        {found.map(
          (list) =>
            list.found.length > 0 && (
              <Fragment key={list.heading}>
                <li role="presentation" className="px-3 pt-3 pb-1 text-label text-t2">
                  {list.heading}
                </li>
                {list.found.map((row) => (
                  <FoundItem key={row.id} row={row} id={`${id}-${row.id}`} marked={marked?.id === `${id}-${row.id}`} />
                ))}
              </Fragment>
            ),
        )}
      </ul>
    </div>
  );
}

function FoundItem({ row, id, marked }: { row: FoundRow; id: string; marked: boolean }) {
  const { content, action, run } = row;
  return (
    <li
      id={id}
      role="row"
      aria-selected={marked}
      className={cx('flex h-8 items-center gap-2 ps-3 pe-2 text-table hover:bg-bg2', marked && MARKED)}
    >
      <span role="gridcell" className="flex min-w-0 flex-1">
        <button type="button" onClick={run} className="h-8 min-w-0 flex-1 truncate text-start">
          {content}
        </button>
      </span>
      {action && (
        <span role="gridcell" className="flex shrink-0">
          <button
            type="button"
            aria-label={action.label}
            onClick={action.run}
            className="h-6 rounded-chip px-2 text-t2 hover:bg-bg3 hover:text-t1"
          >
            {action.text}
          </button>
        </span>
      )}
    </li>
  );
}
