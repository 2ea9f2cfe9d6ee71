import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { MicroSeconds } from '@bourse/contract';
import { atMost, cx, nextChoice, Num, Skeleton } from '@bourse/ui';
import { durationText } from './duration-text.js';

/** The durations with what each pays on a win: one tab stop, arrows move and choose. */
export function DurationChoice({
  durations,
  chosen,
  onChoose,
}: {
  durations: readonly MicroSeconds[] | undefined;
  chosen: MicroSeconds | undefined;
  onChoose: (seconds: number) => void;
}) {
  const { t } = useTranslation();
  const group = useRef<HTMLDivElement>(null);
  if (!durations) return <Skeleton className="h-30 w-full" />;
  const onKey = (event: KeyboardEvent): void => {
    const at = durations.findIndex(({ id }) => id === chosen?.id);
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const next = nextChoice(event.key, durations.length, at, rtl);
    const duration = next === undefined ? undefined : durations[next];
    if (!duration) return;
    event.preventDefault();
    onChoose(duration.seconds);
    group.current?.querySelector<HTMLElement>(`[data-seconds="${duration.seconds}"]`)?.focus();
  };
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={t('micro.duration')}
      onKeyDown={onKey}
      className="grid grid-cols-3 gap-2"
    >
      {durations.map((duration) => {
        const on = duration.id === chosen?.id;
        return (
          <button
            key={duration.id}
            type="button"
            role="radio"
            aria-checked={on}
            tabIndex={on ? 0 : -1}
            data-seconds={duration.seconds}
            onClick={() => onChoose(duration.seconds)}
            className={cx(
              'flex min-h-13 flex-col items-center justify-center rounded-panel border px-1 py-1',
              on ? 'border-accent bg-bg3 text-t1' : 'border-line-strong text-t2 hover:text-t1',
            )}
          >
            <span className="text-body font-medium">{durationText(t, duration.seconds)}</span>
            <Num className="text-table">+{atMost(duration.profit_ratio, 6)} %</Num>
          </button>
        );
      })}
    </div>
  );
}
