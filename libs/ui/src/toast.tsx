import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { cx } from './class-names.js';
import { CloseButton } from './close-button.js';

export type ToastTone = 'done' | 'info' | 'error';
export interface ToastItem {
  /** A second toast with the same id takes the place of the first. */
  id: string;
  tone: ToastTone;
  text: ReactNode;
  /** Second line: figures, what happens next. */
  detail?: ReactNode;
  /**
   * Milliseconds until it closes; undefined: it stays until it is closed. The time stops while the pointer or the focus
   * is on it.
   */
  leavesAfterMs?: number | undefined;
  actions?: readonly { label: ReactNode; onClick: () => void }[];
  /** Address of the subject of the toast, for a page that offers a link to it. */
  to?: string;
  /** Rises with every change of its content: the time until it leaves starts again. */
  turn: number;
}

const ICONS = { done: CircleCheck, info: Info, error: CircleAlert };
const COLOURS = { done: 'text-up', info: 'text-info', error: 'text-down' };

/**
 * Messages over the page. The list is polite and takes no focus, is last in the tab order, and each toast can be
 * closed: Tab goes through it once, like through any other list.
 */
export function ToastList({
  label,
  closeLabel,
  toasts,
  onClose,
  className,
}: {
  label: string;
  closeLabel: string;
  toasts: readonly ToastItem[];
  onClose: (id: string) => void;
  className?: string;
}) {
  return (
    <section
      aria-label={label}
      aria-live="polite"
      aria-relevant="additions text"
      className={cx(
        'pointer-events-none fixed end-4 z-40 flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-2',
        className,
      )}
    >
      {toasts.map((toast) => (
        <Toast key={toast.id} toast={toast} closeLabel={closeLabel} onClose={() => onClose(toast.id)} />
      ))}
    </section>
  );
}

function Toast({ toast, closeLabel, onClose }: { toast: ToastItem; closeLabel: string; onClose: () => void }) {
  const [held, setHeld] = useState(false);
  const close = useEffectEvent(onClose);
  const { leavesAfterMs, turn, tone } = toast;
  useEffect(() => {
    if (held || leavesAfterMs === undefined) return;
    const timer = setTimeout(() => close(), leavesAfterMs);
    return () => clearTimeout(timer);
  }, [held, leavesAfterMs, turn]);
  const Icon = ICONS[tone];
  return (
    <div
      data-toast={toast.id}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={
        'pointer-events-auto flex items-start gap-2 rounded-panel border ' +
        'border-line-strong bg-bg2 p-3 text-body text-t1 shadow-lg'
      }
    >
      <Icon size={16} aria-hidden className={cx('mt-0.5 shrink-0', COLOURS[tone])} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="break-words">{toast.text}</p>
        {toast.detail !== undefined && <p className="text-table break-words text-t2">{toast.detail}</p>}
        {toast.actions && (
          <p className="flex gap-2">
            {toast.actions.map(({ label, onClick }, at) => (
              <button
                key={at}
                type="button"
                onClick={() => {
                  onClick();
                  onClose();
                }}
                className="h-7 rounded-chip border border-line-strong px-2 text-table hover:bg-bg3"
              >
                {label}
              </button>
            ))}
          </p>
        )}
      </div>
      <CloseButton label={closeLabel} onClick={onClose} />
    </div>
  );
}
