import type { ApiClient } from '@bourse/api-client';
import type { OrdersFileKind } from '../model/orders-file.js';
import type { PairIds } from './orders.js';

/** A file of what the list of this kind shows: finished orders, or trades; of all pairs, or of one. */
export const ordersFile = (api: ApiClient, kind: OrdersFileKind, pair?: PairIds): Promise<Blob> =>
  api.file(
    '/api/coin/export',
    { kind, legal_id: pair?.legal_id, currency_id: pair?.currency_id, ...(kind === 'orders' && { status: 2 }) },
    'text/csv',
  );
