import type { ApiClient } from '@bourse/api-client';
import type { AccountAddresses, ChargeReq, CoinInfo, DataPage, Deposit } from '@bourse/contract';
import { namedAddresses } from '../model/deposit.js';

export interface DepositAddress {
  readonly address: string;
  readonly memo: string;
  /** Notes on the network for depositors, a sentence a line. */
  readonly note: string;
}

export const coinInfo = async (api: ApiClient, currency: number): Promise<CoinInfo> =>
  (await api.post('/api/wallet/get_info', { currency }, { quiet: true })).message;

/** The caller's own address on a network. @throws ApiError `noopen` while deposits are closed */
export async function depositAddress(api: ApiClient, currency: number, type: number): Promise<DepositAddress> {
  const answer = await api.post('/api/wallet/get_in_address', { currency, type }, { quiet: true });
  return {
    address: answer.message,
    memo: answer.memo,
    note: answer.note,
  };
}

/** Sends coins to an own address from outside. Only a demo install answers this call (api §2.13). */
export const sendDemoCoins = async (
  api: ApiClient,
  { to, ...fields }: { currency: number; type: number; number: string; to: DepositAddress },
  intent: string,
): Promise<void> => {
  const payment = { ...fields, address: to.address, ...(to.memo !== '' && { memo: to.memo }) };
  await api.call('POST', '/dev/chain/deposit', payment, { intent });
};

export const deposits = async (
  api: ApiClient,
  currency: number | undefined,
  page: number,
): Promise<DataPage<Deposit>> => (await api.get('/api/wallet/deposits', { currency, page }, { quiet: true })).message;
export const claims = async (
  api: ApiClient,
  currency: number | undefined,
  page: number,
): Promise<DataPage<ChargeReq>> =>
  (await api.get('/api/wallet/charge_list', { currency, page }, { quiet: true })).message;

/** Tells support of a payment that has not arrived. It credits nothing. */
export const claim = async (
  api: ApiClient,
  request: { currency: number; amount: string; account: string },
): Promise<string> => (await api.post('/api/wallet/charge_req', request)).message;

/** Sends a held deposit back, less the network's fee. */
export const returnDeposit = async (
  api: ApiClient,
  request: { id: string; address: string; password: string },
  intent: string,
): Promise<string> => (await api.post('/api/wallet/deposit_return', request, { intent })).message;

export interface OwnAddress {
  readonly currency: number;
  readonly coin: string;
  readonly network: string;
  readonly address: string;
  /** Memo that must go with a payment; empty where the address alone is the person's. */
  readonly memo: string;
}

/**
 * Every own address: those of Ethereum and TRON in one call (api §3), and those of coins on other networks, which that
 * call does not know, one by one.
 */
export async function allAddresses(
  api: ApiClient,
  coins: readonly { readonly currency: number; readonly currency_name: string }[],
): Promise<OwnAddress[]> {
  const listed = await ownAddresses(api);
  const others = coins.filter(({ currency }) => !listed.some((coin) => coin.currency_id === currency));
  const more = await Promise.all(others.map(({ currency, currency_name: coin }) => onNetworks(api, currency, coin)));
  return [
    ...listed.flatMap((coin) =>
      namedAddresses(coin).map(({ name, address }) => ({
        currency: coin.currency_id,
        coin: coin.name,
        network: name,
        address,
        memo: '',
      })),
    ),
    ...more.flat(),
  ];
}

async function onNetworks(api: ApiClient, currency: number, coin: string): Promise<OwnAddress[]> {
  const { type_data: networks } = await coinInfo(api, currency);
  return Promise.all(
    networks.map(async ({ id, name }) => {
      const { address, memo } = await depositAddress(api, currency, id);
      return { currency, coin, network: name, address, memo };
    }),
  );
}

/** All own addresses by coin, with the names of their networks. */
const ownAddresses = async (api: ApiClient): Promise<AccountAddresses[]> =>
  (await api.coded('POST', '/upi/usdt/account', { pageSize: 100 }, { quiet: true })).list;
