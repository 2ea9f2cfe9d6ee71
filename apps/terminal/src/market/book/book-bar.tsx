import { useTranslation } from 'react-i18next';
import { cx } from '@bourse/ui';
import { stepText } from './ladder.js';

const VIEWS = ['both', 'bids', 'asks'] as const;
export type BookView = (typeof VIEWS)[number];
/** Colours of the picture on the button of a view. */
const PICTURES: Readonly<Record<BookView, readonly string[]>> = {
  both: ['bg-down', 'bg-up'],
  bids: ['bg-up', 'bg-up'],
  asks: ['bg-down', 'bg-down'],
};

/** Chooses the sides of the book and the step that groups its prices. */
export function BookBar({
  view,
  onView,
  grouping,
  groupings,
  onGrouping,
  priceScale,
  imbalance,
  onImbalance,
}: {
  view: BookView;
  onView: (view: BookView) => void;
  grouping: number;
  /** Those that are offered. */
  groupings: readonly number[];
  onGrouping: (grouping: number) => void;
  priceScale: number;
  /** Whether the shares of bids and asks are shown. */
  imbalance: boolean;
  onImbalance: (shown: boolean) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="flex h-7 shrink-0 items-center gap-1 px-2">
      {VIEWS.map((one) => (
        <button
          key={one}
          type="button"
          aria-label={t(`book.view.${one}`)}
          title={t(`book.view.${one}`)}
          aria-pressed={one === view}
          onClick={() => onView(one)}
          className={cx('grid size-6 place-items-center rounded-chip', one === view ? 'bg-bg3' : 'hover:bg-bg2')}
        >
          <span aria-hidden className="keeps-colours flex w-3.5 flex-col gap-0.5">
            {PICTURES[one].map((colour, at) => (
              <span key={at} className={cx('h-1.5 rounded-xs', colour)} />
            ))}
          </span>
        </button>
      ))}
      <button
        type="button"
        aria-label={t('book.imbalance')}
        title={t('book.imbalance')}
        aria-pressed={imbalance}
        onClick={() => onImbalance(!imbalance)}
        className={cx('ms-1 grid size-6 place-items-center rounded-chip', imbalance ? 'bg-bg3' : 'hover:bg-bg2')}
      >
        <span aria-hidden className="keeps-colours flex w-3.5 gap-0.5">
          <span className="h-1.5 flex-2 rounded-xs bg-up" />
          <span className="h-1.5 flex-1 rounded-xs bg-down" />
        </span>
      </button>
      <select
        aria-label={t('book.grouping')}
        title={t('book.grouping')}
        value={grouping}
        onChange={({ target }) => onGrouping(Number(target.value))}
        className="num ms-auto h-6 rounded-chip bg-bg2 px-1 text-label text-t1"
      >
        {groupings.map((one) => (
          <option key={one} value={one}>
            {stepText(one, priceScale)}
          </option>
        ))}
      </select>
    </div>
  );
}
