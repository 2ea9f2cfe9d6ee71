import { useEffectEvent, useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { cx } from './class-names.js';
import { CloseButton } from './close-button.js';
import { isPressOfItsOwn } from './double-click.js';
import { FormScope } from './form.js';

export interface DialogProps {
  open: boolean;
  /** Absent: only the actions close it, for contents that are shown once. */
  onClose?: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /**
   * Buttons at the bottom. The element with `data-autofocus` has the focus first, else the first field, else the last
   * of these buttons that is not of kind `danger`.
   */
  actions?: ReactNode;
  closeLabel: string;
  /** A dialog with room for a table. */
  wide?: boolean;
  /** `sheet` comes from the bottom edge (phones), `drawer` is at the page's end beside its subject. */
  shape?: 'dialog' | 'sheet' | 'drawer';
}

const SHAPES = {
  dialog: 'm-auto max-h-[92dvh] w-[min(28rem,calc(100vw-2rem))] rounded-dialog',
  wide: 'm-auto max-h-[92dvh] w-[min(48rem,calc(100vw-2rem))] rounded-dialog',
  sheet: 'mx-0 mt-auto mb-0 max-h-[92dvh] w-full max-w-full rounded-t-dialog',
  drawer: 'ms-auto me-0 my-0 h-dvh max-h-dvh w-[min(30rem,100vw)] max-w-full rounded-s-dialog',
} as const;

/**
 * A modal on the platform's own `dialog`: focus stays inside and returns, Escape and the backdrop close it where
 * `onClose` is given, the page behind is inert.
 */
export function Dialog(props: DialogProps) {
  return props.open
    ? createPortal(
        <FormScope>
          <Shown {...props} />
        </FormScope>,
        document.body,
      )
    : null;
}

function Shown(props: DialogProps) {
  const { onClose, title, description, children, actions, closeLabel, shape = 'dialog', wide = false } = props;
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const close = useEffectEvent(() => onClose?.());
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    const before = document.activeElement;
    const openedAt = performance.now();
    dialog.showModal();
    (
      dialog.querySelector<HTMLElement>('[data-autofocus]') ??
      dialog.querySelector<HTMLElement>('input:not([type=checkbox]), select, textarea') ??
      // Enter then confirms the request of the dialog, and nothing that cannot be undone.
      [...dialog.querySelectorAll<HTMLElement>('[data-actions] button:not([data-danger], :disabled)')].at(-1)
    )?.focus();
    const onCancel = (event: Event): void => {
      event.preventDefault();
      close();
    };
    // The browser closes a dialog without a cancel event when it has asked once and nothing was pressed since.
    const onClosed = (): void => {
      dialog.showModal();
      close();
    };
    const onPointer = (event: PointerEvent): void => {
      if (event.target === dialog && isPressOfItsOwn(openedAt, performance.now())) close();
    };
    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('close', onClosed);
    dialog.addEventListener('pointerdown', onPointer);
    return () => {
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('close', onClosed);
      dialog.removeEventListener('pointerdown', onPointer);
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      // The opener was removed, as the row of a cancelled order: the focus goes to the content, not to the page's top.
      else document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    };
  }, []);
  const onKey = (event: KeyboardEvent): void => {
    // A key that is still pressed from opening the dialog does not answer it.
    const isPress = event.key === 'Enter' || event.key === ' ';
    if (event.repeat && isPress && event.target instanceof HTMLButtonElement) event.preventDefault();
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    // The browser would close the dialog at a second Escape without asking.
    event.preventDefault();
    onClose?.();
  };
  return (
    <dialog
      ref={element}
      onKeyDown={onKey}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-text` : undefined}
      className={cx(
        'flex-col overflow-hidden border border-line bg-bg1 p-0 open:flex ' +
          'text-body text-t1 outline-none backdrop:bg-black/60',
        SHAPES[wide && shape === 'dialog' ? 'wide' : shape],
      )}
    >
      {/* Paddings belong to the parts, so that a press on them is not one on the backdrop. */}
      <div className="flex shrink-0 items-start justify-between gap-4 px-4 pt-4 pb-3">
        <h2 id={`${id}-title`} className="min-w-0 text-title font-semibold">
          {title}
        </h2>
        {onClose && <CloseButton label={closeLabel} onClick={onClose} large />}
      </div>
      {/* The one part that scrolls, with room around it for the focus ring of its fields. */}
      <div data-body="" className="flex min-h-0 flex-auto flex-col gap-4 overflow-auto overscroll-contain px-4 py-1">
        {description && (
          <div id={`${id}-text`} className="text-t2">
            {description}
          </div>
        )}
        {children}
      </div>
      <div data-actions="" className="flex shrink-0 flex-wrap justify-end gap-2 px-4 pt-3 pb-4 empty:pt-0">
        {actions}
      </div>
    </dialog>
  );
}
