import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { nextSorting, viewOf, type DataView, type SortableColumn } from './data-view.js';
import { Field } from './field.js';
import { Pagination } from './pagination.js';
import { Table, type Column, type TableProps } from './table.js';

export type DataColumn<Row> = Column<Row> & SortableColumn<Row>;
export interface DataTableProps<Row> extends Omit<TableProps<Row>, 'columns' | 'footer'> {
  columns: readonly DataColumn<Row>[];
  pageSize?: number;
  /** Words of the controls. Without `filter` there is no field to filter by. */
  words: {
    filter?: string;
    /** Shown when the filter leaves no row. */
    nothingFound: ReactNode;
    pages: string;
    previous: string;
    next: string;
  };
  /** Controls beside the filter: ranges, export. */
  tools?: ReactNode;
}

/** A table that sorts, filters and pages the rows it holds. */
export function DataTable<Row>({ columns, rows, pageSize = 20, words, tools, empty, ...rest }: DataTableProps<Row>) {
  const [view, setView] = useState<DataView>({ filter: '', sorting: undefined, page: 1 });
  const shown = rows && viewOf(rows, columns, view, pageSize);
  const change = (next: Partial<DataView>): void => setView({ ...view, page: 1, ...next });
  const sorted = columns.map((column): Column<Row> => {
    if (!column.compare) return column;
    const now = view.sorting?.column === column.id ? (view.sorting.descending ? 'descending' : 'ascending') : 'none';
    return {
      ...column,
      sorted: now,
      header: (
        <SortButton now={now} onClick={() => change({ sorting: nextSorting(view.sorting, column.id) })}>
          {column.header}
        </SortButton>
      ),
      cardHeader: column.header,
    };
  });
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {(words.filter !== undefined || tools !== undefined) && (
        <div className="flex flex-wrap items-end gap-3">
          {words.filter !== undefined && (
            <Field
              type="search"
              label={words.filter}
              value={view.filter}
              onChange={(event) => change({ filter: event.target.value })}
              className="min-w-48"
            />
          )}
          {tools}
        </div>
      )}
      <Table
        {...rest}
        columns={sorted}
        rows={shown?.rows}
        empty={rows?.length === 0 ? empty : words.nothingFound}
        footer={
          shown && (
            <Pagination
              label={words.pages}
              previousLabel={words.previous}
              nextLabel={words.next}
              page={shown.page}
              pages={shown.pages}
              onChange={(page) => change({ page })}
            />
          )
        }
      />
    </div>
  );
}

const ARROWS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };
function SortButton({
  now,
  onClick,
  children,
}: {
  now: keyof typeof ARROWS;
  onClick: () => void;
  children: ReactNode;
}) {
  const Arrow = ARROWS[now];
  return (
    <button type="button" onClick={onClick} className="inline-flex min-h-6 items-center gap-1 hover:text-t1">
      {children}
      <Arrow size={12} aria-hidden />
    </button>
  );
}
