import { useTranslation } from 'react-i18next';
import type { QuotationItem, SpotOrder } from '@bourse/contract';
import { Button, Dialog, formatAmount, formatBookPrice, Num } from '@bourse/ui';
import { isLeg, isWaitingStop, linePrice, moveOutcome, remaining } from '../model/orders.js';

/** A change of an order line that waits for a yes. */
export interface AskedOfLine {
  readonly order: SpotOrder;
  /** The new price of a dragged line; absent for a cancel. */
  readonly price?: string;
}

/** The question before an order is cancelled or moved on the chart. */
export function LineQuestion({
  asked: { order, price },
  pair,
  lastPrice,
  onClose,
  onConfirm,
}: {
  asked: AskedOfLine;
  pair: Pick<QuotationItem, 'price_scale' | 'number_scale' | 'legal_name' | 'currency_name'>;
  lastPrice: string;
  onClose: () => void;
  onConfirm: () => void;
}) {
  const { t } = useTranslation();
  const shown = (value: string): string => `${formatBookPrice(value, pair.price_scale)} ${pair.legal_name}`;
  const side = t(order.type === 1 ? 'ticket.buy' : 'ticket.sell');
  const rows: [string, string][] = [
    [t('orders.type'), `${t(`orders.kind.${order.order_type}`)} · ${side}`],
    [t('orders.amount'), `${formatAmount(remaining(order), pair.number_scale)} ${pair.currency_name}`],
    [t(isWaitingStop(order) ? 'ticket.stopPrice' : 'orders.price'), shown(linePrice(order))],
    ...(price === undefined ? [] : [[t('orders.newPrice'), shown(price)] as [string, string]]),
  ];
  const crosses = price !== undefined && moveOutcome(order, price, lastPrice) === 'crosses';
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(price === undefined ? 'orders.cancelTitle' : 'orders.moveTitle')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('orders.keep')}</Button>
          <Button data-autofocus="" kind={price === undefined ? 'danger' : 'primary'} onClick={onConfirm}>
            {t(price === undefined ? 'orders.cancel' : 'orders.move')}
          </Button>
        </>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-t2">{name}</dt>
            <dd className="text-end">
              <Num>{value}</Num>
            </dd>
          </div>
        ))}
      </dl>
      {price !== undefined && <p className="text-table text-t2">{t('orders.moveHint')}</p>}
      {price === undefined && isLeg(order) && <p className="text-table text-t2">{t('orders.cancelPair')}</p>}
      {crosses && (
        <p role="alert" className="rounded-panel border border-warn p-3 text-warn">
          {t('orders.moveCrosses')}
        </p>
      )}
    </Dialog>
  );
}
