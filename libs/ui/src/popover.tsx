import { useRef, type ReactNode } from 'react';
import { cx } from './class-names.js';
import { DROPDOWN, DROPDOWN_SIDES, useDropdown, type DropdownSide } from './use-dropdown.js';

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
  align?: DropdownSide;
  className?: string;
  children: ReactNode | ((close: () => void) => ReactNode);
}) {
  const panel = useRef<HTMLDivElement>(null);
  const { open, close, root, around, button, id } = useDropdown(() => panel.current?.focus());
  return (
    <div
      ref={root}
      className="relative inline-block"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        close();
      }}
      {...around}
    >
      <button aria-haspopup="dialog" aria-label={label} title={label} {...button}>
        {trigger}
      </button>
      {open && (
        <div
          ref={panel}
          id={id}
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          className={cx(DROPDOWN, 'max-h-[70vh] p-3 outline-none', DROPDOWN_SIDES[align], className)}
        >
          {typeof children === 'function' ? children(close) : children}
        </div>
      )}
    </div>
  );
}
