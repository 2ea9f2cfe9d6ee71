import { useQuery } from '@tanstack/react-query';
import type { SpotFill, SpotOrder, WalletLog } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { readPages } from '../../../core/read-pages.js';
import { entriesOf, spanOf } from '../model/order-detail.js';
import { fillKeys } from './fills.js';
import { orderKey } from './orders.js';

/** The most pages that are read of one list. An order with more rows shows the newest of them. */
const PAGES_MAX = 10;
/** A detail refreshes this often when pushes do not arrive. */
const REFRESH_MS = 10_000;
const QUIET = { quiet: true } as const;

/** The fills and the statement entries of an order. */
export interface OrderRecord {
  readonly fills: readonly SpotFill[];
  readonly entries: readonly WalletLog[];
}

/** An order as the server has it now; until it answers, as a list has it. */
export function useOrder(id: string, known?: SpotOrder): { order: SpotOrder | undefined; failed: boolean } {
  const { data, isError } = useQuery({
    queryKey: orderKey(id),
    refetchInterval: REFRESH_MS,
    queryFn: async () => (await api.get('/api/coin/order', { id }, QUIET)).message,
  });
  return { order: data ?? known, failed: isError };
}

/** Fills and statement entries of an order, read again after each of its changes. */
export const useOrderRecord = (order: SpotOrder) =>
  useQuery({
    queryKey: [...fillKeys, 'record', order.id, order.updated_ts, order.filled_amount],
    refetchInterval: REFRESH_MS,
    queryFn: () => readRecord(order),
    placeholderData: (held: OrderRecord | undefined) => held,
  });

async function readRecord(order: SpotOrder): Promise<OrderRecord> {
  const statement = (cause_type: string): Promise<WalletLog[]> =>
    readPages((page) => api.get('/api/statement/list', { ...spanOf(order), cause_type, ...page }, QUIET), PAGES_MAX);
  const [fills, holds, trades] = await Promise.all([
    readPages<SpotFill>((page) => api.get('/api/coin/fills', { order_id: order.id, ...page }, QUIET), PAGES_MAX),
    statement('order'),
    statement('trade'),
  ]);
  return { fills, entries: entriesOf(order, fills, [...holds, ...trades]) };
}
