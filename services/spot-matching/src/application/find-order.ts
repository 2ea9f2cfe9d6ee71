import { refuse, Refused } from '@bourse/platform';
import type { Order } from '@bourse/matching';
import type { EngineReports } from './engine-reports.js';
import type { OrderName } from './order-fields.js';
import type { LocalBooks } from './local-books.js';
import type { OrderReads } from './ports.js';

/** The sources of the callers' orders. */
export interface OrderPlaces {
  readonly books: LocalBooks;
  readonly reads: OrderReads;
  readonly reports: EngineReports;
}

/**
 * The order that a call changes: from the book in memory if it runs in this process, else by `findOrder`. The book
 * decides which orders are open, so most changes read no rows. @throws Refused common.notFound
 */
export async function findToChange(
  { books, reads, reports }: OrderPlaces,
  userId: number,
  name: OrderName,
): Promise<Order> {
  const { id, clientOrderId } = name;
  const resting = id === undefined ? null : books.openOrder(userId, id);
  if (resting && bears(resting.order, clientOrderId)) return { ...resting.order, pairId: resting.pairId };
  const done = id === undefined ? null : reports.findDone(userId, id);
  if (done && bears(done, clientOrderId)) return done;
  const found = await findOrder(reads, reports, userId, name);
  if (!found) throw new Refused('common.notFound');
  return found;
}

/**
 * The caller's own order by `id` or `client_order_id`, including one that was accepted and has not reached its book
 * yet.
 */
export async function findOrder(
  reads: OrderReads,
  reports: EngineReports,
  userId: number,
  name: OrderName,
): Promise<Order | null> {
  // Reads the orders on their way first: an order may be committed between the two reads, but never the reverse. The
  // stored state is newer.
  const { id, clientOrderId } = name;
  if (id === undefined) {
    if (clientOrderId === undefined) throw refuse('common.fieldRequired', 'id');
    const onItsWay = reports.findAccepted(userId, { clientOrderId });
    const ahead = reports.findAnswered(userId, { clientOrderId });
    return ahead ?? newerOf(await reads.byClientId(userId, clientOrderId), onItsWay);
  }
  const onItsWay = reports.findAccepted(userId, { id });
  const ahead = reports.findAnswered(userId, { id });
  const found = ahead ?? (await reads.byId(userId, id)) ?? onItsWay;
  return found && bears(found, clientOrderId) ? found : null;
}

/**
 * The order that a client id names: the stored one, unless the accepted one is another that came after it, since an id
 * is free again after some days.
 */
export const newerOf = (stored: Order | null, accepted: Order | null): Order | null =>
  stored && accepted && stored.id !== accepted.id && accepted.placedAt > stored.placedAt
    ? accepted
    : (stored ?? accepted);

/** Whether an order has this client id; true if none is given. An id and a client id of two orders match neither. */
const bears = (order: Pick<Order, 'clientOrderId'>, clientOrderId: string | undefined): boolean =>
  clientOrderId === undefined || order.clientOrderId === clientOrderId;
