import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { cx } from './class-names.js';

/** A panel under its button for fields and text: Escape, a press outside and leaving it by Tab close it. */
export function Popover({
  trigger,
  label,
  align = 'end',
  className,
  children,
}: {
  trigger: ReactNode;
  /** Name of the button, and of the panel. */
  label: string;
  align?: 'start' | 'end';
  className?: string;
  children: ReactNode | ((close: () => void) => ReactNode);
}) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!open) return;
    panel.current?.focus();
    const outside = (event: PointerEvent): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);
  return (
    <div
      ref={root}
      className="relative inline-block"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        close();
      }}
      onBlur={(event) => {
        if (event.relatedTarget && !root.current?.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
        className={
          'inline-flex h-9 min-w-9 items-center justify-center gap-1 rounded-chip ' +
          'px-2 text-body text-t2 hover:bg-bg3 hover:text-t1'
        }
      >
        {trigger}
      </button>
      {open && (
        <div
          ref={panel}
          id={id}
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          className={cx(
            'absolute top-full z-50 mt-1.5 max-h-[70vh] w-max max-w-[calc(100vw-1rem)] overflow-auto ' +
              'rounded-panel border border-line bg-bg1 p-3 text-body text-t1 shadow-lg outline-none',
            align === 'end' ? 'end-0' : 'start-0',
            className,
          )}
        >
          {typeof children === 'function' ? children(close) : children}
        </div>
      )}
    </div>
  );
}
