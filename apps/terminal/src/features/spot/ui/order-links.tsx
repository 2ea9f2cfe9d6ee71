import { useTranslation } from 'react-i18next';
import type { SpotOrder } from '@bourse/contract';
import { trimZeros } from '@bourse/money';
import { Num } from '@bourse/ui';
import { isGiven, isStopKind, reachSign } from '../model/orders.js';

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

/** The trigger of a stop; of a trailing one also its trail, and before that the price that activates it. */
export function StopPrice({ order, shown }: { order: SpotOrder; shown: (price: string) => string }) {
  const { t } = useTranslation();
  const { order_type: kind, stop_price: trigger, trail_percent: percent, trail_amount: amount = '' } = order;
  if (!isStopKind(kind)) return null;
  const waits = !isGiven(trigger) && order.activation_price !== undefined;
  return (
    <>
      <Num className="block text-label text-t2">
        {waits
          ? `${t('ticket.activation')} ${shown(order.activation_price ?? '')}`
          : order.trigger_by === 'mark'
            ? `${t('ticket.byMark')} ${reachSign(order)} ${shown(trigger)}`
            : `${t('ticket.stopPrice')} ${shown(trigger)}`}
      </Num>
      {kind === 'trailing_stop' && (
        <Num className="block text-label text-t2">
          {t('ticket.trail')} <bdi dir="ltr">{isGiven(percent) ? `${trimZeros(percent ?? '')} %` : shown(amount)}</bdi>
        </Num>
      )}
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
