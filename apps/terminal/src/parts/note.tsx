import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '@bourse/ui';

/** Something to know before acting: a mark, a title in words, never colour alone. */
export function Note({
  tone = 'info',
  children,
  className,
}: {
  tone?: 'info' | 'warn';
  children: ReactNode;
  className?: string;
}) {
  return (
    <div className={cx('flex gap-2 rounded-panel border border-line bg-bg1 px-3 py-2 text-table text-t2', className)}>
      {tone === 'warn' ? (
        <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      ) : (
        <Info size={14} aria-hidden className="mt-0.5 shrink-0 text-info" />
      )}
      <div className="flex min-w-0 flex-col gap-1">{children}</div>
    </div>
  );
}
