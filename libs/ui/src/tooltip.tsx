import { cloneElement, useId, useState, type ReactElement, type ReactNode } from 'react';
import { cx } from './class-names.js';

/**
 * Words about the control it holds, shown while that is hovered or has the focus, and tied to it by
 * `aria-describedby`. Escape hides them without leaving the control (WCAG 1.4.13).
 */
export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  text: ReactNode;
  side?: 'top' | 'bottom';
  children: ReactElement<{ 'aria-describedby'?: string }>;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <span
      className="relative inline-flex"
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        setOpen(false);
      }}
    >
      {cloneElement(children, { 'aria-describedby': id })}
      <span
        id={id}
        role="tooltip"
        className={cx(
          'absolute start-1/2 z-50 w-max max-w-64 -translate-x-1/2 rounded-chip border ' +
            'border-line-strong bg-bg2 px-2 py-1 text-table text-t1 shadow-lg rtl:translate-x-1/2',
          side === 'top' ? 'bottom-full mb-1' : 'top-full mt-1',
          !open && 'sr-only',
        )}
      >
        {text}
      </span>
    </span>
  );
}
