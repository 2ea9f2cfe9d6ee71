import { refuse } from '@bourse/platform';
import type { Order } from '../domain/order.js';
import type { EngineReports } from './engine-reports.js';
import type { OrderName } from './order-fields.js';
import type { OrderReads } from './ports.js';

/**
 * The caller's own order by `id` or `client_order_id`, also one that was accepted and is still on its way to its book.
 */
export async function findOrder(
  reads: OrderReads,
  reports: EngineReports,
  userId: number,
  name: OrderName,
): Promise<Order | null> {
  // First what is on its way: an order may be committed between the two looks, never the other way round. What is
  // stored is newer.
  const { id, clientOrderId } = name;
  if (id === undefined) {
    if (clientOrderId === undefined) throw refuse('common.fieldRequired', 'id');
    const onItsWay = reports.findAccepted(userId, { clientOrderId });
    return (await reads.byClientId(userId, clientOrderId)) ?? onItsWay;
  }
  const onItsWay = reports.findAccepted(userId, { id });
  const found = (await reads.byId(userId, id)) ?? onItsWay;
  return found && bears(found, clientOrderId) ? found : null;
}

/** Whether an order has this client id; true if none is given. An id and a client id of two orders match neither. */
export const bears = (order: Pick<Order, 'clientOrderId'>, clientOrderId: string | undefined): boolean =>
  clientOrderId === undefined || order.clientOrderId === clientOrderId;
