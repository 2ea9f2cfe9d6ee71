import { useTranslation } from 'react-i18next';
import type { Ad } from '@bourse/contract';
import { Dialog, Skeleton } from '@bourse/ui';
import { Link } from 'react-router-dom';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { useDeals } from '../../../deals/api/deals.js';
import { otherName } from '../../../deals/model/deal.js';
import { dealAddress } from '../../../deals/ui/deal-table.js';
import { apart, Coins, coinText, Fiat, StateBadge } from '../../../deals/ui/words.js';

/** The takers of one of the person's ads, each with a link to the deal. */
export function AdDeals({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const { t } = useTranslation();
  const { query, rows } = useDeals('/api/c2c/legal_send_deal_list', undefined, { id: ad.id });
  return (
    <Dialog
      open
      shape="drawer"
      onClose={onClose}
      closeLabel={t('common.close')}
      title={t('deals.dealsOf', { coins: apart(coinText(ad.total_number, ad.currency_name)) })}
    >
      {query.isError && !query.data ? (
        <Failed retry={() => void query.refetch()} />
      ) : !rows ? (
        <Skeleton className="h-40 w-full" />
      ) : rows.length === 0 ? (
        <p className="p-6 text-center text-t2">{t('deals.noDeals')}</p>
      ) : (
        <>
          <ul>
            {rows.map((deal) => (
              <li key={deal.id} className="border-b border-line last:border-b-0">
                <Link
                  to={dealAddress(deal.id)}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-panel p-3 hover:bg-bg3"
                >
                  <span className="flex flex-col">
                    <Coins amount={deal.number} coin={deal.currency_name} />
                    <span className="text-table text-t2">
                      <bdi>{otherName(deal)}</bdi> · <Fiat amount={deal.deal_money} coin={deal.coin_code} />
                    </span>
                  </span>
                  <StateBadge deal={deal} />
                </Link>
              </li>
            ))}
          </ul>
          <More query={query} />
        </>
      )}
    </Dialog>
  );
}
