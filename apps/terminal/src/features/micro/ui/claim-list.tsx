import { useTranslation } from 'react-i18next';
import { atMost, Badge, grouped, Num, Panel, Table } from '@bourse/ui';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { useClaims } from '../api/insurance.js';

/** The claims: paid, or booked for the next day. */
export function ClaimList() {
  const { t } = useTranslation();
  const query = useClaims();
  const rows = collectRows(query.data, (page) => page.data);
  return (
    <Panel>
      <h2 className="border-b border-line px-4 py-3 text-title font-semibold">{t('insurance.claims')}</h2>
      {query.isError && !query.data ? (
        <Failed retry={() => void query.refetch()} />
      ) : (
        <Table
          label={t('insurance.claims')}
          rows={rows}
          rowKey={({ id }) => id}
          empty={t('insurance.noClaims')}
          columns={[
            { id: 'time', header: t('orders.time'), card: 'title', cell: (claim) => <Time>{claim.created_at}</Time> },
            {
              id: 'amount',
              header: t('insurance.payout'),
              end: true,
              cell: (claim) => <Num>{grouped(atMost(claim.amount, 8))}</Num>,
            },
            {
              id: 'state',
              header: t('orders.state'),
              cell: (claim) => (
                <Badge tone={claim.status === 2 ? 'up' : 'warn'}>{t(`insurance.claimStatus.${claim.status}`)}</Badge>
              ),
            },
            { id: 'paid', header: t('insurance.paidAt'), end: true, cell: (claim) => <Time>{claim.paid_at}</Time> },
          ]}
          footer={rows && rows.length > 0 && <More query={query} />}
        />
      )}
    </Panel>
  );
}
