import { Slider as Parts } from 'radix-ui';
import { cx } from './class-names.js';

/**
 * A percentage in steps of 25. Keeps its meaning in right-to-left pages: more is always to the right, like the numbers
 * beside it.
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
  const colour = { accent: 'bg-accent', up: 'bg-up', down: 'bg-down' }[tone];
  return (
    <div dir="ltr" className={cx('flex flex-col gap-1', disabled && 'opacity-50')}>
      <Parts.Root
        dir="ltr"
        min={0}
        max={100}
        step={25}
        value={[value]}
        disabled={disabled}
        onValueChange={([next]) => onChange(next ?? 0)}
        className="relative flex h-6 touch-none items-center select-none"
      >
        <Parts.Track className="relative h-1 grow rounded-full bg-bg3">
          <Parts.Range className={cx('absolute h-full rounded-full', colour)} />
        </Parts.Track>
        <Parts.Thumb
          aria-label={label}
          aria-valuetext={`${value}%`}
          className={cx('block size-4 rounded-full border-2 border-bg1', colour)}
        />
      </Parts.Root>
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
