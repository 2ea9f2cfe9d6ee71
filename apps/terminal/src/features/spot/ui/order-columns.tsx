import { useTranslation } from 'react-i18next';
import type { SpotOrder } from '@bourse/contract';
import { atMost, formatAmount, formatBookPrice, grouped, Num, type Column } from '@bourse/ui';
import { times } from '../../../core/worth.js';
import { usePairWorth, type PairScales } from '../../../market/pair/scales.js';
import { Time } from '../../../parts/time.js';
import { filledPercent, isMarketKind, valuedAt } from '../model/orders.js';
import { ExitPrices, OrderKindCell, StopPrice } from './order-links.js';
import { SideCell } from './side-cell.js';

/** The price of an order as it is shown: an order without one says so. */
export const priceOf = (order: SpotOrder, t: (key: string) => string, scale: number): string =>
  isMarketKind(order.order_type) ? t('ticket.best') : formatBookPrice(order.target_price, scale);

/** The pair of a row as the button that opens its details. */
export const PairButton = ({ symbol, onPress }: { symbol: string; onPress: () => void }) => (
  <button
    type="button"
    aria-haspopup="dialog"
    onClick={onPress}
    className="-my-0.5 rounded-chip py-0.5 font-medium hover:underline"
  >
    <Num>{symbol}</Num>
  </button>
);

/**
 * Columns both lists share.
 * @param time when an open order was placed, or a finished one ended
 * @param onOpen opens the details of an order, where there are any
 */
export function useColumns(
  scales: PairScales,
  time: 'created_at' | 'updated_at',
  onOpen?: (order: SpotOrder) => void,
): Column<SpotOrder>[] {
  const { t } = useTranslation();
  const worth = useWorthColumn();
  const scale = (order: SpotOrder) => scales(order.symbol) ?? { price_scale: 8, number_scale: 8 };
  return [
    {
      id: 'time',
      header: t('orders.time'),
      cell: (order) => <Time>{order[time]}</Time>,
    },
    {
      id: 'pair',
      header: t('orders.pair'),
      card: 'title',
      cell: (order) =>
        onOpen ? (
          <PairButton symbol={order.symbol} onPress={() => onOpen(order)} />
        ) : (
          <Num className="font-medium">{order.symbol}</Num>
        ),
    },
    {
      id: 'side',
      card: 'title',
      header: t('orders.side'),
      cell: (order) => <SideCell type={order.type} />,
    },
    {
      id: 'type',
      header: t('orders.type'),
      cell: (order) => <OrderKindCell order={order} />,
    },
    {
      id: 'price',
      header: t('orders.price'),
      end: true,
      cell: (order) => (
        <>
          <Num>{priceOf(order, t, scale(order).price_scale)}</Num>
          <StopPrice order={order} shown={(price) => formatBookPrice(price, scale(order).price_scale)} />
          <ExitPrices order={order} shown={(price) => formatBookPrice(price, scale(order).price_scale)} />
        </>
      ),
    },
    {
      id: 'amount',
      header: t('orders.amount'),
      end: true,
      cell: (order) => <Num>{formatAmount(order.trade_amount, scale(order).number_scale)}</Num>,
    },
    {
      id: 'filled',
      header: t('orders.filled'),
      end: true,
      cell: (order) => (
        <Num>
          {formatAmount(order.filled_amount, scale(order).number_scale)} ({filledPercent(order)}%)
        </Num>
      ),
    },
    worth,
  ];
}

/** The approximate value of an order in the reference currency. */
function useWorthColumn(): Column<SpotOrder> {
  const { t } = useTranslation();
  const worth = usePairWorth();
  return {
    id: 'worth',
    header: t('orders.worth'),
    end: true,
    priority: 'wide',
    cell: (order) => {
      const { amount, price } = valuedAt(order);
      const value = times(amount, price);
      return <Num>{(/[1-9]/.test(value) && worth(order.symbol, value)) || '–'}</Num>;
    },
  };
}

/** Columns of finished orders. */
export function useDoneColumns(scales: PairScales, onOpen?: (order: SpotOrder) => void): Column<SpotOrder>[] {
  const { t } = useTranslation();
  return [
    ...useColumns(scales, 'updated_at', onOpen),
    {
      id: 'mean',
      header: t('orders.mean'),
      end: true,
      cell: (order) => <Num>{formatBookPrice(order.trade_price, scales(order.symbol)?.price_scale ?? 8)}</Num>,
    },
    {
      id: 'fee',
      header: t('orders.fee'),
      end: true,
      cell: (order) => (
        <Num>
          {grouped(atMost(order.fee, 8))} {order.fee_currency}
        </Num>
      ),
    },
    {
      id: 'state',
      header: t('orders.state'),
      cell: (order) =>
        order.cancelled === 1 ? (
          // In two lines: in one, no usual window has room for it.
          <span className="inline-block max-w-20 text-label whitespace-normal">{t('orders.partlyCancelled')}</span>
        ) : (
          t('orders.done')
        ),
    },
  ];
}
