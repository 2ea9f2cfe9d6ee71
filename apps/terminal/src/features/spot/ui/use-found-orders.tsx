import { useTranslation } from 'react-i18next';
import type { SpotOrder } from '@bourse/contract';
import { formatAmount, formatBookPrice, Num } from '@bourse/ui';
import type { FoundList } from '../../../market/pair/found-rows.js';
import { matchesSearch } from '../../../market/pair/matches-search.js';
import type { PairScales } from '../../../market/pair/scales.js';
import { useSearchedOrders } from '../api/orders.js';
import { isGiven, linePrice, remaining } from '../model/orders.js';
import { SideCell } from './side-cell.js';

interface Actions {
  readonly scales: PairScales;
  readonly onOpen: (order: SpotOrder) => void;
  readonly onCancel: (order: SpotOrder) => void;
}

/** The person's open orders for the search: by pair, side, kind and price. */
export function useFoundOrders({ scales, onOpen, onCancel }: Actions): FoundList {
  const { t } = useTranslation();
  const orders = useSearchedOrders();
  const priceOf = (order: SpotOrder): string => {
    const price = linePrice(order);
    return isGiven(price) ? formatBookPrice(price, scales(order.symbol)?.price_scale ?? 8) : t('ticket.best');
  };
  const textOf = (order: SpotOrder): string => {
    const side = t(order.type === 1 ? 'ticket.buy' : 'ticket.sell');
    return `${order.symbol} ${side} ${t(`orders.kind.${order.order_type}`)} ${priceOf(order)}`;
  };
  return {
    heading: t('orders.found'),
    rowsFor: (search) =>
      (orders ?? [])
        .filter((order) => matchesSearch(textOf(order), search))
        .map((order) => ({
          id: `order-${order.id}`,
          content: (
            <>
              <Num className="font-medium">{order.symbol}</Num> <SideCell type={order.type} />{' '}
              {t(`orders.kind.${order.order_type}`)}{' '}
              <Num>{formatAmount(remaining(order), scales(order.symbol)?.number_scale ?? 8)}</Num>{' '}
              <span className="text-t2">@</span> <Num>{priceOf(order)}</Num>
            </>
          ),
          run: () => onOpen(order),
          action: {
            text: t('orders.cancel'),
            label: `${t('orders.cancel')}: ${textOf(order)}`,
            run: () => onCancel(order),
          },
        })),
  };
}
