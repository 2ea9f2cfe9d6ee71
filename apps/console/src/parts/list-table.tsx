import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { cx, Skeleton, useTableFit } from '@bourse/ui';
import type { ListColumn } from './list-page.js';
import type { Sorting } from './list-model.js';
import { useTranslation } from 'react-i18next';

/** The rows of a list: a table, cards where it is narrow. One row is in the tab order, the keys lead to the others. */
export function ListTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  empty,
  sorting,
  sortTitle,
  onSort,
  actions,
  onOpen,
  isCurrent,
  at,
  onAt,
  onKey,
}: {
  label: string;
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  empty: string;
  sorting: Sorting | undefined;
  /** Told at each header that orders: where the order is that of the shown page alone. */
  sortTitle?: string;
  onSort: (column: string) => void;
  actions?: (row: Row) => ReactNode;
  onOpen?: (row: Row) => void;
  /** The row that is open beside the list. */
  isCurrent?: (row: Row) => boolean;
  /** The row that the keys have reached. */
  at: number;
  onAt: (row: number) => void;
  onKey: (event: KeyboardEvent) => void;
}) {
  const { t } = useTranslation();
  const body = useRef<HTMLTableSectionElement>(null);
  const { region, hidden, asCards } = useTableFit({
    cards: true,
    wide: columns.some(({ wide }) => wide) ? 1 : 0,
    content: `${label} ${columns.length} ${rows?.length ?? ''}`,
  });
  useEffect(() => {
    const inList = body.current?.contains(document.activeElement);
    if (inList) body.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus();
  }, [at]);
  const openAt = (event: KeyboardEvent, row: Row): void => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && onOpen) {
      // The opened row takes the focus: otherwise the same press would close it by its first button.
      event.preventDefault();
      onOpen(row);
    } else onKey(event);
  };
  const pressed = (event: MouseEvent, row: Row): void => {
    // A link, a button or marked text in the row means itself.
    if ((event.target as HTMLElement).closest('a, button') || getSelection()?.toString()) return;
    onOpen?.(row);
  };
  return (
    <div ref={region} role="region" aria-label={label} tabIndex={0} className="relative overflow-auto">
      <table role="table" className={cx('w-full border-collapse text-table', asCards && 'card-table')}>
        <thead role="rowgroup" className="sticky top-0 z-10 bg-bg1">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                aria-sort={column.sort && orderOf(column.id, sorting)}
                className={cx(
                  'h-9 px-3 font-normal text-t2 whitespace-nowrap',
                  column.end ? 'text-end' : 'text-start',
                  column.wide && hidden > 0 && 'hidden',
                )}
              >
                {column.sort ? (
                  <SortButton order={orderOf(column.id, sorting)} title={sortTitle} onClick={() => onSort(column.id)}>
                    {column.label}
                  </SortButton>
                ) : (
                  column.label
                )}
              </th>
            ))}
            {actions && (
              <th role="columnheader" scope="col" className="sticky end-0 bg-bg1 px-3 text-end font-normal text-t2">
                {t('list.actions')}
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup">
          {rows?.map((row, index) => (
            <tr
              key={rowKey(row)}
              role="row"
              data-row={index}
              data-key={rowKey(row)}
              aria-current={isCurrent?.(row) ? 'true' : undefined}
              tabIndex={index === Math.min(at, rows.length - 1) ? 0 : -1}
              onFocus={() => onAt(index)}
              onKeyDown={(event) => openAt(event, row)}
              onClick={(event) => pressed(event, row)}
              className={cx(
                'border-t border-line hover:bg-bg2 focus-visible:-outline-offset-2',
                onOpen && 'cursor-pointer',
                isCurrent?.(row) && 'bg-bg3',
              )}
            >
              {columns.map((column) => (
                <td
                  key={column.id}
                  role="cell"
                  className={cx(
                    'h-9 max-w-96 px-3 break-words',
                    column.end && !asCards ? 'text-end' : 'text-start',
                    column.wide && hidden > 0 && 'hidden',
                  )}
                >
                  {asCards && (
                    <span aria-hidden className="card-label">
                      {column.label}
                    </span>
                  )}
                  {column.cell(row)}
                </td>
              ))}
              {actions && (
                <td role="cell" data-card="action" className="card-whole sticky end-0 bg-bg1 px-3">
                  <div className="flex flex-wrap justify-end gap-1 py-1">{actions(row)}</div>
                </td>
              )}
            </tr>
          ))}
          {rows === undefined &&
            [0, 1, 2, 3, 4].map((line) => (
              <tr key={line} role="row" className="border-t border-line">
                {columns.map(({ id, wide }) => (
                  <td key={id} role="cell" className={cx('h-9 px-3', wide && hidden > 0 && 'hidden')}>
                    <Skeleton className="h-4 w-full max-w-24" />
                  </td>
                ))}
                {actions && <td role="cell" data-card="none" />}
              </tr>
            ))}
        </tbody>
      </table>
      {rows?.length === 0 && <p className="p-8 text-center text-body text-t2">{empty}</p>}
    </div>
  );
}

type Order = 'ascending' | 'descending' | 'none';
const orderOf = (column: string, sorting: Sorting | undefined): Order =>
  sorting?.column !== column ? 'none' : sorting.descending ? 'descending' : 'ascending';

const ARROWS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };
function SortButton({
  order,
  title,
  onClick,
  children,
}: {
  order: Order;
  title: string | undefined;
  onClick: () => void;
  children: ReactNode;
}) {
  const Arrow = ARROWS[order];
  return (
    <button
      type="button"
      title={title}
      onClick={onClick}
      className="inline-flex min-h-6 items-center gap-1 hover:text-t1"
    >
      {children}
      <Arrow size={12} aria-hidden />
    </button>
  );
}
