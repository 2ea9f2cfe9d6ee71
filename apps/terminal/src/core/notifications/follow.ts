import type { QueryKey } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import type {
  BalanceUpdatePush,
  LeverClosedPush,
  LeverPosition,
  OrderUpdatePush,
  QuotationGroup,
  SpotOrder,
} from '@bourse/contract';
import { followPreferences } from '../account-preferences.js';
import { api, queryClient } from '../api.js';
import { feed } from '../feed.js';
import { pairsOf } from '../market.js';
import { loadInfo, markSession, useSession } from '../session.js';
import { followDeals } from './follow-deals.js';
import { followNotices } from './follow-notices.js';
import { isOfIdentity } from './notice-news.js';
import { leverNews, microNews, policyNews } from './house-news.js';
import { acceptedNews, depositNews, identityNews, orderNews, withdrawalNews, type Scales } from './news.js';
import { notify, toastNews, useNotifications } from './store.js';

/** Balance pushes of one moment read the lists behind them once. */
const REFRESH_AFTER_MS = 500;

/** Orders that a push has reported: a later answer must not cover the fill with "accepted". */
const toldOrders = new Set<string>();

function scalesOf(symbol: string): Scales | undefined {
  const groups = queryClient.getQueryData<QuotationGroup[]>(keys.quotations);
  return pairsOf(groups).find((item) => item.symbol === symbol);
}

/** An order was accepted: its toast, unless its fill was reported before the answer came. */
export function notifyAccepted(order: SpotOrder): void {
  if (!toldOrders.has(order.id)) toastNews(acceptedNews(order, scalesOf(order.symbol)));
}

function onOrder({ order, fill }: OrderUpdatePush): void {
  const news = orderNews(order, fill !== null, scalesOf(order.symbol));
  if (!news) return;
  toldOrders.add(order.id);
  notify(news);
}

/** Figures and short lists of money that a screen shows. */
const MONEY_FIGURES: readonly QueryKey[] = [
  [...keys.wallet, 'holds'],
  keys.deposits,
  keys.withdrawals,
  [...keys.statement, 'check'],
];
/** Lists of money that are read page after page. */
const MONEY_LISTS: readonly QueryKey[] = [
  [...keys.wallet, 'log'],
  [...keys.wallet, 'all-logs'],
  keys.transfers,
  keys.statement,
];
/** Lists are read this long after a change: each read takes all pages that are shown. */
const LISTS_AFTER_MS = 2_500;

/** Makes a refresh of queries: one read for all changes within `afterMs`, which cancels no read of a next page. */
function createRefresh(queries: readonly QueryKey[], afterMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const queryKey of queries) void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
    }, afterMs);
  };
}
const refreshFigures = createRefresh(MONEY_FIGURES, REFRESH_AFTER_MS);
const refreshLists = createRefresh(MONEY_LISTS, LISTS_AFTER_MS);

/** Reads again the money on the screen after a change of a balance. */
function refreshMoney(): void {
  refreshFigures();
  refreshLists();
}

/** The row behind a push, from the first page of its list, which has the latest changes. */
async function rowOf<Row>(
  list: Promise<{ readonly message: { readonly data: readonly Row[] } }>,
  isIt: (row: Row) => boolean,
): Promise<Row | undefined> {
  return (await list).message.data.find(isIt);
}
const FIRST_PAGE = { page: 1 } as const;
const QUIET = { quiet: true } as const;

/** Pages of positions that are read for the closed ones: the newest are first. */
const LEVER_PAGES = 5;
const CLOSED = 3;

/** The closed positions of these ids, as far as they are found. */
async function closedRows(ids: readonly string[], legalId: number): Promise<readonly LeverPosition[]> {
  const found: LeverPosition[] = [];
  for (let page = 1; page <= LEVER_PAGES && found.length < ids.length; page += 1) {
    const fields = { status: CLOSED, legal_id: legalId, page } as const;
    const { message } = await api.post('/api/lever/my_trade', fields, QUIET);
    found.push(...message.order.data.filter(({ id }) => ids.includes(id)));
    if (message.order.has_more !== 1) break;
  }
  return found;
}

async function onLeverClosed(push: LeverClosedPush): Promise<void> {
  refreshMoney();
  const isSame = markSession();
  const rows = await closedRows(push.ids, push.legal_id).catch((error: unknown) => {
    console.debug('closed positions not read', error);
    return [];
  });
  if (isSame()) notify(leverNews(push, rows));
}

/** The money of a policy moves a moment before its state is written: the state is read after each of these. */
const POLICY_AFTER_MS = [REFRESH_AFTER_MS, 2_500];
/** Reports the outcome of a policy once each time it changes. */
async function onPolicy(id: string): Promise<void> {
  const isSame = markSession();
  for (const wait of POLICY_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (!isSame()) return;
    const [policy, claim] = await Promise.all([
      rowOf(api.get('/api/insurance/my', FIRST_PAGE, QUIET), ({ id: one }) => one === id),
      rowOf(api.get('/api/insurance/claims', FIRST_PAGE, QUIET), ({ insurance_id: of }) => of === id),
    ]);
    if (!isSame()) return;
    const news = policy && policyNews(policy, claim);
    const told = useNotifications.getState().entries.some((entry) => entry.id === news?.id && entry.key === news.key);
    if (!news || told) continue;
    notify(news);
    // The policies and claims on the screens are older than this event.
    void queryClient.invalidateQueries({ queryKey: [...keys.user, 'micro'] });
  }
}

async function onBalance({ cause_type: cause, cause_id: id }: BalanceUpdatePush): Promise<void> {
  refreshMoney();
  const isSame = markSession();
  try {
    if (cause === 'deposit') {
      const row = await rowOf(api.get('/api/wallet/deposits', FIRST_PAGE, QUIET), (one) => one.id === id);
      const news = row && depositNews(row);
      if (news && isSame()) notify(news);
    }
    if (cause === 'withdrawal') {
      const row = await rowOf(api.get('/api/wallet/out_list', FIRST_PAGE, QUIET), (one) => one.id === id);
      const news = row && withdrawalNews(row);
      if (news && isSame()) notify(news);
    }
    if (cause === 'insurance') await onPolicy(id);
  } catch (error) {
    // The balance itself was pushed; its list shows the event that could not be reported.
    console.debug('cause of a balance not read', error);
  }
}

/** Reads the profile again after a decision on the person's papers, and refreshes the screens that show it. */
async function onReview(): Promise<void> {
  const before = useSession.getState().info?.review_status;
  const isSame = markSession();
  try {
    const { review_status: now } = await loadInfo();
    if (!isSame()) return;
    void queryClient.invalidateQueries({ queryKey: keys.center });
    const news = identityNews(before === 2 ? 2 : 1, now);
    if (news) notify(news);
  } catch (error) {
    console.debug('decision on the papers not read', error);
  }
}

/** Once a visit: private events become toasts, entries of the message centre and fresh lists, on every page. */
function followNotifications(): void {
  feed.on('order_update', onOrder);
  feed.on('balance_update', (push) => void onBalance(push));
  feed.on('lever_closed', (push) => void onLeverClosed(push));
  feed.on('micro_closed', (order) => {
    const news = microNews(order);
    if (news) notify(news);
  });
  followDeals();
  followNotices();
  feed.on('notice', ({ kind }) => {
    if (isOfIdentity(kind)) void onReview();
  });
}

/** Starts what only a signed-in person needs: notifications, and preferences that follow the account. */
export function followPerson(): void {
  followNotifications();
  followPreferences();
}
