import { useTranslation } from 'react-i18next';
import type { Ad } from '@bourse/contract';
import { Button, Dialog, Empty, Num, Skeleton } from '@bourse/ui';
import { sideOf } from '../../../deals/model/ad.js';
import { AdOwner } from '../../../deals/ui/ad-table.js';
import { Coins, Fiat, WayName } from '../../../deals/ui/words.js';
import { Failed } from '../../../parts/failed.js';
import { useShop } from '../api/shops.js';

/** A shop as everybody sees it: what it has done, and all its ads. */
export function ShopDialog({ id, onClose, onTake }: { id: number; onClose: () => void; onTake: (ad: Ad) => void }) {
  const { t } = useTranslation();
  const { shop, failed, retry } = useShop(id);
  return (
    <Dialog
      open
      onClose={onClose}
      closeLabel={t('common.close')}
      title={shop ? <bdi>{shop.name}</bdi> : t('shops.market')}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      {failed ? (
        <Failed retry={retry} />
      ) : !shop ? (
        <Skeleton className="h-32 w-full" />
      ) : (
        <div className="flex flex-col gap-3">
          <AdOwner ad={{ ...shop, seller_name: shop.currency_name }} />
          {shop.ads.length === 0 && <Empty>{t('shops.noAds')}</Empty>}
          <ul aria-label={t('deals.ads')} className="divide-y divide-line border-y border-line">
            {shop.ads.map((ad) => (
              <li key={ad.id} className="flex flex-wrap items-center justify-between gap-2 py-2">
                <span className="flex flex-col">
                  <Fiat amount={ad.price} coin={ad.coin_code} />
                  <span className="text-table text-t2">
                    <Coins amount={ad.surplus_number} coin={ad.currency_name} /> · <WayName way={ad.way} />
                  </span>
                  <span className="text-table text-t2">
                    {t('deals.limitsName')}{' '}
                    <Num>
                      {ad.min_number} – {ad.max_number}
                    </Num>
                  </span>
                </span>
                {ad.is_mine === 0 && (
                  <Button kind={sideOf(ad)} size="small" onClick={() => onTake(ad)}>
                    {t(`deals.side.${sideOf(ad)}`)}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  );
}
