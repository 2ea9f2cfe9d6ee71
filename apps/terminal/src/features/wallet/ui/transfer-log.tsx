import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keys, nextPage } from '@bourse/api-client';
import { Button, Empty, Panel } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { wholeLog } from '../api/wallet.js';
import { LogTable } from './log-table.js';
import { collectRows } from '../../../parts/collect-rows.js';

/** Everything that moved in any account and coin. */
export default function TransferLog() {
  const { t } = useTranslation();
  const log = useInfiniteQuery({
    queryKey: [...keys.wallet, 'all-logs'],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => wholeLog(api, pageParam),
    getNextPageParam: nextPage,
  });
  return (
    <>
      <h1 className="mb-4 text-last font-semibold">{t('nav.transferLog')}</h1>
      <Panel>
        {log.isError && !log.data ? (
          <Empty action={<Button onClick={() => void log.refetch()}>{t('common.retry')}</Button>}>
            {t('common.loadFailed')}
          </Empty>
        ) : (
          <LogTable
            label={t('nav.transferLog')}
            showCoin
            rows={collectRows(log.data, (page) => page.data)}
            more={log.hasNextPage}
            loading={log.isFetchingNextPage}
            onMore={() => void log.fetchNextPage()}
          />
        )}
      </Panel>
    </>
  );
}
