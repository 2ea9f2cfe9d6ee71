import { useEffect, useEffectEvent, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { CloseMenu, moveInMenu } from './menu.js';
import { shiftInto } from './use-dropdown.js';

/**
 * A menu at a point of the window, as a press of the second button opens it. It takes the focus, and returns it when
 * an item is chosen or Escape is pressed; a press outside and Tab close it too. It is in the top layer: no panel cuts
 * it off.
 */
export function PointMenu({
  at,
  label,
  onClose,
  children,
}: {
  /** Place of the corner, in pixels of the window. */
  at: { readonly x: number; readonly y: number };
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  const items = (): HTMLElement[] => [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const { x, y } = at;
  useLayoutEffect(() => {
    const element = menu.current;
    if (!element) return;
    before.current ??= document.activeElement;
    if (!element.matches(':popover-open')) element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    element.style.left = `${x + shiftInto(x, x + width, clientWidth)}px`;
    element.style.top = `${y + shiftInto(y, y + height, clientHeight)}px`;
    element.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
  }, [x, y]);
  const leave = useEffectEvent(onClose);
  useEffect(() => {
    const outside = (event: PointerEvent): void => {
      if (!menu.current?.contains(event.target as Node)) leave();
    };
    const resized = (): void => leave();
    document.addEventListener('pointerdown', outside);
    window.addEventListener('resize', resized);
    return () => {
      document.removeEventListener('pointerdown', outside);
      window.removeEventListener('resize', resized);
    };
  }, []);
  const close = (): void => {
    onClose();
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== 'Escape' && event.key !== 'Tab') return moveInMenu(event, items());
    event.preventDefault();
    close();
  };
  return (
    <div
      ref={menu}
      popover="manual"
      role="menu"
      aria-label={label}
      onKeyDown={onKey}
      onContextMenu={(event) => event.preventDefault()}
      className={
        'fixed inset-auto m-0 max-h-dvh min-w-44 overflow-auto rounded-panel border border-line bg-bg1 p-1 ' +
        'text-body text-t1 shadow-lg'
      }
    >
      <CloseMenu.Provider value={close}>{children}</CloseMenu.Provider>
    </div>
  );
}
