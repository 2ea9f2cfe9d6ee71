import { useTranslation } from 'react-i18next';
import type { PointsExchange } from '@bourse/contract';
import { atMost, grouped, Num, Panel, Table } from '@bourse/ui';
import { ComplainLink } from '../../../parts/complain-link.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { useExchanges, type PointsAccess } from '../api/points.js';

/** The exchanges of points, newest first. */
export function History({ access }: { access: PointsAccess }) {
  const { t } = useTranslation();
  const query = useExchanges(access);
  const rows = collectRows(query.data, (page) => page.data);
  return (
    <Panel>
      <h2 className="border-b border-line px-4 py-3 text-title font-semibold">{t('points.history')}</h2>
      {query.isError && !query.data ? (
        <Failed retry={() => void query.refetch()} />
      ) : (
        <Table
          label={t('points.history')}
          rows={rows}
          rowKey={({ id }) => id}
          empty={t('points.noHistory')}
          columns={[
            {
              id: 'time',
              header: t('points.time'),
              card: 'title',
              cell: ({ created_at: at }) => <Time>{at}</Time>,
            },
            {
              id: 'coins',
              header: t('points.coins'),
              end: true,
              cell: ({ exchange_num: coins }) => <Num>{grouped(atMost(coins, 8))}</Num>,
            },
            {
              id: 'points',
              header: t('points.used'),
              end: true,
              cell: ({ integral }) => <Num>{grouped(atMost(integral, 8))}</Num>,
            },
            {
              id: 'price',
              header: t('points.price'),
              end: true,
              cell: ({ fact_market_price: price }) => <Num>{grouped(atMost(price, 8))}</Num>,
            },
            ...(access.session === 'terminal'
              ? [
                  {
                    id: 'complain',
                    header: <span className="sr-only">{t('complain.link')}</span>,
                    end: true,
                    cell: ({ id }: PointsExchange) => <ComplainLink kind="other" about={id} />,
                  },
                ]
              : []),
          ]}
          footer={rows && rows.length > 0 && <More query={query} />}
        />
      )}
    </Panel>
  );
}
