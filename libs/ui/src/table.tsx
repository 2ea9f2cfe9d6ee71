import type { ReactNode } from 'react';
import { cx } from './class-names.js';
import { Skeleton } from './skeleton.js';

export interface Column<Row> {
  id: string;
  /** Carries the unit where the column has one. */
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers are end-aligned. */
  end?: boolean;
  /** Stays in sight when the table is wider than its place: buttons that act on the row. */
  sticky?: boolean;
  /** Words that may go on in the next line where there is little room. */
  wraps?: boolean;
  className?: string;
}
export interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** Shown in place of rows: says what there is not, and the next step. */
  empty: ReactNode;
  rowClassName?: (row: Row) => string | undefined;
  className?: string;
  footer?: ReactNode;
}

/** Rows under fixed headers. `rows` undefined is loading: skeletons of the final size. */
export function Table<Row>({ label, columns, rows, rowKey, empty, rowClassName, className, footer }: TableProps<Row>) {
  return (
    <div tabIndex={0} role="region" aria-label={label} className={cx('relative overflow-auto', className)}>
      <table className="w-full border-collapse text-table">
        <thead className="sticky top-0 z-10 bg-bg1">
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={cx(
                  'h-8 px-3 font-normal whitespace-nowrap text-t2',
                  column.end ? 'text-end' : 'text-start',
                  column.sticky && 'sticky end-0 bg-bg1',
                  column.className,
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => (
            <tr key={rowKey(row)} className={cx('border-t border-line hover:bg-bg2', rowClassName?.(row))}>
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={cx(
                    'h-8 px-3',
                    !column.wraps && 'whitespace-nowrap',
                    column.end ? 'text-end' : 'text-start',
                    column.sticky && 'sticky end-0 bg-bg1',
                    column.className,
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows === undefined &&
            [0, 1, 2].map((row) => (
              <tr key={row}>
                {columns.map((column) => (
                  <td key={column.id} className={cx('h-8 px-3', column.className)}>
                    <Skeleton className="h-4 w-full max-w-24" />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      {rows?.length === 0 && <div className="p-6 text-center text-body text-t2">{empty}</div>}
      {footer}
    </div>
  );
}
