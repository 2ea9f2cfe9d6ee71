import { keys } from '@bourse/api-client';
import type {
  BalanceUpdatePush,
  DataPage,
  Deposit,
  OrderUpdatePush,
  QuotationGroup,
  SpotOrder,
  Withdrawal,
} from '@bourse/contract';
import { api, queryClient } from '../api.js';
import { feed } from '../feed.js';
import { pairsOf } from '../market.js';
import { loadInfo, useSession } from '../session.js';
import { acceptedNews, depositNews, identityNews, orderNews, withdrawalNews, type Scales } from './news.js';
import { tell, toastNews } from './store.js';

/** Balance pushes of one moment read the lists behind them once. */
const REFRESH_AFTER_MS = 500;
/** No event tells of a decision on papers: while they are under review the profile is asked again this often. */
const REVIEW_EVERY_MS = 20_000;

/** Orders that a push has told of: an answer that comes later must not cover the fill with "accepted". */
const toldOrders = new Set<string>();

function scalesOf(symbol: string): Scales | undefined {
  const groups = queryClient.getQueryData<QuotationGroup[]>(keys.quotations);
  return pairsOf(groups).find((item) => item.symbol === symbol);
}

/** An order was accepted: its toast, unless its fill was told before the answer came. */
export function tellAccepted(order: SpotOrder): void {
  if (!toldOrders.has(order.id)) toastNews(acceptedNews(order, scalesOf(order.symbol)));
}

function onOrder({ order, fill }: OrderUpdatePush): void {
  const news = orderNews(order, fill !== null, scalesOf(order.symbol));
  if (!news) return;
  toldOrders.add(order.id);
  tell(news);
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** What stands on the screens about money is read again: holds, deposits, withdrawals, the statement's check. */
function refreshMoney(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    for (const queryKey of [[...keys.wallet, 'holds'], keys.deposits, keys.withdrawals, [...keys.statement, 'check']])
      void queryClient.invalidateQueries({ queryKey });
  }, REFRESH_AFTER_MS);
}

/** The row behind a push, from the first page of its list: what moved last stands there. */
async function rowOf<Row extends { id: string }>(path: string, id: string): Promise<Row | undefined> {
  const { message } = await api.get<DataPage<Row>>(path, { page: 1 }, { quiet: true });
  return message.data.find((row) => row.id === id);
}

async function onBalance({ cause_type: cause, cause_id: id }: BalanceUpdatePush): Promise<void> {
  refreshMoney();
  try {
    if (cause === 'deposit') {
      const row = await rowOf<Deposit>('/api/wallet/deposits', id);
      const news = row && depositNews(row);
      if (news) tell(news);
    }
    if (cause === 'withdrawal') {
      const row = await rowOf<Withdrawal>('/api/wallet/out_list', id);
      const news = row && withdrawalNews(row);
      if (news) tell(news);
    }
  } catch (error) {
    // The balance itself was pushed; what could not be told stands in its list.
    console.debug('cause of a balance not read', error);
  }
}

async function askReview(): Promise<void> {
  const { info, token } = useSession.getState();
  if (token === null || info?.review_status !== 1) return;
  try {
    const news = identityNews(1, (await loadInfo()).review_status);
    if (!news) return;
    tell(news);
    void queryClient.invalidateQueries({ queryKey: keys.center });
  } catch (error) {
    console.debug('review not asked', error);
  }
}

/** Once a visit: private events become toasts, entries of the message centre and fresh lists, on every page. */
export function followNotifications(): void {
  feed.on('order_update', onOrder);
  feed.on('balance_update', (push) => void onBalance(push));
  setInterval(() => void askReview(), REVIEW_EVERY_MS);
}
