import '../live.css';
import { ChevronDown, Keyboard } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { arrowOf, Change, cx, formatBookPrice, formatTurnover, Num } from '@bourse/ui';
import { lazyScreen } from '@bourse/web';
import { useTicker } from '../../core/feed.js';
import type { Panels } from '../layout/use-panel-layout.js';
import { FeedChip } from '../../parts/feed-chip.js';

const LayoutMenu = lazyScreen(async () => ({ default: (await import('../layout/layout-menu.js')).LayoutMenu }));
const PairDialog = lazyScreen(async () => ({ default: (await import('./pair-dialog.js')).PairDialog }));

interface Props {
  pair: QuotationItem;
  groups: readonly QuotationGroup[] | undefined;
  approx: (price: string) => string;
  onChoose: (item: QuotationItem) => void;
  age: number | undefined;
  /** Absent where the window has one arrangement. */
  panels: Panels | undefined;
  onHelp: () => void;
  /** Address of practice on a recorded day of this market; absent where that is not offered. */
  practice?: string;
}

/** The pair and its day: price, change, high, low, volume. The name opens the list of markets. */
export function PairBar({ pair, groups, approx, onChoose, age, panels, onHelp, practice }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const ticker = useTicker(pair.symbol);
  const price = ticker?.price ?? pair.now_price;
  const change = ticker?.change ?? pair.change;
  const facts: [string, string][] = [
    [t('pair.high'), formatBookPrice(ticker?.high ?? pair.high, pair.price_scale)],
    [t('pair.low'), formatBookPrice(ticker?.low ?? pair.low, pair.price_scale)],
    [t('pair.volume', { coin: pair.currency_name }), formatTurnover(ticker?.volume ?? pair.volume)],
  ];
  return (
    <div
      className={
        'flex min-h-14 shrink-0 items-center gap-x-6 gap-y-1 border-b border-line bg-bg1 ' +
        'px-4 max-lg:gap-x-4 max-lg:overflow-x-auto max-md:gap-x-3 max-md:px-2'
      }
    >
      <h1>
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
          className={
            'flex h-10 items-center gap-2 rounded-chip px-1 text-title ' +
            'font-semibold whitespace-nowrap hover:bg-bg3'
          }
        >
          <Num>{pair.symbol}</Num>
          <FeedChip feed={pair.feed} />
          <ChevronDown size={16} aria-hidden />
          <span className="sr-only">{t('pair.choose')}</span>
        </button>
      </h1>
      <div className={cx('flex items-baseline gap-2 whitespace-nowrap', age !== undefined && 'stale')}>
        <Num
          className={cx(
            'text-last font-semibold max-md:text-title',
            arrowOf(change) === '▲' && 'text-up',
            arrowOf(change) === '▼' && 'text-down',
          )}
        >
          {formatBookPrice(price, pair.price_scale)}
        </Num>
        <Num className="text-table text-t2 max-lg:hidden">{approx(price)}</Num>
      </div>
      <div className="whitespace-nowrap">
        <span className="block text-label text-t2 max-md:sr-only">{t('pair.change')}</span>
        <Change value={change} />
      </div>
      {facts.map(([name, value]) => (
        <div key={name} className="whitespace-nowrap max-md:hidden">
          <span className="block text-label text-t2">{name}</span>
          <Num>{value}</Num>
        </div>
      ))}
      {pair.mode !== 'normal' && (
        <span role="status" className="text-table whitespace-nowrap text-warn">
          {t(`pair.mode.${pair.mode}`)}
        </span>
      )}
      {panels && (
        <div className="ms-auto flex items-center gap-1">
          {practice && (
            <Link
              to={practice}
              className="rounded-chip px-2 py-1.5 text-button whitespace-nowrap text-t2 hover:bg-bg3 hover:text-t1"
            >
              {t('nav.practice')}
            </Link>
          )}
          <button
            type="button"
            aria-label={t('keys.title')}
            title={t('keys.title')}
            onClick={onHelp}
            className="grid size-9 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1"
          >
            <Keyboard size={16} aria-hidden />
          </button>
          <Suspense fallback={<span className="size-9" />}>
            <LayoutMenu panels={panels} />
          </Suspense>
        </div>
      )}
      <Suspense>
        {open && (
          <PairDialog
            groups={groups}
            chosen={pair.symbol}
            onClose={() => setOpen(false)}
            onChoose={(item) => {
              onChoose(item);
              setOpen(false);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
