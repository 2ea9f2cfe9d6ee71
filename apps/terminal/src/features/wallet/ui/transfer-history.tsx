import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keys, nextPage } from '@bourse/api-client';
import type { Product } from '@bourse/contract';
import { Button, Empty, formatBalance, localTime, Num, Panel, Table, timeOf } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { transfers } from '../api/wallet.js';
import { ACCOUNT_TEXT } from '../model/wallet.js';
import { collectRows } from '../../../parts/collect-rows.js';

/** Moves between the caller's own accounts, thirty at a time. */
export default function TransferHistory() {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: keys.transfers,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => transfers(api, pageParam),
    getNextPageParam: nextPage,
  });
  const name = (account: string): string => t(ACCOUNT_TEXT[account as Product] ?? account);
  return (
    <>
      <div className="mb-4 flex items-baseline justify-between gap-4">
        <h1 className="text-last font-semibold">{t('wallet.history')}</h1>
        <Link to="/finance" className="text-table underline hover:text-t1">
          {t('wallet.title')}
        </Link>
      </div>
      <Panel>
        {list.isError && !list.data ? (
          <Empty action={<Button onClick={() => void list.refetch()}>{t('common.retry')}</Button>}>
            {t('common.loadFailed')}
          </Empty>
        ) : (
          <Table
            label={t('wallet.history')}
            rows={collectRows(list.data, (page) => page.data)}
            rowKey={(row) => row.id}
            empty={t('wallet.noTransfers')}
            columns={[
              {
                id: 'direction',
                header: t('wallet.direction'),
                cell: (row) => `${name(row.from_field)} → ${name(row.to_field)}`,
              },
              {
                id: 'amount',
                header: t('wallet.amount'),
                end: true,
                cell: (row) => <Num>{`${formatBalance(row.number)} ${row.currency_name}`}</Num>,
              },
              {
                id: 'time',
                header: t('wallet.time'),
                end: true,
                cell: (row) => <Num>{localTime(timeOf(row.create_time) ?? 0)}</Num>,
              },
            ]}
          />
        )}
        {list.hasNextPage && (
          <div className="p-2 text-center">
            <Button size="small" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t('common.loadMore')}
            </Button>
          </div>
        )}
      </Panel>
    </>
  );
}
