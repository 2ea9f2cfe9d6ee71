import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { cx } from '@bourse/ui';

/** The place of a handle: before or after the panel whose size it changes. */
export type HandleSide = 'before' | 'after';

interface Props {
  label: string;
  axis: 'x' | 'y';
  side: HandleSide;
  value: number;
  min: number;
  max: number;
  onChange: (size: number) => void;
}
const KEY_STEP = 16;

/** A separator between two panels after the ARIA pattern: pointer, arrow keys, Home and End. */
export function Splitter({ label, axis, side, value, min, max, onChange }: Props) {
  const drag = useRef<{ at: number; size: number } | undefined>(undefined);
  /** Whether the panel lies towards smaller coordinates: moving away from it then makes it larger. */
  const isTowardsZero = (element: Element): boolean =>
    (side === 'after') !== (axis === 'x' && getComputedStyle(element).direction === 'rtl');
  const down = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { at: axis === 'x' ? event.clientX : event.clientY, size: value };
  };
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (!drag.current) return;
    const moved = (axis === 'x' ? event.clientX : event.clientY) - drag.current.at;
    onChange(drag.current.size + (isTowardsZero(event.currentTarget) ? moved : -moved));
  };
  const key = (event: KeyboardEvent<HTMLDivElement>): void => {
    const keys = axis === 'x' ? (['ArrowLeft', 'ArrowRight'] as const) : (['ArrowUp', 'ArrowDown'] as const);
    const [grow, shrink] = isTowardsZero(event.currentTarget) ? keys.toReversed() : keys;
    const next =
      event.key === grow
        ? value + KEY_STEP
        : event.key === shrink
          ? value - KEY_STEP
          : event.key === 'Home'
            ? min
            : event.key === 'End'
              ? max
              : undefined;
    if (next === undefined) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
      onKeyDown={key}
      className={cx(
        'shrink-0 touch-none rounded-chip hover:bg-line-strong focus-visible:bg-accent',
        axis === 'x' ? 'w-1 cursor-col-resize' : 'h-1 cursor-row-resize',
      )}
    />
  );
}
