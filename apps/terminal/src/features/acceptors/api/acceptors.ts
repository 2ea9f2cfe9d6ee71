import { keys, type ApiClient } from '@bourse/api-client';
import type { Acceptor, AcceptorDeal, AcceptorInfo, DataPage, Way } from '@bourse/contract';
import { queryClient } from '../../../core/api.js';
import type { DealFields, DealType, DeskAction, FactName, UserAction } from '../model/acceptors.js';

/** Names of this feature's answers in the query cache; all go with the session. */
export const KEYS = {
  all: [...keys.user, 'acceptors'],
  list: [...keys.user, 'acceptors', 'list'],
  info: (id: number) => [...keys.user, 'acceptors', 'info', id],
  mine: [...keys.user, 'acceptors', 'mine'],
  account: [...keys.user, 'acceptors', 'account'],
  orders: [...keys.user, 'acceptors', 'orders'],
} as const;
/** Lists are read again this often (rules §16). */
export const REFETCH_INTERVAL_MS = 10_000;
const QUIET = { quiet: true } as const;

export const acceptors = async (api: ApiClient): Promise<readonly Acceptor[]> =>
  (await api.get('/api/acceptor/list', {}, QUIET)).message;
export const acceptorInfo = async (api: ApiClient, id: number): Promise<AcceptorInfo> =>
  (await api.get('/api/acceptor/info', { id }, QUIET)).message;

interface Taken {
  readonly message: string;
  readonly deal: AcceptorDeal;
}
const taken = async (call: Promise<{ message: string; deal: AcceptorDeal }>): Promise<Taken> => {
  const { message, deal } = await call;
  return { message, deal };
};
const messageOf = async (call: Promise<{ message: string }>): Promise<string> => (await call).message;

/** Orders a deposit or a withdrawal, at what the person was shown to receive: other rates are refused. */
export const order = (
  api: ApiClient,
  acceptorId: number,
  { type, mobile, account, money, way, password }: DealFields,
  receiveMoney: string,
  intent: string,
): Promise<Taken> =>
  taken(
    api.post(
      '/api/acceptor/deal',
      {
        acceptor_id: acceptorId,
        type,
        mobile: mobile.trim(),
        deal_account: account.trim(),
        money,
        receive_money: receiveMoney,
        // The form sends no deal without a way.
        way: way as Way,
        ...(type === 'sell' && { password }),
      },
      { ...QUIET, intent },
    ),
  );
export const myDeals = async (
  api: ApiClient,
  filter: { readonly type: DealType | ''; readonly way: Way | '' },
  page: number,
): Promise<DataPage<AcceptorDeal>> =>
  (
    await api.get(
      '/api/acceptor/my_deal',
      { type: filter.type || undefined, way: filter.way || undefined, page },
      QUIET,
    )
  ).message;
export const actAsUser = (
  api: ApiClient,
  action: UserAction,
  fields: { readonly id: string; readonly reason?: string; readonly pic?: string },
  intent: string,
): Promise<Taken> => taken(api.post(`/api/acceptor/user_${action}`, { ...fields }, { ...QUIET, intent }));

export const ownAccount = async (api: ApiClient): Promise<AcceptorInfo> =>
  (await api.get('/api/acceptor/account', {}, QUIET)).message;
export const orders = async (
  api: ApiClient,
  filter: { readonly type: DealType | ''; readonly sure: string },
  page: number,
): Promise<DataPage<AcceptorDeal>> =>
  (
    await api.get(
      '/api/acceptor/orders',
      { type: filter.type || undefined, is_sure: filter.sure || undefined, page },
      QUIET,
    )
  ).message;
export const actAtDesk = (
  api: ApiClient,
  action: DeskAction,
  fields: { readonly id: string; readonly password: string; readonly reason?: string; readonly proof_pic?: string },
  intent: string,
): Promise<Taken> => taken(api.post(`/api/acceptor/${action}`, { ...fields }, { ...QUIET, intent }));

export const saveRates = (
  api: ApiClient,
  fields: { readonly recharge_rate: string; readonly cash_rate: string; readonly password: string },
  intent: string,
): Promise<string> => messageOf(api.post('/api/acceptor/rates', fields, { ...QUIET, intent }));
export const savePayment = (
  api: ApiClient,
  fields: Readonly<Record<FactName, string>> & { readonly password: string },
  intent: string,
): Promise<string> => messageOf(api.post('/api/acceptor/payment', fields, { ...QUIET, intent }));
export const moveFund = (
  api: ApiClient,
  fields: { readonly direction: 'in' | 'out'; readonly number: string; readonly password: string },
  intent: string,
): Promise<string> => messageOf(api.post('/api/acceptor/fund', fields, { ...QUIET, intent }));

/** After something moved: quotas, deals and balances are read again. */
export async function readAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: KEYS.all }),
    queryClient.invalidateQueries({ queryKey: keys.wallet }),
  ]);
}
