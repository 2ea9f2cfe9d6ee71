import { ChevronLeft, ChevronRight } from 'lucide-react';
import { cx } from './class-names.js';
import { Num } from './num.js';
import { pagesShown } from './page-numbers.js';

/** Steps through pages counted from 1. Nothing is shown for a single page. */
export function Pagination({
  label,
  previousLabel,
  nextLabel,
  page,
  pages,
  onChange,
}: {
  label: string;
  previousLabel: string;
  nextLabel: string;
  page: number;
  pages: number;
  onChange: (page: number) => void;
}) {
  if (pages <= 1) return null;
  const shape = 'grid h-8 min-w-8 place-items-center rounded-chip px-1 text-table disabled:opacity-50';
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-end gap-1 p-2">
      <button
        type="button"
        aria-label={previousLabel}
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
        className={cx(shape, 'text-t2 hover:bg-bg3')}
      >
        <ChevronLeft size={16} aria-hidden className="rtl:rotate-180" />
      </button>
      {pagesShown(page, pages).map((at, index) =>
        at === 0 ? (
          <span key={`gap-${index}`} aria-hidden className="px-1 text-t2">
            …
          </span>
        ) : (
          <button
            key={at}
            type="button"
            aria-current={at === page ? 'page' : undefined}
            onClick={() => onChange(at)}
            className={cx(shape, at === page ? 'bg-bg3 text-t1' : 'text-t2 hover:bg-bg3')}
          >
            <Num>{at}</Num>
          </button>
        ),
      )}
      <button
        type="button"
        aria-label={nextLabel}
        disabled={page >= pages}
        onClick={() => onChange(page + 1)}
        className={cx(shape, 'text-t2 hover:bg-bg3')}
      >
        <ChevronRight size={16} aria-hidden className="rtl:rotate-180" />
      </button>
    </nav>
  );
}
