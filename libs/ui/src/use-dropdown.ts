import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type RefObject,
} from 'react';

/** Room between the open part and the edge of the window. */
const EDGE_PX = 8;

/** How far an element must move to the right to fit into a window of this width; its start stays in sight. */
export function shiftInto(left: number, right: number, width: number): number {
  const moved = Math.min(0, width - EDGE_PX - right);
  return left + moved < EDGE_PX ? EDGE_PX - left : moved;
}

/**
 * The part that opens under a button: a press outside and moving the focus away close it, `close` returns the focus.
 */
export function useDropdown(onOpened: () => void): {
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly close: () => void;
  readonly root: RefObject<HTMLDivElement | null>;
  /** Attributes of the element around both. */
  readonly around: { readonly onBlur: (event: FocusEvent) => void };
  /** Attributes of the button. */
  readonly button: {
    readonly ref: RefObject<HTMLButtonElement | null>;
    readonly type: 'button';
    readonly 'aria-expanded': boolean;
    readonly 'aria-controls': string | undefined;
    readonly onClick: () => void;
    readonly className: string;
  };
  /** Id of what opens. */
  readonly id: string;
} {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const opened = useEffectEvent(onOpened);
  useLayoutEffect(() => {
    const panel = open ? document.getElementById(id) : null;
    if (!panel) return;
    const { left, right } = panel.getBoundingClientRect();
    panel.style.translate = `${shiftInto(left, right, document.documentElement.clientWidth)}px`;
  }, [open, id]);
  useEffect(() => {
    if (!open) return;
    opened();
    const outside = (event: PointerEvent): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);
  return {
    open,
    setOpen,
    close: () => {
      setOpen(false);
      button.current?.focus();
    },
    root,
    around: {
      onBlur: (event) => {
        if (event.relatedTarget && !root.current?.contains(event.relatedTarget)) setOpen(false);
      },
    },
    button: {
      ref: button,
      type: 'button',
      'aria-expanded': open,
      'aria-controls': open ? id : undefined,
      onClick: () => setOpen(!open),
      className:
        'inline-flex h-9 min-w-9 items-center justify-center gap-1 rounded-chip ' +
        'px-2 text-body text-t2 hover:bg-bg3 hover:text-t1',
    },
    id,
  };
}

/** The classes of the panel under the button, at the end or the start of it. */
export const DROPDOWN =
  'absolute top-full z-50 mt-1.5 w-max max-w-[calc(100vw-1rem)] overflow-auto ' +
  'rounded-panel border border-line bg-bg1 text-body text-t1 shadow-lg';
export type DropdownSide = 'start' | 'end';
export const DROPDOWN_SIDES: Record<DropdownSide, string> = { start: 'start-0', end: 'end-0' };
