import { createContext, useContext, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './class-names.js';
import { DROPDOWN, DROPDOWN_SIDES, useDropdown, type DropdownSide } from './use-dropdown.js';

/** Closes the menu around an item, before the item acts. */
export const CloseMenu = createContext<() => void>(() => undefined);

/** Moves the focus within a menu by arrows, Home, End and first letters. */
export function moveInMenu(event: KeyboardEvent, items: readonly HTMLElement[]): void {
  const { key } = event;
  const at = items.indexOf(document.activeElement as HTMLElement);
  const inOrder = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  const next =
    key === 'ArrowDown'
      ? inOrder[0]
      : key === 'ArrowUp'
        ? items.at(at - 1)
        : key === 'Home'
          ? items[0]
          : key === 'End'
            ? items.at(-1)
            : key.length === 1 && key !== ' '
              ? inOrder.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
              : undefined;
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/**
 * A menu under a button after the ARIA pattern: arrows, Home, End, type-ahead, Escape, focus back to the button.
 * Written here because the library's needs 45 kB of the 150 the shell may weigh.
 */
export function Menu({
  trigger,
  label,
  children,
  align = 'end',
}: {
  trigger: ReactNode;
  label: string;
  children: ReactNode;
  align?: DropdownSide;
}) {
  const items = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const { open, setOpen, close, root, around, button, id } = useDropdown(() =>
    (items().find((item) => item.getAttribute('aria-checked') === 'true') ?? items()[0])?.focus(),
  );
  const onKey = (event: KeyboardEvent): void => {
    if (!open) {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        setOpen(true);
      }
      return;
    }
    if (event.key === 'Escape') {
      // A dialog around the menu stays.
      event.preventDefault();
      event.stopPropagation();
      return close();
    }
    if (event.key === 'Tab') return setOpen(false);
    moveInMenu(event, items());
  };
  return (
    <div ref={root} className="relative" onKeyDown={onKey} {...around}>
      <button aria-haspopup="menu" aria-label={label} title={label} {...button}>
        {trigger}
      </button>
      {open && (
        <CloseMenu.Provider value={close}>
          <div
            id={id}
            role="menu"
            aria-label={label}
            className={cx(DROPDOWN, 'max-h-[calc(100dvh-4.5rem)] min-w-44 p-1', DROPDOWN_SIDES[align])}
          >
            {children}
          </div>
        </CloseMenu.Provider>
      )}
    </div>
  );
}

export function MenuItem({
  onSelect,
  children,
  checked,
}: {
  onSelect: () => void;
  children: ReactNode;
  checked?: boolean;
}) {
  const close = useContext(CloseMenu);
  return (
    <button
      type="button"
      tabIndex={-1}
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      onClick={() => {
        close();
        onSelect();
      }}
      className={cx(
        'flex min-h-8 w-full items-center justify-between gap-4 rounded-chip ' +
          'px-3 py-1 text-start hover:bg-bg3 focus:bg-bg3',
        checked === true && 'text-accent',
      )}
    >
      {children}
      {checked === true && <span aria-hidden>✓</span>}
    </button>
  );
}

export function MenuSeparator() {
  return <div role="separator" className="my-1 h-px bg-line" />;
}
