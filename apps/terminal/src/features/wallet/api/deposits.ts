import type { ApiClient } from '@bourse/api-client';
import type { AccountAddresses, ChargeReq, CoinInfo, DataPage, Deposit, DepositAddressExtra } from '@bourse/contract';

export interface DepositAddress {
  readonly address: string;
  readonly memo: string;
  readonly minDeposit: string;
  readonly confirmations: number;
}

export const coinInfo = async (api: ApiClient, currency: number): Promise<CoinInfo> =>
  (await api.post<CoinInfo>('/api/wallet/get_info', { currency }, { quiet: true })).message;

/** The caller's own address on a network. @throws ApiError `noopen` while deposits are closed */
export async function depositAddress(api: ApiClient, currency: number, type: number): Promise<DepositAddress> {
  const answer = await api.post<string, DepositAddressExtra>(
    '/api/wallet/get_in_address',
    { currency, type },
    { quiet: true },
  );
  return {
    address: answer.message,
    memo: answer.memo,
    minDeposit: answer.min_deposit,
    confirmations: answer.confirmations,
  };
}

export const deposits = async (
  api: ApiClient,
  currency: number | undefined,
  page: number,
): Promise<DataPage<Deposit>> =>
  (await api.get<DataPage<Deposit>>('/api/wallet/deposits', { currency, page }, { quiet: true })).message;
export const claims = async (
  api: ApiClient,
  currency: number | undefined,
  page: number,
): Promise<DataPage<ChargeReq>> =>
  (await api.get<DataPage<ChargeReq>>('/api/wallet/charge_list', { currency, page }, { quiet: true })).message;

/** Tells support of a payment that has not arrived. It credits nothing. */
export const claim = async (
  api: ApiClient,
  request: { currency: number; amount: string; account: string },
): Promise<string> => (await api.post<string>('/api/wallet/charge_req', request)).message;

/** Sends a held deposit back, less the network's fee. */
export const returnDeposit = async (
  api: ApiClient,
  request: { id: string; address: string; password: string },
  intent: string,
): Promise<string> => (await api.post<string>('/api/wallet/deposit_return', request, { intent })).message;

/** All own addresses by coin, with the names of their networks. */
export const ownAddresses = async (api: ApiClient): Promise<AccountAddresses[]> =>
  (await api.coded<{ list: AccountAddresses[] }>('POST', '/upi/usdt/account', { pageSize: 100 }, { quiet: true })).list;
