import type { ReactNode } from 'react';
import { cx } from './class-names.js';
import { Change, Num } from './num.js';
import { Skeleton } from './skeleton.js';

export interface Fact {
  id: string;
  name: ReactNode;
  value: ReactNode;
}

/** Names at the start, values at the end: summaries of orders, deals and accounts. An undefined value is loading. */
export function DescriptionList({ facts, className }: { facts: readonly Fact[]; className?: string }) {
  return (
    <dl className={cx('grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-table', className)}>
      {facts.map(({ id, name, value }) => (
        <div key={id} className="contents">
          <dt className="text-t2">{name}</dt>
          <dd className="min-w-0 text-end break-words">
            {value === undefined ? <Skeleton className="ms-auto h-4 w-16" /> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** One figure with its name, and how it changed. */
export function Stat({
  label,
  value,
  unit,
  change,
  hint,
}: {
  label: ReactNode;
  /** Text of the figure; undefined while it is loading. */
  value: string | undefined;
  unit?: string;
  /** Percent, signed decimal text. */
  change?: string | undefined;
  hint?: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <span className="text-table text-t2">{label}</span>
      {value === undefined ? (
        <Skeleton className="h-7 w-24" />
      ) : (
        <span className="text-last font-semibold">
          <Num>
            {value}
            {unit !== undefined && <span className="text-table font-normal text-t2"> {unit}</span>}
          </Num>
        </span>
      )}
      {change !== undefined && <Change value={change} className="text-table" />}
      {hint !== undefined && <span className="text-label text-t2">{hint}</span>}
    </div>
  );
}
