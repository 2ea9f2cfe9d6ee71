import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Shop } from '@bourse/contract';
import { Segmented } from '@bourse/ui';
import { useDeals } from '../../../deals/api/deals.js';
import type { Stage } from '../../../deals/api/keys.js';
import { DealTable } from '../../../deals/ui/deal-table.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';

const STAGES: readonly Stage[] = ['running', 'done', 'cancelled'];

/** Deals on the ads of a shop; each opens on its own page. */
export function ShopDeals({ shop }: { shop: Shop }) {
  const { t } = useTranslation();
  const [stage, setStage] = useState<Stage>('running');
  const { query, rows } = useDeals('/api/legal/my_deals', stage, { shop_id: shop.id });
  return (
    <>
      <div className="p-3">
        <Segmented<Stage>
          label={t('deals.stateName')}
          value={stage}
          choices={STAGES.map((value) => ({ value, label: t(`deals.stage.${value}`) }))}
          onChange={setStage}
        />
      </div>
      {query.isError && !query.data ? (
        <Failed retry={() => void query.refetch()} />
      ) : (
        <DealTable
          label={t('shops.deals')}
          rows={rows}
          empty={t('deals.noDeals')}
          footer={query.data && <More query={query} />}
        />
      )}
    </>
  );
}
