import { useTranslation } from 'react-i18next';
import { cx } from '@bourse/ui';
import { AVERAGES, INTERVALS, type IntervalId } from './intervals.js';

interface Props {
  interval: IntervalId;
  onInterval: (interval: IntervalId) => void;
  averages: readonly number[];
  onAverages: (averages: readonly number[]) => void;
  onTable: () => void;
}
const CHOICE = 'h-7 rounded-chip px-2 text-table whitespace-nowrap';
const tone = (on: boolean): string => (on ? 'bg-bg3 text-t1' : 'text-t2 hover:text-t1');

/** Interval, averages and the bars as a table: the line above the candles. */
export function ChartBar({ interval, onInterval, averages, onAverages, onTable }: Props) {
  const { t } = useTranslation();
  const toggle = (length: number): void =>
    onAverages(
      averages.includes(length)
        ? averages.filter((other) => other !== length)
        : [...averages, length].sort((a, b) => a - b),
    );
  return (
    <div
      className={
        'flex shrink-0 items-center gap-3 px-3 max-md:h-9 max-md:overflow-x-auto ' + 'md:flex-wrap md:gap-y-0 md:py-1'
      }
    >
      <div role="radiogroup" aria-label={t('chart.interval')} className="flex gap-0.5 md:flex-wrap">
        {INTERVALS.map(({ id }) => (
          <button
            key={id}
            type="button"
            role="radio"
            aria-checked={id === interval}
            onClick={() => onInterval(id)}
            className={cx(CHOICE, tone(id === interval))}
          >
            {t(`interval.${id}`)}
          </button>
        ))}
      </div>
      <div role="group" aria-label={t('chart.averages')} className="flex gap-0.5">
        {AVERAGES.map((length) => (
          <button
            key={length}
            type="button"
            aria-pressed={averages.includes(length)}
            onClick={() => toggle(length)}
            className={cx(CHOICE, tone(averages.includes(length)))}
          >
            MA{length}
          </button>
        ))}
      </div>
      <button type="button" onClick={onTable} className={cx(CHOICE, 'ms-auto text-t2 hover:text-t1')}>
        {t('chart.asTable')}
      </button>
    </div>
  );
}
