import { useTranslation } from 'react-i18next';
import { Button, cx, Empty, Table, type TableProps } from '@bourse/ui';
import type { PagedList } from '../api/paged-list.js';

/** The count of rows from which the end of a list is said. */
const LONG = 8;

/** A table of a paged list, with the way to further rows. `rows` are those of the list unless more are given. */
export function ListTable<Row extends { readonly id: string }>({
  list,
  rows = list.rows,
  className,
  ...table
}: {
  list: PagedList<Row>;
  rows?: readonly Row[] | undefined;
} & Omit<TableProps<Row>, 'rows' | 'rowKey' | 'footer'>) {
  const { t } = useTranslation();
  if (list.failed)
    return <Empty action={<Button onClick={list.retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  return (
    <Table
      {...table}
      className={cx('min-h-0 flex-1', className)}
      rows={rows}
      rowKey={({ id }) => id}
      footer={
        rows !== undefined &&
        rows.length > 0 && (
          <div className="p-2 text-center text-table text-t2">
            {list.hasMore ? (
              <Button size="small" busy={list.loadingMore} onClick={list.loadMore}>
                {t('common.loadMore')}
              </Button>
            ) : rows.length > LONG ? (
              t('common.noMore')
            ) : null}
          </div>
        )
      }
    />
  );
}
