import { useState } from 'react';
import type { PriceOrder } from '../../../market/chart/price-orders.js';
import type { Side } from '../model/ticket.js';
import type { TicketPick } from './ticket.js';

/** Fills the ticket with a price of the book, or with an order begun on the chart, which chooses the side too. */
export function useTicketPick(
  onSide: (side: Side) => void,
  onPicked: () => void,
): {
  readonly pick: TicketPick | undefined;
  readonly takePick: (chosen: TicketPick) => void;
  readonly takeOrder: (order: PriceOrder) => void;
} {
  const [pick, setPick] = useState<TicketPick | undefined>();
  const takePick = (chosen: TicketPick): void => {
    // A new object each time: the same price may be chosen twice.
    setPick({ ...chosen });
    onPicked();
  };
  const takeOrder = (order: PriceOrder): void => {
    onSide(order.side);
    takePick(order);
  };
  return { pick, takePick, takeOrder };
}
