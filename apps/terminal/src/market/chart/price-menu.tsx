import { useTranslation } from 'react-i18next';
import { formatBookPrice, MenuItem, MenuSeparator, PointMenu } from '@bourse/ui';
import { toastDone, toastError } from '@bourse/web';
import { ordersAt, type PriceOrder } from './price-orders.js';
import type { PricePlace } from './use-price-place.js';

interface Props {
  place: PricePlace;
  /** Decimal text; undefined without bars. */
  lastPrice: string | undefined;
  priceScale: number;
  /** Fills a ticket; absent where the chart has none. */
  onOrder: ((order: PriceOrder) => void) | undefined;
  /** Sets a price alert; absent where the market is not live. */
  onAlert: ((price: string) => void) | undefined;
  onClose: () => void;
}

/** The menu of a price on the chart: orders for the ticket, a price alert, and the price itself to copy. */
export function PriceMenu({ place, lastPrice, priceScale, onOrder, onAlert, onClose }: Props) {
  const { t } = useTranslation();
  const { price } = place;
  const text = `\u2066${formatBookPrice(price, priceScale)}\u2069`;
  const orders = onOrder ? ordersAt(price, lastPrice) : [];
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(price);
      toastDone(t('common.copied'), 'copied');
    } catch (refused) {
      // Browsers refuse the clipboard without permission, or outside a secure page.
      console.warn('not copied', refused);
      toastError(t('common.notCopied'));
    }
  };
  return (
    <PointMenu at={place} label={t('chart.at.label', { price: text })} onClose={onClose}>
      {orders.map((order) => (
        <MenuItem key={`${order.kind} ${order.side}`} onSelect={() => onOrder?.(order)}>
          <span className={order.side === 'buy' ? 'text-up' : 'text-down'}>
            {t(`chart.at.${order.kind}.${order.side}`, { price: text })}
          </span>
        </MenuItem>
      ))}
      {orders.length > 0 && <MenuSeparator />}
      {onAlert && <MenuItem onSelect={() => onAlert(price)}>{t('chart.at.alert', { price: text })}</MenuItem>}
      <MenuItem onSelect={() => void copy()}>{t('chart.at.copy')}</MenuItem>
    </PointMenu>
  );
}
