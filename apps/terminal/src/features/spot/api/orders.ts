import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { keys, newIntent, nextPage } from '@bourse/api-client';
import type { QuotationItem, SpotOrder } from '@bourse/contract';
import { isFinal } from '@bourse/web';
import { api, queryClient } from '../../../core/api.js';
import { feed } from '../../../core/feed.js';
import { patchQuery } from '../../../core/patch-query.js';
import { knownServerNow } from '../../../core/server-time.js';
import { useSignedIn } from '../../../core/session.js';
import {
  commandAgain,
  commandAt,
  EndedOrders,
  isGiven,
  isTrailing,
  isWaitingStop,
  patchDoneOrders,
  patchOpenOrders,
  remaining,
} from '../model/orders.js';
import { fillKeys } from './fills.js';
import { usePagedList, type PagedList, type Pages } from './paged-list.js';

/** Lists refresh this often when pushes do not arrive (rules §16). */
const REFRESH_MS = 10_000;
/** The open list refreshes this often while it has a trailing stop, whose trigger moves without a push (api §2.3). */
const TRAIL_MS = 2_000;
/** Open orders load more above eight rows (rules §16); the history by the page of the call. */
const PAGE = { open: 8, done: 20 } as const;

/** Pair whose orders are asked for; all pairs without one. */
export type PairIds = Pick<QuotationItem, 'legal_id' | 'currency_id'>;
const listKey = (which: 'open' | 'done', pair: PairIds | undefined): readonly unknown[] => [
  ...(which === 'open' ? keys.openOrders : keys.doneOrders),
  pair ? `${pair.currency_id}/${pair.legal_id}` : 'all',
];

/** The query of one order by its id. */
export const orderKey = (id: string): readonly unknown[] => [...keys.orders, 'kind', id];

const refreshOf = (list: Pages<SpotOrder> | undefined): number =>
  list?.pages.some(({ data }) => data.some(isTrailing)) ? TRAIL_MS : REFRESH_MS;

/** Open or finished orders, page after page: of all pairs, or of one. The server filters, so that no page hides any. */
export function useOrders(which: 'open' | 'done', pair?: PairIds): PagedList<SpotOrder> {
  const signedIn = useSignedIn();
  const query = useInfiniteQuery({
    queryKey: listKey(which, pair),
    enabled: signedIn,
    refetchInterval: () => refreshOf(queryClient.getQueryData<Pages<SpotOrder>>(listKey(which, pair))),
    initialPageParam: 1,
    queryFn: async ({ pageParam }) =>
      (
        await api.get(
          '/api/coin/list',
          {
            page: pageParam,
            status: which === 'open' ? 1 : 2,
            limit: PAGE[which],
            currency: pair?.currency_id,
            legal_id: pair?.legal_id,
          },
          { quiet: true },
        )
      ).message,
    getNextPageParam: nextPage,
  });
  return usePagedList(query);
}

/** The most open orders that the search looks through, the newest ones. */
const SEARCHED_MAX = 100;

/** Open orders of all pairs, for the search. */
export function useSearchedOrders(): SpotOrder[] | undefined {
  const signedIn = useSignedIn();
  const { data } = useQuery({
    queryKey: [...keys.openOrders, 'search'],
    enabled: signedIn,
    staleTime: 0,
    queryFn: async () => (await api.get('/api/coin/list', { status: 1, limit: SEARCHED_MAX }, { quiet: true })).message,
  });
  return data?.data;
}

/**
 * Orders between press and answer. They show at once, marked; the server's row takes their place, a refusal takes them
 * away.
 */
export const usePending = create<{ placing: readonly SpotOrder[]; cancelling: ReadonlySet<string> }>()(() => ({
  placing: [],
  cancelling: new Set(),
}));

export interface OrderCommand {
  legal_id: number;
  currency_id: number;
  type: 1 | 2;
  target_price?: string;
  amount: string;
  /** `oco`: a limit at `target_price` and a stop, of which one ends the other. */
  order_type: SpotOrder['order_type'] | 'oco';
  stop_price?: string;
  trigger_by?: 'mark';
  stop_limit_price?: string;
  trail_percent?: string | undefined;
  trail_amount?: string | undefined;
  activation_price?: string | undefined;
  take_profit?: string;
  stop_loss?: string;
  time_in_force?: SpotOrder['time_in_force'];
  post_only?: 1;
  /** The press that made it: the push of the order carries it back, before the answer does. */
  client_order_id?: string;
}

/** Sends an order, or a pair of orders; of a pair the stop leg is added to the lists here. @returns the limit leg */
async function postOrder({ order_type: kind, ...fields }: OrderCommand, intent: string): Promise<SpotOrder> {
  if (kind !== 'oco') {
    const sent = { ...fields, order_type: kind, client_order_id: intent };
    return (await api.post('/api/coin/trade', sent, { intent })).order;
  }
  const { target_price: limit = '', stop_price: trigger = '', trigger_by: _ofStops, ...rest } = fields;
  const sent = { ...rest, target_price: limit, stop_price: trigger, client_order_id: intent };
  const { order, stop_order: stop } = await api.post('/api/coin/oco', sent, { intent });
  applyOrder(stop);
  return order;
}

/**
 * Places an order; `intent` is kept by the caller over repeats of the same press. The row is in the list from the
 * press on.
 */
export async function placeOrder(
  command: OrderCommand,
  intent: string,
  symbol: { legal_name: string; currency_name: string; symbol: string },
): Promise<SpotOrder> {
  const row = placingRow(command, intent, symbol);
  usePending.setState(({ placing }) => ({ placing: [row, ...placing] }));
  try {
    const order = await postOrder(command, intent);
    applyOrder(order);
    return order;
  } finally {
    usePending.setState(({ placing }) => ({ placing: placing.filter((other) => other.id !== row.id) }));
  }
}

/** Cancels one order; its row is locked until the answer. @returns the order as it ended */
export async function cancelOrder(id: string): Promise<SpotOrder> {
  usePending.setState(({ cancelling }) => ({ cancelling: new Set([...cancelling, id]) }));
  try {
    const { order } = await api.put('/api/coin/trade', { id }, { intent: newIntent() });
    applyOrder(order);
    return order;
  } finally {
    usePending.setState(({ cancelling }) => ({ cancelling: new Set([...cancelling].filter((other) => other !== id)) }));
    void queryClient.invalidateQueries({ queryKey: keys.orders });
  }
}

/** A stop that was cancelled for its move, and whose new order was refused or not answered. */
export class NotMoved extends Error {
  constructor(
    /**
     * Places the order again: at its old price after a refusal; without an answer the same command under its key.
     * Absent where it is at its old price already.
     */
    readonly placeAgain: (() => Promise<SpotOrder>) | undefined,
    cause: unknown,
  ) {
    super('the order was cancelled and not placed at its new price', { cause });
  }
}

/** Places a cancelled order again. @returns how to try once more, where that has failed */
async function placeBack(cancelled: SpotOrder): Promise<(() => Promise<SpotOrder>) | undefined> {
  const place = (intent: string): Promise<SpotOrder> => placeOrder(commandAgain(cancelled), intent, cancelled);
  const first = newIntent();
  try {
    await place(first);
    return undefined;
  } catch (error) {
    const next = isFinal(error) ? newIntent() : first;
    return () => place(next);
  }
}

/** Changes the price of an open limit order in place: one command; a refusal leaves the order as it was. */
async function amendPrice(order: SpotOrder, price: string): Promise<void> {
  const { order: amended } = await api.put(
    '/api/coin/order',
    { id: order.id, target_price: price },
    { intent: newIntent() },
  );
  applyOrder(amended);
  void queryClient.invalidateQueries({ queryKey: keys.orders });
}

/**
 * Moves an open order to another price of its line. A limit is changed in place. The trigger of a waiting stop cannot
 * be changed: the stop is cancelled, and its rest is placed again, at the old price where the new one is refused.
 * @throws {NotMoved} when the second step of a stop was refused or got no answer
 */
export async function moveOrder(order: SpotOrder, price: string): Promise<void> {
  if (!isWaitingStop(order)) return amendPrice(order, price);
  const cancelled = await cancelOrder(order.id);
  if (!isGiven(remaining(cancelled))) return;
  const moved = commandAt(cancelled, price);
  const intent = newIntent();
  try {
    await placeOrder(moved, intent, order);
  } catch (error) {
    throw new NotMoved(isFinal(error) ? await placeBack(cancelled) : () => placeOrder(moved, intent, order), error);
  }
}

/** Cancels all open orders, or those of one pair. @returns how many */
export async function cancelAll(pair?: PairIds): Promise<number> {
  const { ids } = await api.post(
    '/api/coin/cancel_all',
    { legal_id: pair?.legal_id, currency_id: pair?.currency_id },
    { intent: newIntent() },
  );
  void queryClient.invalidateQueries({ queryKey: keys.orders });
  return ids.length;
}

/** Order pushes patch the lists. */
export function useOrderPushes(): void {
  useEffect(() => feed.on('order_update', ({ order }) => applyOrder(order)), []);
}

const ended = new EndedOrders();

function applyOrder(order: SpotOrder): void {
  // The server's row is there: the one that stood for it while it was sent goes, whichever of push and answer came
  // first.
  if (usePending.getState().placing.some(({ id }) => id === order.client_order_id))
    usePending.setState(({ placing }) => ({ placing: placing.filter(({ id }) => id !== order.client_order_id) }));
  if (!ended.admits(order)) return;
  for (const pair of [undefined, order]) {
    patch(listKey('open', pair), (orders) => patchOpenOrders(orders, order));
    patch(listKey('done', pair), (orders) => patchDoneOrders(orders, order));
  }
  patchQuery<SpotOrder>(queryClient, orderKey(order.id), (held) =>
    held.updated_ts <= order.updated_ts ? order : held,
  );
  if (order.status === 2) void queryClient.invalidateQueries({ queryKey: [...keys.orders, 'entrust'] });
  if (isGiven(order.filled_amount)) void queryClient.invalidateQueries({ queryKey: fillKeys });
}

/** The patched rows go to the first page; the others keep what is not in it. */
function patch(key: readonly unknown[], change: (orders: SpotOrder[]) => SpotOrder[]): void {
  patchQuery<Pages<SpotOrder>>(queryClient, key, (held) => {
    const sizes = held.pages.map((page) => page.data.length);
    const before = held.pages.flatMap((page) => page.data);
    const rows = change(before);
    let at = 0;
    const pages = held.pages.map((page, index) => {
      const end = index === held.pages.length - 1 ? rows.length : at + (sizes[index] ?? 0);
      const data = rows.slice(at, end);
      at = end;
      return { ...page, data, total: page.total + rows.length - before.length };
    });
    return { ...held, pages };
  });
}

function placingRow(
  command: OrderCommand,
  intent: string,
  { symbol, legal_name, currency_name }: { legal_name: string; currency_name: string; symbol: string },
): SpotOrder {
  const ts = knownServerNow();
  const now = new Date(ts).toISOString().slice(0, 19).replace('T', ' ');
  return {
    id: intent,
    client_order_id: '',
    created_at: now,
    updated_at: now,
    ts,
    updated_ts: ts,
    symbol,
    legal_id: command.legal_id,
    currency_id: command.currency_id,
    legal_name,
    currency_name,
    type: command.type,
    order_type: command.order_type === 'oco' ? 'limit' : command.order_type,
    time_in_force: command.time_in_force ?? 'GTC',
    post_only: command.post_only ?? 0,
    stop_price: command.stop_price ?? '0',
    triggered: 0,
    status: 1,
    cancelled: 0,
    cancel_reason: '',
    trade_amount: command.amount,
    filled_amount: '0',
    target_price: command.target_price ?? '0',
    trade_price: '0',
    fee: '0',
    fee_currency: '',
    link_id: '',
    parent_id: '',
    take_profit: command.take_profit ?? '0',
    stop_loss: command.stop_loss ?? '0',
    ...(command.trigger_by && { trigger_by: command.trigger_by }),
  };
}
