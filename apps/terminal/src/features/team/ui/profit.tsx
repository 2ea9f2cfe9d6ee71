import { useTranslation } from 'react-i18next';
import { atMost, grouped, Num, Panel, Table } from '@bourse/ui';
import { Failed } from '../../../parts/failed.js';
import { LinkButton } from '../../../parts/link-button.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { useProfits } from '../api/team.js';

/** Rebates of the fees that the team has paid, newest first. */
export default function Profit() {
  const { t } = useTranslation();
  const query = useProfits();
  const rows = collectRows(query.data, (page) => page.data);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-last font-semibold">{t('nav.profit')}</h1>
        <LinkButton to="/team">{t('nav.team')}</LinkButton>
      </div>
      <p className="max-w-prose text-t2">{t('team.profitLead')}</p>
      <Panel>
        {query.isError && !query.data ? (
          <Failed retry={() => void query.refetch()} />
        ) : (
          <Table
            label={t('nav.profit')}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('team.noProfit')}
            columns={[
              {
                id: 'value',
                header: t('team.value'),
                card: 'title',
                cell: ({ value, currency_name: coin }) => (
                  <Num className="font-medium">{`${grouped(atMost(value, 8))} ${coin}`}</Num>
                ),
              },
              { id: 'info', header: t('team.detail'), wraps: true, cell: ({ info }) => info },
              { id: 'time', header: t('team.time'), end: true, cell: ({ created_time: at }) => <Time>{at}</Time> },
            ]}
            footer={rows && rows.length > 0 && <More query={query} />}
          />
        )}
      </Panel>
    </div>
  );
}
