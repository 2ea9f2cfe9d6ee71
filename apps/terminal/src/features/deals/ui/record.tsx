import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Panel } from '@bourse/ui';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { useDeals } from '../../../deals/api/deals.js';
import { DealTable } from '../../../deals/ui/deal-table.js';
import { CoinChoice, SideChoice, type SideFilter } from '../../../deals/ui/list-choices.js';
import { DEALS_PAGE, DealsHead } from './deals-head.js';

/** Completed deals on one's ads, of one coin or of all. */
export default function Record() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [type, setType] = useState<SideFilter>('');
  const currency = Number(params.get('id')) || 0;
  const { query, rows } = useDeals('/api/c2c_seller_deal', 'done', {
    type: type || undefined,
    currency_id: currency || undefined,
  });
  return (
    <div className={DEALS_PAGE}>
      <DealsHead title={t('deals.records')} />
      <Panel>
        <div className="flex flex-wrap items-center gap-3 p-3">
          <SideChoice value={type} sides={['sell', 'buy']} onChange={setType} />
          <CoinChoice
            value={currency}
            onChange={(id) => setParams(id === 0 ? {} : { id: String(id) }, { replace: true })}
          />
        </div>
        {query.isError && !query.data ? (
          <Failed retry={() => void query.refetch()} />
        ) : (
          <DealTable
            label={t('deals.records')}
            rows={rows}
            empty={t('deals.noRecords')}
            footer={rows && rows.length > 0 && <More query={query} />}
          />
        )}
      </Panel>
    </div>
  );
}
