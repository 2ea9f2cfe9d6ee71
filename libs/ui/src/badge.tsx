import type { ReactNode } from 'react';
import { cx } from './class-names.js';

export type Tone = 'plain' | 'info' | 'up' | 'down' | 'warn' | 'accent';

/** Text colour of a tone; the edge takes the same colour, so that a tone survives without its fill. */
const TONES: Record<Tone, string> = {
  plain: 'text-t2 border-line-strong',
  info: 'text-info border-info',
  up: 'text-up border-up',
  down: 'text-down border-down',
  warn: 'text-warn border-warn',
  accent: 'text-accent border-accent',
};

/** A short state or label beside a name: "Recorded", "Stop", "Under review". Colour is never the only sign. */
export function Badge({
  tone = 'plain',
  title,
  className,
  children,
}: {
  tone?: Tone;
  /** A longer explanation of the short text. */
  title?: string | undefined;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      title={title}
      className={cx(
        'inline-flex h-4 shrink-0 items-center rounded-chip border px-1 text-label leading-none whitespace-nowrap',
        TONES[tone],
        className,
      )}
    >
      {children}
      {title !== undefined && <span className="sr-only"> ({title})</span>}
    </span>
  );
}

/**
 * A count as a badge shows it. The accessible name begins with the same text, so that users of voice control can say
 * it.
 */
export const countText = (count: number): string => (count > 99 ? '99+' : String(count));

/**
 * A number on the corner of an icon button; nothing at zero, `99+` above 99. The words belong to the button's label.
 */
export function CountBadge({ count }: { count: number }) {
  if (count <= 0) return null;
  return (
    <span
      aria-hidden
      className={
        'num absolute end-0 top-0 grid h-4 min-w-4 place-items-center rounded-full ' +
        'bg-down px-1 text-label leading-none text-on-down'
      }
    >
      {countText(count)}
    </span>
  );
}
