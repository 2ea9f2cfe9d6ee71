import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Empty, Num, Panel, Tabs } from '@bourse/ui';
import { LinkButton } from '../../../parts/link-button.js';
import { useDealPushes, useDeals } from '../../../deals/api/deals.js';
import { firstList } from '../../../deals/model/deal.js';
import { StagedDeals } from '../../../deals/ui/staged-deals.js';
import { DEALS_PAGE, DealsHead } from './deals-head.js';
import { MyAds } from './my-ads.js';

const TABS = ['taken', 'onAds', 'ads'] as const;
type Tab = (typeof TABS)[number];
const PATHS = { taken: '/api/c2c_user_deal', onAds: '/api/c2c_seller_deal' } as const;

/** The person's open business with others: deals taken, deals on own ads, the ads themselves. */
export default function Orders() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { counts, first } = useRunning();
  const tab = TABS.find((name) => name === params.get('tab')) ?? first ?? 'taken';
  useDealPushes();
  return (
    <div className={DEALS_PAGE}>
      <DealsHead title={t('deals.orders')} />
      <Panel>
        <Tabs<Tab>
          label={t('deals.orders')}
          tabs={TABS.map((id) => ({
            id,
            label: (
              <>
                {t(`deals.tab.${id}`)}
                {counts[id] !== undefined && counts[id] !== '0' && <Num className="ms-1 text-t2">({counts[id]})</Num>}
              </>
            ),
          }))}
          value={tab}
          onChange={(id) => setParams({ tab: id }, { replace: true })}
        >
          {tab === 'ads' ? (
            <MyAds />
          ) : (
            <StagedDeals
              key={tab}
              path={PATHS[tab]}
              label={t(`deals.tab.${tab}`)}
              empty={
                <Empty
                  action={
                    <LinkButton to="/c2cTrade" size="small">
                      {t('deals.market')}
                    </LinkButton>
                  }
                >
                  {t('deals.noDeals')}
                </Empty>
              }
            />
          )}
        </Tabs>
      </Panel>
    </div>
  );
}

/** Counts the running deals of each list, and chooses the list that opens first. */
function useRunning(): { counts: Partial<Record<Tab, string>>; first: Tab | undefined } {
  const taken = useDeals(PATHS.taken, 'running');
  const onAds = useDeals(PATHS.onAds, 'running');
  const countOf = ({ query, rows }: typeof taken): string | undefined =>
    rows && `${rows.length}${query.hasNextPage ? '+' : ''}`;
  // Chosen once, when both lists are loaded: a tab must not change while a person reads it.
  const [first, setFirst] = useState<Tab | undefined>();
  if (first === undefined && taken.rows && onAds.rows) setFirst(firstList(taken.rows, onAds.rows));
  return { counts: { taken: countOf(taken), onAds: countOf(onAds) }, first };
}
