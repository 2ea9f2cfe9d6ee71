import { useId, type ReactNode } from 'react';
import { Skeleton } from '@bourse/ui';

/** Names and values of one thing, in as many columns as fit. An undefined value is loading. */
export function Facts({ rows }: { rows: readonly (readonly [label: ReactNode, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-x-6 gap-y-3">
      {rows.map(([label, value], index) => (
        <div key={index} className="flex min-w-0 flex-col gap-0.5">
          <dt className="text-label text-t2">{label}</dt>
          <dd className="min-w-0 text-body break-words">
            {value === undefined ? <Skeleton className="h-5 w-24" /> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A part of a page under its own heading; `actions` are at its end. */
export function Section({ title, actions, children }: { title: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3 rounded-panel border border-line bg-bg1 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-title font-semibold">
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** The head of a page: its title, the link back, and its actions. */
export function PageHead({ title, back, actions }: { title: ReactNode; back?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        {back}
        <h1 className="text-last font-semibold">{title}</h1>
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}
