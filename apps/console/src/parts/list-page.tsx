import { useTable, type RowData, type SortingState } from '@tanstack/react-table';
import { Columns3, Download, RefreshCw } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Button, Menu, MenuItem, Num, Pagination, Select } from '@bourse/ui';
import type { FieldsAt, MessageAt } from '@bourse/api-client';
import type { PathOf, RowIn } from '@bourse/contract';
import { adminRead, useAdminQuery } from '../core/calls.js';
import { csvOf } from './csv.js';
import { readLargePage } from './list-file.js';
import { PageHead } from './detail.js';
import { Failed } from './failed.js';
import { ListFilters, type ListFilter } from './list-filters.js';
import {
  CALL_ROWS_MAX,
  fieldsOf,
  pageIn,
  pageOf,
  partOf,
  PAGE_SIZES,
  rowAfter,
  sizeIn,
  sorted,
  withFilter,
  withPart,
  type Listed,
  type SortValue,
} from './list-model.js';
import { LIST_FEATURES, ListTable } from './list-table.js';
import { saveText } from './save-text.js';
import { useListFile } from './use-list-file.js';
import { useHiddenColumns } from './use-hidden-columns.js';

export interface ListColumn<Row> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** The value by which the page is sorted; without it the column cannot be sorted. Amounts are given as their text. */
  readonly sort?: (row: Row) => SortValue;
  /** Text of the CSV; without it the column is in no file, unless it has `sort`. */
  readonly csv?: (row: Row) => string;
  /** Aligned at the end, for figures. */
  readonly end?: boolean;
  /** Hidden first if there is little room. */
  readonly wide?: boolean;
}

/** A row of what a list call answers; the auditors' round lists its checks. */
export type RowAt<P extends PathOf<'GET'>> = Extract<
  MessageAt<P> extends { checks: readonly (infer Check)[] } ? Check : RowIn<MessageAt<P>>,
  RowData
>;

export interface ListPageProps<P extends PathOf<'GET'>, Row = RowAt<P>> {
  /** Names the stored choice of columns, the file, and the list in tests. */
  name: string;
  title: string;
  /** A call that answers pages (`Data<Row>`) or an array. */
  path: P;
  /** Fields that every read carries besides the filters. */
  fixed?: FieldsAt<'GET', P>;
  filters?: readonly ListFilter[];
  /** The list in an answer that is more than one, or narrowed by filters that the call does not know (`here`). */
  rowsOf?: (answer: MessageAt<P>, valueOf: (filter: string) => string) => Listed<Row>;
  /** Read again by itself. */
  everyMs?: number;
  columns: readonly ListColumn<Row>[];
  rowKey: (row: Row) => string;
  /** Enter and a press on the row. */
  onOpen?: (row: Row) => void;
  /** The row that is open beside the list. */
  isCurrent?: (row: Row) => boolean;
  /** Buttons of a row. */
  actions?: (row: Row) => ReactNode;
  /** Buttons of the page. */
  tools?: ReactNode;
  /** Said where there is nothing. */
  empty?: string;
  /** The list is part of a page, which has its title already: its own title is that of a section. */
  inside?: boolean;
  /** Name of its part of the address, on screens with other parameters there. */
  part?: string;
}

const FOOT = 'flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 text-table text-t2';

/**
 * A list of operators: one page of a call at a time, filters and page in the address bar so that a link shows the same,
 * the shown page in the order of a column, columns by choice, the rows of all pages as CSV. Keys: `/` leads to the
 * filter, `j` `k` and the arrows from row to row, Enter opens.
 */
export function ListPage<P extends PathOf<'GET'>>(props: ListPageProps<P>) {
  type Row = RowAt<P>;
  const { name, title, path, filters = [], columns, rowKey, onOpen, actions, tools, empty, inside = false } = props;
  const { t } = useTranslation();
  const [address, setAddress] = useSearchParams();
  const search = partOf(address, props.part);
  // The names of the filters are fields of the call.
  const fields = { ...props.fixed, ...fieldsOf(search, filters) } as FieldsAt<'GET', P>;
  const size = sizeIn(search) ?? 0;
  const readPart = (page: number, signal: AbortSignal): Promise<MessageAt<P>> =>
    adminRead(path, { ...fields, page, limit: CALL_ROWS_MAX }, signal);
  const query = useAdminQuery(path, fields, {
    ...(props.everyMs !== undefined && { everyMs: props.everyMs }),
    ...(size > CALL_ROWS_MAX && {
      read: (signal) => readLargePage((page) => readPart(page, signal), rowKey, { page: pageIn(search), size }),
    }),
  });
  const valueOf = (filter: string): string => search.get(filter) ?? '';
  const [sorting, setSorting] = useState<SortingState>([]);
  const [columnVisibility, setColumnVisibility] = useHiddenColumns(name);
  // Without `rowsOf` the answer is the list.
  const listOf = (answer: MessageAt<P>): Listed<Row> =>
    props.rowsOf?.(answer, valueOf) ?? (answer as unknown as Listed<Row>);
  const listed = query.data && pageOf(listOf(query.data), pageIn(search), sizeIn(search));
  const [order] = sorting;
  const inOrder = (some: readonly Row[]): readonly Row[] =>
    sorted(some, order?.desc === true, columns.find(({ id }) => id === order?.id)?.sort);
  const rows = listed && inOrder(listed.rows);
  const table = useTable({
    features: LIST_FEATURES,
    columns: columns.map((column) => ({
      id: column.id,
      ...(column.sort && { accessorFn: column.sort }),
      sortDescFirst: false,
    })),
    data: rows ?? [],
    getRowId: rowKey,
    // The file of all pages has the same order.
    manualSorting: true,
    enableMultiSort: false,
    state: { sorting, columnVisibility },
    onSortingChange: setSorting,
    onColumnVisibilityChange: setColumnVisibility,
  });
  const shownColumns = columns.filter(({ id }) => table.getColumn(id)?.getIsVisible());
  const filterField = useRef<HTMLInputElement>(null);
  const [row, setRow] = useState(0);
  useFilterKey(filterField);

  const change = (next: URLSearchParams): void => {
    setRow(0);
    setAddress(withPart(address, props.part, next), { replace: true });
  };
  const goTo = (page: number): void => {
    const next = new URLSearchParams(search);
    next.set('page', String(page));
    change(next);
  };
  const resize = (size: string): void => {
    const next = new URLSearchParams(search);
    next.delete('page');
    next.set('limit', size);
    change(next);
  };
  const file = useListFile<Row>({
    read: async (page, signal) => listOf(await readPart(page, signal)),
    rowKey,
    save: (all) => {
      const told = shownColumns.filter(({ csv, sort }) => csv ?? sort);
      saveText(
        `${name}.csv`,
        csvOf(
          told.map(({ label }) => label),
          inOrder(all).map((one) => told.map(({ csv, sort }) => (csv ? csv(one) : String(sort?.(one) ?? '')))),
        ),
      );
    },
  });
  const onKey = (event: KeyboardEvent): void => {
    const next = rows && rowAfter(event.key, row, rows.length);
    if (next === undefined) return;
    event.preventDefault();
    setRow(next);
  };

  const buttons = (
    <>
      {tools}
      <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
        <RefreshCw size={14} aria-hidden />
        {t('list.refresh')}
      </Button>
      {file.busy ? (
        <Button size="small" onClick={file.stop}>
          {t('list.csvStop')}
        </Button>
      ) : (
        <Button size="small" disabled={rows === undefined || rows.length === 0} onClick={file.start}>
          <Download size={14} aria-hidden />
          {t('list.csv')}
        </Button>
      )}
      <Menu label={t('list.columns')} trigger={<Columns3 size={16} aria-hidden />}>
        {columns.map(({ id, label }) => (
          <MenuItem
            key={id}
            checked={shownColumns.some((shown) => shown.id === id)}
            onSelect={() => table.getColumn(id)?.toggleVisibility()}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
  return (
    <div className="flex min-w-0 flex-col gap-4" data-list={name}>
      {inside ? (
        <div className="flex flex-wrap items-center justify-end gap-2">{buttons}</div>
      ) : (
        <PageHead title={title} actions={buttons} />
      )}
      <p role="status" className="text-table text-t2 empty:hidden">
        {file.told}
      </p>
      {filters.length > 0 && (
        <ListFilters
          filters={filters}
          valueOf={valueOf}
          onChange={(filter, value) => change(withFilter(search, filter, value))}
          first={filterField}
        />
      )}
      <div className="min-w-0 rounded-panel border border-line bg-bg1">
        {query.isError && rows === undefined ? (
          <Failed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListTable
            label={title}
            table={table}
            columns={shownColumns}
            isLoading={rows === undefined}
            empty={empty ?? t('list.empty')}
            {...(listed && listed.pages > 1 && { sortTitle: t('list.sortsHere') })}
            {...(actions && { actions })}
            {...(onOpen && { onOpen })}
            {...(props.isCurrent && { isCurrent: props.isCurrent })}
            at={row}
            onAt={setRow}
            onKey={onKey}
          />
        )}
        {listed && (
          <div className={FOOT}>
            <span>
              {t('list.total')} <Num>{listed.total}</Num>
              {order !== undefined && listed.pages > 1 && <> · {t('list.sortedHere')}</>}
            </span>
            {(listed.total > PAGE_SIZES[0] || size > 0) && (
              <Select
                label={t('list.size')}
                value={String(size || listed.size)}
                options={[...new Set([...PAGE_SIZES, size || listed.size])]
                  .sort((one, other) => one - other)
                  .map((one) => ({ value: String(one), label: t('list.sizeIs', { size: one }) }))}
                onChange={resize}
                hideLabel
              />
            )}
            <Pagination
              label={t('list.pages')}
              previousLabel={t('list.previous')}
              nextLabel={t('list.next')}
              page={listed.page}
              pages={listed.pages}
              onChange={goTo}
            />
          </div>
        )}
      </div>
    </div>
  );
}

/** `/` leads to the filter from anywhere on the page but a field. */
function useFilterKey(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || !field.current) return;
      if (target.closest('dialog')) return;
      event.preventDefault();
      field.current.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [field]);
}
