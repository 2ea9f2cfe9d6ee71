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
export const AGAIN_MS = 10_000;
const QUIET = { quiet: true } as const;

export const acceptors = async (api: ApiClient): Promise<readonly Acceptor[]> =>
  (await api.get<Acceptor[]>('/api/acceptor/list', {}, QUIET)).message;
export const acceptorInfo = async (api: ApiClient, id: number): Promise<AcceptorInfo> =>
  (await api.get<AcceptorInfo>('/api/acceptor/info', { id }, QUIET)).message;

interface Taken {
  readonly message: string;
  readonly deal: AcceptorDeal | undefined;
}
const takenBy = async (api: ApiClient, path: string, fields: object, intent: string): Promise<Taken> => {
  const { message, deal } = await api.post<string, { deal?: AcceptorDeal }>(path, { ...fields }, { ...QUIET, intent });
  return { message, deal };
};

/** Orders a deposit or a withdrawal, at what the person was shown to receive: other rates are refused. */
export const order = (
  api: ApiClient,
  acceptorId: number,
  { type, mobile, account, money, way, password }: DealFields,
  receiveMoney: string,
  intent: string,
): Promise<Taken> =>
  takenBy(
    api,
    '/api/acceptor/deal',
    {
      acceptor_id: acceptorId,
      type,
      mobile: mobile.trim(),
      deal_account: account.trim(),
      money,
      receive_money: receiveMoney,
      way,
      ...(type === 'sell' && { password }),
    },
    intent,
  );
export const myDeals = async (
  api: ApiClient,
  filter: { readonly type: DealType | ''; readonly way: Way | '' },
  page: number,
): Promise<DataPage<AcceptorDeal>> =>
  (
    await api.get<DataPage<AcceptorDeal>>(
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
): Promise<Taken> => takenBy(api, `/api/acceptor/user_${action}`, fields, intent);

export const ownAccount = async (api: ApiClient): Promise<AcceptorInfo> =>
  (await api.get<AcceptorInfo>('/api/acceptor/account', {}, QUIET)).message;
export const orders = async (
  api: ApiClient,
  filter: { readonly type: DealType | ''; readonly sure: string },
  page: number,
): Promise<DataPage<AcceptorDeal>> =>
  (
    await api.get<DataPage<AcceptorDeal>>(
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
): Promise<Taken> => takenBy(api, `/api/acceptor/${action}`, fields, intent);

export const saveRates = async (
  api: ApiClient,
  fields: { readonly recharge_rate: string; readonly cash_rate: string; readonly password: string },
  intent: string,
): Promise<string> => (await takenBy(api, '/api/acceptor/rates', fields, intent)).message;
export const savePayment = async (
  api: ApiClient,
  fields: Readonly<Record<FactName, string>> & { readonly password: string },
  intent: string,
): Promise<string> => (await takenBy(api, '/api/acceptor/payment', fields, intent)).message;
export const moveFund = async (
  api: ApiClient,
  fields: { readonly direction: 'in' | 'out'; readonly number: string; readonly password: string },
  intent: string,
): Promise<string> => (await takenBy(api, '/api/acceptor/fund', fields, intent)).message;

/** After something moved: quotas, deals and balances are read again. */
export async function readAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: KEYS.all }),
    queryClient.invalidateQueries({ queryKey: keys.wallet }),
  ]);
}
