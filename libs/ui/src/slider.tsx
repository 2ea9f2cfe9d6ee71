import { cx } from './class-names.js';
import { nearestStep, stepByKey } from './slider-steps.js';

/** Colours of the part that is chosen and of the thumb. */
const TONES = {
  accent: { fill: 'bg-accent', thumb: '[&::-moz-range-thumb]:bg-accent [&::-webkit-slider-thumb]:bg-accent' },
  up: { fill: 'bg-up', thumb: '[&::-moz-range-thumb]:bg-up [&::-webkit-slider-thumb]:bg-up' },
  down: { fill: 'bg-down', thumb: '[&::-moz-range-thumb]:bg-down [&::-webkit-slider-thumb]:bg-down' },
} as const;
const THUMB =
  '[&::-moz-range-thumb]:box-border [&::-moz-range-thumb]:size-4 [&::-moz-range-thumb]:rounded-full ' +
  '[&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-bg1 [&::-webkit-slider-thumb]:size-4 ' +
  '[&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full ' +
  '[&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-bg1';

/**
 * Shows any percentage and chooses in steps of 25. Keeps its meaning in right-to-left pages: more is always to the
 * right, like the numbers beside it.
 */
export function PercentSlider({
  label,
  value,
  onChange,
  disabled = false,
  tone = 'accent',
}: {
  label: string;
  value: number;
  onChange: (percent: number) => void;
  disabled?: boolean;
  tone?: 'accent' | 'up' | 'down';
}) {
  const { fill, thumb } = TONES[tone];
  return (
    <div dir="ltr" className={cx('flex flex-col gap-1', disabled && 'opacity-50')}>
      <div className="relative flex h-6 items-center">
        <div className="h-1 grow rounded-full bg-bg3 forced-colors:border" />
        <div
          className={cx('keeps-colours absolute h-1 rounded-full', fill)}
          style={{ width: `calc(8px + (100% - 16px) * ${value / 100})` }}
        />
        <input
          type="range"
          min={0}
          max={100}
          step={1}
          value={value}
          disabled={disabled}
          aria-label={label}
          aria-valuetext={`${value}%`}
          onChange={({ target }) => onChange(nearestStep(Number(target.value)))}
          onKeyDown={(event) => {
            const step = stepByKey(event.key, value);
            if (step === undefined) return;
            event.preventDefault();
            if (step !== value) onChange(step);
          }}
          className={cx('absolute inset-0 m-0 h-6 w-full cursor-pointer appearance-none bg-transparent', THUMB, thumb)}
        />
      </div>
      <div aria-hidden className="flex justify-between text-label text-t2">
        {[0, 25, 50, 75, 100].map((step) => (
          <button
            key={step}
            type="button"
            tabIndex={-1}
            disabled={disabled}
            onClick={() => onChange(step)}
            className="num min-h-6 min-w-6 hover:text-t1"
          >
            {step}%
          </button>
        ))}
      </div>
    </div>
  );
}
