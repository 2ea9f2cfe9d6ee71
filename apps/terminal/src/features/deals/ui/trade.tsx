import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ad } from '@bourse/contract';
import { Empty, Panel, Skeleton } from '@bourse/ui';
import { useLeave } from '../../../core/use-leave.js';
import { Failed } from '../../../parts/failed.js';
import { LinkButton } from '../../../parts/link-button.js';
import { More } from '../../../parts/more.js';
import { useLegalCoins, useMarket } from '../../../deals/api/ads.js';
import { useDealPushes } from '../../../deals/api/deals.js';
import { adTypeFor } from '../../../deals/model/ad.js';
import { AdTable } from '../../../deals/ui/ad-table.js';
import { dealAddress } from '../../../deals/ui/deal-table.js';
import { MarketFilters } from '../../../deals/ui/market-filters.js';
import { TakeDialog } from '../../../deals/ui/take-dialog.js';
import { choiceMoney, useMarketChoice } from '../../../deals/ui/use-market-choice.js';
import { DEALS_PAGE, DealsHead } from './deals-head.js';

/** The ad market: what others offer, best price first, taken whole or in part. */
export default function Trade() {
  const { t } = useTranslation();
  const leave = useLeave();
  const { coins, failed, retry } = useLegalCoins();
  const { choice, change } = useMarketChoice(coins);
  const [taken, setTaken] = useState<Ad | undefined>();
  useDealPushes();
  const { query, rows } = useMarket(
    '/api/c2c_deal_platform',
    {
      type: adTypeFor(choice.side),
      currency_id: choice.coin ?? 0,
      coin_code: choice.code || undefined,
      way: choice.way || undefined,
      money: choiceMoney(choice),
    },
    choice.coin !== undefined,
  );
  return (
    <div className={DEALS_PAGE}>
      <DealsHead title={t('deals.market')} />
      <Panel>
        {failed ? (
          <Failed retry={retry} />
        ) : !coins ? (
          <Skeleton className="m-4 h-24" />
        ) : (
          <>
            <MarketFilters coins={coins} choice={choice} onChange={change} />
            {query.isError && !query.data ? (
              <Failed retry={() => void query.refetch()} />
            ) : (
              <AdTable
                rows={rows}
                onTake={setTaken}
                empty={
                  <Empty
                    action={
                      <LinkButton to="/c2cRelease" size="small">
                        {t('deals.release')}
                      </LinkButton>
                    }
                  >
                    {t('deals.noAds')}
                  </Empty>
                }
                footer={rows && (rows.length > 0 || query.hasNextPage) && <More query={query} />}
              />
            )}
          </>
        )}
      </Panel>
      {taken && (
        <TakeDialog ad={taken} onClose={() => setTaken(undefined)} onTaken={({ id }) => void leave(dealAddress(id))} />
      )}
    </div>
  );
}
