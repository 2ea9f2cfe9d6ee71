import {
  columnVisibilityFeature,
  rowSortingFeature,
  tableFeatures,
  type ReactTable,
  type RowData,
} from '@tanstack/react-table';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { Fragment, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { MouseEvent, RefObject } from 'react';
import { cx, Skeleton, useTableFit } from '@bourse/ui';
import type { ListColumn } from './list-page.js';
import { useTranslation } from 'react-i18next';

/** The features of the table library that lists use. */
export const LIST_FEATURES = tableFeatures({ rowSortingFeature, columnVisibilityFeature });
/** Above this number of rows only those near the window are drawn. */
const ROWS_DRAWN_MAX = 100;
/** Height of a row before it is measured. */
const ROW_PX = 37;

/** The rows of a list: a table, cards where it is narrow. One row is in the tab order, the keys lead to the others. */
export function ListTable<Row extends RowData>({
  label,
  table,
  columns,
  isLoading,
  empty,
  sortTitle,
  actions,
  onOpen,
  isCurrent,
  at,
  onAt,
  onKey,
}: {
  label: string;
  table: ReactTable<typeof LIST_FEATURES, Row>;
  /** Those that are shown. */
  columns: readonly ListColumn<Row>[];
  isLoading: boolean;
  empty: string;
  /** Title of the headers that sort, where only the shown page is sorted. */
  sortTitle?: string;
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
  const { rows } = table.getRowModel();
  const body = useRef<HTMLTableSectionElement>(null);
  const drawn = useDrawnRows(body, rows.length, Math.min(at, rows.length - 1));
  const { region, hidden, asCards } = useTableFit({
    cards: true,
    canStack: false,
    wide: columns.some(({ wide }) => wide) ? 1 : 0,
    content: `${label} ${columns.length} ${rows.length}`,
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
    // A press on a link, a button or selected text does not open the row.
    if ((event.target as HTMLElement).closest('a, button') || getSelection()?.toString()) return;
    onOpen?.(row);
  };
  return (
    <div ref={region} role="region" aria-label={label} tabIndex={0} className="relative overflow-auto">
      <table
        role="table"
        aria-rowcount={rows.length + 1}
        className={cx('w-full border-collapse text-table', asCards && 'card-table')}
      >
        <thead role="rowgroup" className="sticky top-0 z-10 bg-bg1">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                aria-sort={column.sort && orderOf(table, column.id)}
                className={cx(
                  'h-9 px-3 font-normal text-t2 whitespace-nowrap',
                  column.end ? 'text-end' : 'text-start',
                  column.wide && hidden > 0 && 'hidden',
                )}
              >
                {column.sort ? (
                  <SortButton
                    order={orderOf(table, column.id)}
                    title={sortTitle}
                    onClick={() => table.getColumn(column.id)?.toggleSorting()}
                  >
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
          {drawn.rows.map(({ index, gapPx }) => {
            const listed = rows[index];
            if (!listed) return null;
            const { id, original: row } = listed;
            return (
              <Fragment key={id}>
                {gapPx > 0 && <Gap px={gapPx} />}
                <tr
                  ref={drawn.measure}
                  role="row"
                  aria-rowindex={index + 2}
                  data-row={index}
                  data-key={id}
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
              </Fragment>
            );
          })}
          {drawn.endPx > 0 && <Gap px={drawn.endPx} />}
          {isLoading &&
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
      {!isLoading && rows.length === 0 && <p className="p-8 text-center text-body text-t2">{empty}</p>}
    </div>
  );
}

/** The place of rows that are not drawn. */
const Gap = ({ px }: { px: number }) => (
  <tr aria-hidden style={{ height: px }}>
    <td />
  </tr>
);

/**
 * The rows to draw, each with the height of those left out before it: all of a short list, of a long one those near the
 * window and the row that the keys have reached.
 */
function useDrawnRows(
  body: RefObject<HTMLElement | null>,
  count: number,
  at: number,
): {
  rows: readonly { readonly index: number; readonly gapPx: number }[];
  endPx: number;
  measure: ((row: HTMLElement | null) => void) | undefined;
} {
  const isLong = count > ROWS_DRAWN_MAX;
  const [topPx, setTopPx] = useState(0);
  useLayoutEffect(() => {
    if (isLong && body.current) setTopPx(body.current.getBoundingClientRect().top + scrollY);
  });
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count,
    enabled: isLong,
    estimateSize: () => ROW_PX,
    overscan: 10,
    scrollMargin: topPx,
    indexAttribute: 'data-row',
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), at])].sort((one, other) => one - other),
  });
  if (!isLong) {
    const rows = Array.from({ length: count }, (_, index) => ({ index, gapPx: 0 }));
    return { rows, endPx: 0, measure: undefined };
  }
  let end = topPx;
  const rows = virtualizer.getVirtualItems().map((row) => {
    const gapPx = row.start - end;
    ({ end } = row);
    return { index: row.index, gapPx };
  });
  return { rows, endPx: topPx + virtualizer.getTotalSize() - end, measure: virtualizer.measureElement };
}

type Order = 'ascending' | 'descending' | 'none';
const ORDERS = { asc: 'ascending', desc: 'descending' } as const;
function orderOf<Row extends RowData>(table: ReactTable<typeof LIST_FEATURES, Row>, column: string): Order {
  const sorted = table.getColumn(column)?.getIsSorted();
  return sorted ? ORDERS[sorted] : 'none';
}

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
