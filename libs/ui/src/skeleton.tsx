import type { ReactNode } from 'react';
import { cx } from './class-names.js';

/** A placeholder of the final size for loading content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('block rounded-chip bg-bg3', className)} />;
}

/** The content of an empty place: a sentence and the next step. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 p-6 text-center text-body text-t2">
      <p>{children}</p>
      {action}
    </div>
  );
}

/** A panel on the page. */
export function Panel({ children, className, label }: { children: ReactNode; className?: string; label?: string }) {
  return (
    <section aria-label={label} className={cx('min-w-0 rounded-panel border border-line bg-bg1', className)}>
      {children}
    </section>
  );
}
