import type { ReactNode } from 'react';

/** One figure with its name. */
export function Figure({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <dt className="text-table text-t2">{name}</dt>
      <dd className="text-body">{children}</dd>
    </div>
  );
}
