import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { Ad } from '@bourse/contract';
import { Panel, Segmented } from '@bourse/ui';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { useLegalCoins } from '../../../deals/api/ads.js';
import { useDeals } from '../../../deals/api/deals.js';
import { DealTable } from '../../../deals/ui/deal-table.js';
import { DEALS_PAGE, DealsHead } from './deals-head.js';

type Type = Ad['type'] | '';

/** Completed deals on one's ads, of one coin or of all. */
export default function Record() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { coins } = useLegalCoins();
  const [type, setType] = useState<Type>('');
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
          <Segmented<Type>
            label={t('deals.sideName')}
            value={type}
            choices={[
              { value: '', label: t('common.all') },
              ...(['sell', 'buy'] as const).map((value) => ({ value, label: t(`deals.side.${value}`) })),
            ]}
            onChange={setType}
          />
          <Segmented
            label={t('common.coin')}
            value={String(currency)}
            choices={[
              { value: '0', label: t('common.all') },
              ...(coins ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onChange={(id) => setParams(id === '0' ? {} : { id }, { replace: true })}
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
