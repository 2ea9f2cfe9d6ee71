import { useId } from 'react';
import { cx } from './class-names.js';
import { lastDays, type DayRange } from './days.js';

/** Two days with quick choices. A range that ends before it begins is marked, and the caller gets it as typed. */
export function DateRange({
  label,
  fromLabel,
  toLabel,
  value,
  today,
  presets,
  error,
  onChange,
}: {
  label: string;
  fromLabel: string;
  toLabel: string;
  value: DayRange;
  /** Today in the zone of the records; later days cannot be chosen. */
  today: string;
  presets: readonly { days: number; label: string }[];
  /** Shown when the range ends before it begins. */
  error: string;
  onChange: (range: DayRange) => void;
}) {
  const id = useId();
  const wrong = value.from !== '' && value.to !== '' && value.from > value.to;
  const field = (side: 'from' | 'to', text: string) => (
    <label className="flex flex-col gap-1 text-table text-t2">
      {text}
      <input
        type="date"
        value={value[side]}
        max={today}
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? `${id}-error` : undefined}
        onChange={(event) => onChange({ ...value, [side]: event.target.value })}
        className={cx(
          'num h-10 rounded-panel border bg-bg2 px-3 text-body text-t1',
          wrong ? 'border-down' : 'border-line-strong',
        )}
      />
    </label>
  );
  return (
    <div role="group" aria-label={label} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        {field('from', fromLabel)}
        {field('to', toLabel)}
        <div className="flex h-10 items-center gap-0.5">
          {presets.map(({ days, label: text }) => {
            const range = lastDays(days, today);
            const chosen = range.from === value.from && range.to === value.to;
            return (
              <button
                key={days}
                type="button"
                aria-pressed={chosen}
                onClick={() => onChange(range)}
                className={cx(
                  'h-7 rounded-chip px-2 text-table whitespace-nowrap',
                  chosen ? 'bg-bg3 text-t1' : 'text-t2 hover:text-t1',
                )}
              >
                {text}
              </button>
            );
          })}
        </div>
      </div>
      {wrong && (
        <p id={`${id}-error`} role="alert" className="text-table text-down">
          {error}
        </p>
      )}
    </div>
  );
}
