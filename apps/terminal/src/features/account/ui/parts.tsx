import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { cx, Panel } from '@bourse/ui';
import { wayBackTo } from '../../../core/way-back.js';

/** A titled part of an account page. */
export function Section({
  title,
  lead,
  end,
  children,
  className,
}: {
  title: string;
  lead?: ReactNode;
  end?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <Panel label={title}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-3">
        <div className="min-w-0">
          <h2 className="text-title font-semibold">{title}</h2>
          {lead && <p className="text-table text-t2">{lead}</p>}
        </div>
        {end}
      </div>
      <div className={cx('border-t border-line', className)}>{children}</div>
    </Panel>
  );
}

/** One setting: its name, its state, its acts. */
export function SettingRow({ title, note, children }: { title: ReactNode; note?: ReactNode; children?: ReactNode }) {
  return (
    <div
      className={
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 ' +
        'border-t border-line px-3 py-3 first:border-t-0'
      }
    >
      <div className="min-w-0 flex-1 basis-52">
        <p className="text-button font-medium">{title}</p>
        {note && <div className="text-table text-t2">{note}</div>}
      </div>
      {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </div>
  );
}

/**
 * A link that looks like the button beside it, and leads back here afterwards. `what` names its subject for those who
 * do not see the row.
 */
export function ActionLink({
  to,
  what,
  children,
  primary = false,
}: {
  to: string;
  what?: string;
  children: string;
  primary?: boolean;
}) {
  const location = useLocation();
  return (
    <Link
      to={to}
      state={wayBackTo(location)}
      aria-label={what ? `${children}: ${what}` : undefined}
      className={cx(
        'inline-flex items-center justify-center rounded-panel font-medium whitespace-nowrap',
        primary
          ? 'h-10 bg-t1 px-4 text-button text-on-t1 hover:opacity-90'
          : 'h-7 border border-line-strong px-2 text-table text-t1 hover:bg-bg3',
      )}
    >
      {children}
    </Link>
  );
}

/** Good or not yet, with a sign and a word. */
export function State({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <span className={cx('text-table', good ? 'text-up' : 'text-warn')}>
      <span aria-hidden>{good ? '✓ ' : '! '}</span>
      {children}
    </span>
  );
}

/** Heading of an account page. */
export const PageTitle = ({ children, lead }: { children: string; lead?: string }) => (
  <div className="mb-4 flex flex-col gap-1">
    <h1 className="text-last font-semibold">{children}</h1>
    {lead && <p className="max-w-prose text-t2">{lead}</p>}
  </div>
);
