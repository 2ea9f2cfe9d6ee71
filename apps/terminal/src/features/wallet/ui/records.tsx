import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keys, nextPage } from '@bourse/api-client';
import type { Product } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { coinLog } from '../api/wallet.js';
import { Failed } from '../../../parts/failed.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { LogTable } from './log-table.js';

/** The log of one coin in one account, page by page. */
export function Records({ account, currency, coin }: { account: Product; currency: number; coin: string }) {
  const { t } = useTranslation();
  const log = useInfiniteQuery({
    queryKey: [...keys.wallet, 'log', account, currency],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => coinLog(api, account, currency, pageParam),
    getNextPageParam: nextPage,
  });
  if (log.isError && !log.data) return <Failed retry={() => void log.refetch()} />;
  return (
    <LogTable
      label={`${t('wallet.records')} ${coin}`}
      rows={collectRows(log.data, (page) => page.list)}
      more={log.hasNextPage}
      loading={log.isFetchingNextPage}
      onMore={() => void log.fetchNextPage()}
    />
  );
}
