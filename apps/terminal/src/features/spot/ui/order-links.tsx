import { useTranslation } from 'react-i18next';
import type { SpotOrder } from '@bourse/contract';
import { Num } from '@bourse/ui';
import { isGiven } from '../model/orders.js';

/** The kind of an order, with a mark on a leg of a pair. */
export function OrderKindCell({ order }: { order: SpotOrder }) {
  const { t } = useTranslation();
  return (
    <>
      {t(`orders.kind.${order.order_type}`)}
      {order.link_id !== '' && <span className="block text-label text-t2">{t('ticket.oco')}</span>}
    </>
  );
}

/** The exits that follow an order, each in a line. */
export function ExitPrices({ order, shown }: { order: SpotOrder; shown: (price: string) => string }) {
  const { t } = useTranslation();
  const exits = [
    ['ticket.takeProfit', order.take_profit],
    ['ticket.stopLoss', order.stop_loss],
  ] as const;
  return exits
    .filter(([, price]) => isGiven(price))
    .map(([name, price]) => (
      <Num key={name} className="block text-label text-t2">
        {t(name)} {shown(price)}
      </Num>
    ));
}
