import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SpotOrder } from '@bourse/contract';
import { atMost, formatAmount, formatBookPrice, grouped, Num, stackedHeader, type Column } from '@bourse/ui';
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

const scalesOf = (scales: PairScales, order: SpotOrder) => scales(order.symbol) ?? { price_scale: 8, number_scale: 8 };

/**
 * Columns both lists share, up to the kind of an order.
 * @param time when an open order was placed, or a finished one ended
 * @param onOpen opens the details of an order, where there are any
 */
function useNameColumns(time: 'created_at' | 'updated_at', onOpen?: (order: SpotOrder) => void): Column<SpotOrder>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'time',
      header: t('orders.time'),
      wraps: true,
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
      under: 'side',
      header: t('orders.type'),
      cell: (order) => <OrderKindCell order={order} />,
    },
  ];
}

/** The price of an order, then its stop and its exits. */
function Prices({ order, scales, mean }: { order: SpotOrder; scales: PairScales; mean?: ReactNode }) {
  const { t } = useTranslation();
  const { price_scale: scale } = scalesOf(scales, order);
  const shown = (price: string): string => formatBookPrice(price, scale);
  return (
    <>
      <Num>{priceOf(order, t, scale)}</Num>
      {mean}
      <StopPrice order={order} shown={shown} />
      <ExitPrices order={order} shown={shown} />
    </>
  );
}

const Amount = ({ order, scales }: { order: SpotOrder; scales: PairScales }) => (
  <Num>{formatAmount(order.trade_amount, scalesOf(scales, order).number_scale)}</Num>
);
const Filled = ({ order, scales }: { order: SpotOrder; scales: PairScales }) => (
  <Num>
    {formatAmount(order.filled_amount, scalesOf(scales, order).number_scale)} ({filledPercent(order)}%)
  </Num>
);

/** Columns of open orders. */
export function useOpenColumns(scales: PairScales, onOpen?: (order: SpotOrder) => void): Column<SpotOrder>[] {
  const { t } = useTranslation();
  const names = useNameColumns('created_at', onOpen);
  const worth = useWorthColumn();
  return [
    ...names,
    {
      id: 'price',
      header: t('orders.price'),
      end: true,
      cell: (order) => <Prices order={order} scales={scales} />,
    },
    {
      id: 'amount',
      header: t('orders.amount'),
      end: true,
      cell: (order) => <Amount order={order} scales={scales} />,
    },
    {
      id: 'filled',
      under: 'amount',
      header: t('orders.filled'),
      end: true,
      wraps: true,
      cell: (order) => <Filled order={order} scales={scales} />,
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
  const names = useNameColumns('updated_at', onOpen);
  const worth = useWorthColumn();
  const mean = (order: SpotOrder): string => formatBookPrice(order.trade_price, scalesOf(scales, order).price_scale);
  return [
    ...names,
    {
      id: 'price',
      ...stackedHeader(t('orders.price'), t('orders.mean')),
      end: true,
      cell: (order) => (
        <Prices order={order} scales={scales} mean={<Num className="block text-t2">{mean(order)}</Num>} />
      ),
    },
    {
      id: 'filled',
      ...stackedHeader(t('orders.amount'), t('orders.filled')),
      end: true,
      cell: (order) => (
        <>
          <Amount order={order} scales={scales} />
          <span className="block text-t2">
            <Filled order={order} scales={scales} />
          </span>
        </>
      ),
    },
    {
      id: 'fee',
      header: t('orders.fee'),
      end: true,
      wraps: true,
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
    worth,
  ];
}
