import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { nextPage } from '@bourse/api-client';
import { Button, Empty, Num, Panel, Table } from '@bourse/ui';
import { isRefusal } from '@bourse/web';
import { api } from '../../../core/api.js';
import { KEYS, regionPeople } from '../api/account.js';
import { Failed } from '../../../parts/failed.js';
import { Time } from '../../../parts/time.js';
import { PageTitle } from './parts.js';

/** The people of a region agent's own region, masked. All others read that this is not for them. */
export default function Region() {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: KEYS.region,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => regionPeople(api, pageParam),
    getNextPageParam: nextPage,
  });
  const rows = list.data?.pages.flatMap((page) => page.data);
  return (
    <>
      <PageTitle lead={t('region.lead')}>{t('nav.region')}</PageTitle>
      <Panel>
        {list.isError && !rows ? (
          isRefusal(list.error) ? (
            <Empty>{t('guard.agent')}</Empty>
          ) : (
            <Failed retry={() => void list.refetch()} />
          )
        ) : (
          <Table
            label={t('nav.region')}
            rows={rows?.map((row, at) => ({ ...row, at }))}
            rowKey={(row) => String(row.at)}
            empty={t('region.empty')}
            columns={[
              { id: 'city', header: t('region.city'), cell: (row) => <bdi>{row.city_name}</bdi> },
              { id: 'district', header: t('region.district'), cell: (row) => <bdi>{row.district_name || '–'}</bdi> },
              { id: 'phone', header: t('account.phone'), cell: (row) => <Num>{row.phone || '–'}</Num> },
              { id: 'time', header: t('region.time'), end: true, cell: (row) => <Time>{row.time}</Time> },
            ]}
          />
        )}
        {rows && rows.length > 0 && (
          <div className="p-2 text-center text-table text-t2">
            {list.hasNextPage ? (
              <Button size="small" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {t('common.loadMore')}
              </Button>
            ) : (
              t('common.noMore')
            )}
          </div>
        )}
      </Panel>
    </>
  );
}
