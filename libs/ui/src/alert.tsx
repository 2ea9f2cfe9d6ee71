import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './class-names.js';
import { CloseButton } from './close-button.js';

export type AlertTone = 'info' | 'done' | 'warn' | 'error';
const LOOKS = {
  info: { icon: Info, colour: 'border-info text-info' },
  done: { icon: CircleCheck, colour: 'border-up text-up' },
  warn: { icon: TriangleAlert, colour: 'border-warn text-warn' },
  error: { icon: CircleAlert, colour: 'border-down text-down' },
} as const;

/** A message within the page. An error is announced at once, everything else politely. */
export function Alert({
  tone = 'info',
  title,
  action,
  onClose,
  closeLabel,
  className,
  children,
}: {
  tone?: AlertTone;
  title?: ReactNode;
  action?: ReactNode;
  /** With it the message can be dismissed; `closeLabel` names the button. */
  onClose?: () => void;
  closeLabel?: string;
  className?: string;
  children?: ReactNode;
}) {
  const { icon: Icon, colour } = LOOKS[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={cx('flex items-start gap-3 rounded-panel border bg-bg1 p-3 text-body', colour, className)}
    >
      <Icon size={18} aria-hidden className="mt-px shrink-0" />
      <div className="flex min-w-0 flex-1 flex-col gap-1 text-t1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className="text-t2">{children}</div>}
        {action}
      </div>
      {onClose && <CloseButton label={closeLabel} onClick={onClose} />}
    </div>
  );
}
