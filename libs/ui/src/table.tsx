import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { cx } from './class-names.js';
import { Skeleton } from './skeleton.js';
import { useTableFit } from './use-table-fit.js';

export interface Column<Row> {
  id: string;
  /** Carries the unit where the column has one. */
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  end?: boolean;
  /** Stays in sight when the table is wider than its place: buttons that act on the row. */
  sticky?: boolean;
  /** The text may wrap where there is little room. */
  wraps?: boolean;
  /**
   * `wide` is hidden where the table has no room for it, the last one first; money, time and row names stay.
   */
  priority?: 'always' | 'wide';
  /** Shown below the cells of this column where there is no room beside them. */
  under?: string;
  /** On a card: a `title` is shown in its first line without its header, `none` not at all, else under its header. */
  card?: 'title' | 'field' | 'none';
  /** Header on a card, where that of the table is a control. */
  cardHeader?: ReactNode;
  className?: string;
}
/** Headers of a column whose cells show two values, one above the other. */
export const stackedHeader = (upper: ReactNode, lower: ReactNode): Pick<Column<never>, 'header' | 'cardHeader'> => ({
  header: (
    <>
      <span className="block">{upper}</span>
      <span className="block">{lower}</span>
    </>
  ),
  cardHeader: (
    <>
      {upper} / {lower}
    </>
  ),
});
/** The columns with those that may stand below another one merged into it. */
function stackedColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const hostOf = ({ under }: Column<Row>): Column<Row> | undefined => columns.find(({ id }) => id === under);
  return columns
    .filter((column) => !hostOf(column))
    .map((upper) =>
      columns
        .filter((column) => hostOf(column) === upper)
        .reduce(
          (above, lower): Column<Row> => ({
            ...above,
            ...stackedHeader(above.header, lower.header),
            wraps: above.wraps || lower.wraps,
            cell: (row) => (
              <>
                {above.cell(row)}
                <span className="block text-t2">{lower.cell(row)}</span>
              </>
            ),
          }),
          upper,
        ),
    );
}

export interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** Shown in place of rows: what is missing, and the next step. */
  empty: ReactNode;
  rowClassName?: (row: Row) => string | undefined;
  /**
   * Called for a press on a row outside of its controls. A button in the row does the same for keyboards and screen
   * readers.
   */
  onRow?: (row: Row) => void;
  className?: string;
  footer?: ReactNode;
  /** Rows become cards where they do not fit; off for narrow tables of few columns. */
  cards?: boolean;
}

/**
 * Rows under fixed headers, cards on narrow places. `rows` undefined is loading: skeletons of the final size. The roles
 * are written out because a browser drops them when a table is laid out as cards.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns: all, rows, rowKey, empty, rowClassName, onRow, className, footer, cards = true } = props;
  const wide = all.filter(({ priority }) => priority === 'wide');
  const { region, hidden, isStacked, asCards } = useTableFit({
    cards,
    wide: wide.length,
    canStack: all.some(({ under }) => under !== undefined),
    content: `${label} ${all.length} ${rows?.length ?? ''}`,
  });
  // A removed row, as that of a cancelled order, loses the focus without an event: the table then takes it.
  const held = useRef(false);
  useLayoutEffect(() => {
    if (held.current && document.activeElement === document.body) region.current?.focus({ preventScroll: true });
  });
  const gone = wide.slice(wide.length - hidden);
  const shown = all.filter((column) => !gone.includes(column));
  const columns = isStacked ? stackedColumns(shown) : shown;
  return (
    <div
      ref={region}
      tabIndex={0}
      role="region"
      aria-label={label}
      onFocus={() => (held.current = true)}
      onBlur={() => (held.current = false)}
      className={cx('relative overflow-auto', className)}
    >
      <table role="table" className={cx('w-full border-collapse text-table', asCards && 'card-table')}>
        <thead role="rowgroup" className="sticky top-0 z-10 bg-bg1">
          <tr role="row" className="bg-bg1">
            {columns.map((column) => (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                // The text of a header wraps before a column runs out of room.
                className={cx('h-8 font-normal text-t2', cellClasses({ ...column, wraps: true }, isStacked))}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows?.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              onClick={onRow && ((event) => isRowPress(event.target) && onRow(row))}
              className={cx('border-t border-line bg-bg1 hover:bg-bg2', onRow && 'cursor-pointer', rowClassName?.(row))}
            >
              {columns.map((column) => (
                <td
                  key={column.id}
                  role="cell"
                  data-card={column.card ?? (column.sticky ? 'action' : 'field')}
                  className={cx('h-8', cellClasses(column, isStacked))}
                >
                  {asCards && column.card !== 'title' && !column.sticky && (
                    <span aria-hidden className="card-label">
                      {column.cardHeader ?? column.header}
                    </span>
                  )}
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows === undefined &&
            [0, 1, 2].map((row) => <LoadingRow key={row} columns={columns} isStacked={isStacked} />)}
        </tbody>
      </table>
      {rows?.length === 0 && <div className="p-6 text-center text-body text-t2">{empty}</div>}
      {footer}
    </div>
  );
}

/** Whether a press is one on the row: not on a control of it, and not the end of a selection of its text. */
const isRowPress = (target: EventTarget): boolean =>
  target instanceof Element &&
  target.closest('a, button, input, select, label') === null &&
  getSelection()?.isCollapsed !== false;

const cellClasses = <Row,>(column: Column<Row>, isStacked = false): string =>
  cx(
    isStacked ? 'px-2' : 'px-3',
    column.wraps ? '' : 'whitespace-nowrap',
    // Figures are right-aligned in every direction of writing, so that their decimal points align.
    column.end ? (column.sticky ? 'text-end' : 'text-right') : 'text-start',
    // The cell hides what is scrolled under it, in the colour of its row.
    column.sticky && 'sticky end-0 bg-inherit',
    column.className,
  );

function LoadingRow<Row>({ columns, isStacked }: { columns: readonly Column<Row>[]; isStacked: boolean }) {
  return (
    <tr role="row">
      {columns.map((column) => (
        <td
          key={column.id}
          role="cell"
          data-card={column.card ?? 'field'}
          className={cx('h-8', cellClasses(column, isStacked))}
        >
          <Skeleton className="h-4 w-full max-w-24" />
        </td>
      ))}
    </tr>
  );
}
