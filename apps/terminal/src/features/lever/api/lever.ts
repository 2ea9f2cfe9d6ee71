import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { ApiError, keys } from '@bourse/api-client';
import type {
  BalanceUpdatePush,
  LeverClosedPush,
  LeverDeal,
  LeverPosition,
  LeverTradePush,
  MessageOf,
  QuotationItem,
} from '@bourse/contract';
import { api, queryClient } from '../../../core/api.js';
import { feed } from '../../../core/feed.js';
import { useSignedIn } from '../../../core/session.js';
import { isInScope, withRow, without, withTrade, type Board, type BoardScope } from '../model/positions.js';

/** Positions are asked for this often when pushes do not arrive (rules §16); entrusts like all order lists. */
const POLL_MS = 3_000;
const ENTRUST_POLL_MS = 10_000;
/** Pages of one list that are read at once: two hundred positions. */
const PAGES_MAX = 20;

/** A page of positions with the figures of the account (api §2.5). */
export type LeverPage = MessageOf<'POST /api/lever/my_trade'>;
export type PairIds = Pick<QuotationItem, 'legal_id' | 'currency_id'>;
export type Which = 'open' | 'pending';
const STATUS = { open: 1, pending: 0 } as const;
const ALL: BoardScope = { legalId: 0, currencyId: 0 };

/**
 * When the last push came: lists of open positions, which are whole in each push, are not asked for while pushes come.
 * Pending orders are pushed only when they change, so their lists are asked for all the same.
 */
let pushedAt = -Infinity;
const pushesFlow = (): boolean => feed.status === 'live' && performance.now() - pushedAt < POLL_MS;

/** Positions that this page saw end: a push or a list made a moment before must not bring them back. */
const ended = new Set<string>();
function end(ids: readonly string[]): void {
  for (const id of ids) ended.add(id);
  patchBoards((board) => without(board, ids));
  readAgain();
}

const some = (id: number): number | undefined => (id === 0 ? undefined : id);
export const listPage = async (
  page: number,
  fields: {
    status?: LeverPosition['status'] | undefined;
    legal_id?: number | undefined;
    currency_id?: number | undefined;
  },
): Promise<LeverPage> => (await api.post('/api/lever/my_trade', { ...fields, page }, { quiet: true })).message;

async function readBoard(which: Which, { legalId, currencyId }: BoardScope): Promise<Board> {
  const rows: LeverPosition[] = [];
  for (let page = 1; ; page += 1) {
    const fields = { status: STATUS[which], legal_id: some(legalId), currency_id: some(currencyId) };
    const { order, ...figures } = await listPage(page, fields);
    rows.push(...order.data);
    if (order.has_more !== 1 || page === PAGES_MAX) return without({ ...figures, rows: unique(rows) }, [...ended]);
  }
}
/** A row that moved to the next page while the first was read would be shown twice. */
const unique = (rows: readonly LeverPosition[]): LeverPosition[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

/**
 * Positions or entrusts of a pair, a quote or all, with the account's figures. Pushes move them; the poll is a
 * fallback.
 */
export function useBoard(which: Which, scope: BoardScope = ALL) {
  const signedIn = useSignedIn();
  const key = keys.leverBoard(which, scope.legalId, scope.currencyId);
  const { data, isError, refetch } = useQuery({
    queryKey: key,
    enabled: signedIn,
    refetchInterval: which === 'open' ? POLL_MS : ENTRUST_POLL_MS,
    queryFn: () => {
      const held = queryClient.getQueryData<Board>(key);
      const invalidated = queryClient.getQueryState(key)?.isInvalidated === true;
      return which === 'open' && held && !invalidated && pushesFlow() ? held : readBoard(which, scope);
    },
  });
  return { board: signedIn ? data : undefined, failed: isError && !data, retry: () => void refetch() };
}

/** The data for the ticket of a pair; polled like the positions, for its mark price. */
export function useDeal(pair: PairIds) {
  const signedIn = useSignedIn();
  const { data, error, refetch } = useQuery({
    queryKey: keys.leverDeal(pair.legal_id, pair.currency_id),
    enabled: signedIn,
    refetchInterval: POLL_MS,
    queryFn: async () =>
      (await api.post('/api/lever/deal', { legal_id: pair.legal_id, currency_id: pair.currency_id }, { quiet: true }))
        .message,
  });
  return { deal: signedIn ? data : undefined, error, retry: () => void refetch() };
}

export interface LeverCommand extends PairIds {
  type: 1 | 2;
  status: 0 | 1;
  multiple: number;
  share: string;
  target_price?: string;
  target_profit_price?: string;
  stop_loss_price?: string;
}

/** The engine's own preview of an order; undefined until it has answered for these fields. */
export function usePreview(command: LeverCommand | undefined) {
  const { data, error } = useQuery({
    queryKey: keys.leverPreview(JSON.stringify(command)),
    enabled: command !== undefined,
    refetchInterval: POLL_MS,
    gcTime: 0,
    retry: false,
    queryFn: async () =>
      (await api.post('/api/lever/preview', { ...(command as LeverCommand) }, { quiet: true })).message,
  });
  return { preview: command && data, error: command && error };
}

const BOARDS = [...keys.lever, 'board'];
function patchBoards(change: (board: Board, which: Which, scope: BoardScope) => Board): void {
  for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: BOARDS })) {
    const [, , , which, legalId, currencyId] = queryKey as ReturnType<typeof keys.leverBoard>;
    queryClient.setQueryData<Board>(queryKey, (board) => board && change(board, which, { legalId, currencyId }));
  }
}
const readAgain = (): void => void queryClient.invalidateQueries({ queryKey: keys.lever });

function onTrade(push: LeverTradePush): void {
  pushedAt = performance.now();
  patchBoards((board, which, scope) => without(withTrade(board, scope, which, push), [...ended]));
}
const onClosed = ({ ids }: LeverClosedPush): void => end(ids);
/** The balance of each quote, which transfers, opens and closes change, in the lists and for the tickets. */
function onBalances({ balances }: BalanceUpdatePush): void {
  for (const { currency, account, balance } of balances) {
    if (account !== 'lever') continue;
    patchBoards((board, _which, { legalId }) => (legalId === currency ? { ...board, balance } : board));
    queryClient.setQueriesData<LeverDeal>(
      { queryKey: keys.leverDeals(currency) },
      (deal) => deal && { ...deal, user_lever: balance },
    );
  }
}
/** The pushes of leverage move its lists while one of its screens is shown. */
export function useLeverPushes(): void {
  useEffect(() => {
    const ends = [
      feed.on('lever_trade', onTrade),
      feed.on('lever_closed', onClosed),
      feed.on('balance_update', onBalances),
    ];
    return () => {
      ends.forEach((end) => end());
      // Positions may close before a screen is shown again.
      void queryClient.invalidateQueries({ queryKey: BOARDS, refetchType: 'none' });
    };
  }, []);
}

/** Rows between press and answer: locked. */
export const useActing = create<{ ids: ReadonlySet<string> }>()(() => ({ ids: new Set() }));
async function acting<T>(ids: readonly string[], run: () => Promise<T>): Promise<T> {
  useActing.setState((state) => ({ ids: new Set([...state.ids, ...ids]) }));
  try {
    return await run();
  } finally {
    useActing.setState((state) => ({ ids: new Set([...state.ids].filter((id) => !ids.includes(id))) }));
  }
}

const showRow = (order: LeverPosition): void =>
  patchBoards((board, which, scope) => (isInScope(scope, order) ? withRow(board, which, order) : board));
function took(order: LeverPosition): void {
  showRow(order);
  readAgain();
}

/** Opens a position or places an entrust. */
export async function submitLever(command: LeverCommand, intent: string): Promise<string> {
  const { message, order } = await api.post('/api/lever/submit', { ...command }, { intent });
  took(order);
  return message;
}

/** Positions that must close too, where a close was refused because its loss exceeds what there is. */
export function coverOf(error: unknown): readonly string[] | undefined {
  if (!(error instanceof ApiError) || error.key !== 'lever.closeCover') return undefined;
  const { ids } = error.body;
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** How a position is closed. */
export interface CloseTerms {
  /** Positions that cover its loss close too. */
  readonly withCover?: boolean;
  /** How many of its contracts close; absent: all. */
  readonly share?: number | undefined;
}

/** The result of a close: `part` where only some contracts closed, `ids` of the positions that closed with it. */
interface Ended {
  readonly message: string;
  readonly order: LeverPosition;
  readonly part?: LeverPosition;
  readonly ids?: readonly string[];
}

/**
 * Closes a position or some of its contracts, or cancels an entrust: a row that has ended is gone at once, the rest of
 * a position stays. Answers the server's message and what has ended.
 */
export const endPosition = (
  { id, status }: LeverPosition,
  intent: string,
  { withCover = false, share }: CloseTerms = {},
): Promise<{ message: string; ended: LeverPosition }> =>
  acting([id], async () => {
    const path = status === 0 ? '/api/lever/cancel' : '/api/lever/close';
    const fields = { id, share, cover: withCover ? 1 : undefined } as const;
    const { message, order, part, ids = [] }: Ended = await api.post(path, fields, { intent });
    if (part) showRow(order);
    end(part ? [part.id, ...ids] : [id, ...ids]);
    return { message, ended: part ?? order };
  });

/** Positions that close together: of one quote, or of one pair. */
export interface CloseScope {
  readonly legal_id: number;
  readonly currency_id?: number;
}

/**
 * Closes all positions of a scope, or those of one side; without a scope those of all quotes.
 * @param withCover as `endPosition`
 */
export async function closeAll(
  type: 0 | 1 | 2,
  scope: CloseScope | undefined,
  intent: string,
  withCover: boolean,
): Promise<{ message: string; ids: readonly string[] }> {
  const { message, ids } = await api.post(
    '/api/lever/batch_close',
    { type, legal_id: scope?.legal_id, currency_id: scope?.currency_id, cover: withCover ? 1 : undefined },
    { intent },
  );
  end(ids);
  return { message, ids };
}

export async function setStops(
  { id }: LeverPosition,
  { target, stop }: { target: string; stop: string },
  intent: string,
): Promise<string> {
  const fields = { id, target_profit_price: target || '0', stop_loss_price: stop || '0' };
  const { message, order } = await api.post('/api/lever/setstop', fields, { intent });
  took(order);
  return message;
}

/** Principal in (3) and out (4) of the lever account (api §2.2). */
export async function movePrincipal(type: 3 | 4, currency: number, number: string, intent: string): Promise<string> {
  const { message } = await api.post(
    '/api/wallet/change',
    { type: String(type), currency_id: currency, number },
    { intent },
  );
  void queryClient.invalidateQueries({ queryKey: keys.wallet });
  readAgain();
  return message;
}
