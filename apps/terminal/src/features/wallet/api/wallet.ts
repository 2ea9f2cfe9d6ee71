import type { ApiClient } from '@bourse/api-client';
import type { DataPage, HoldLine, ListPage, Product, Transfer, WalletList, WalletLog } from '@bourse/contract';
import { LOG_TYPE } from '../model/wallet.js';

export const wallet = async (api: ApiClient): Promise<WalletList> =>
  (await api.post('/api/wallet/list', {}, { quiet: true })).message;
export const coinLog = async (
  api: ApiClient,
  account: Product,
  currency: number,
  page: number,
): Promise<ListPage<WalletLog>> =>
  (await api.post('/api/wallet/legal_log', { type: LOG_TYPE[account], currency, page }, { quiet: true })).message;
export const wholeLog = async (api: ApiClient, page: number): Promise<DataPage<WalletLog>> =>
  (await api.post('/api/account/list', { page, limit: 20 }, { quiet: true })).message;
export const transfers = async (api: ApiClient, page: number): Promise<DataPage<Transfer>> =>
  (await api.get('/api/wallet/hzhistory', { page }, { quiet: true })).message;
export const holds = async (api: ApiClient): Promise<HoldLine[]> =>
  (await api.get('/api/wallet/holds', {}, { quiet: true })).message;

/** Moves an amount between two of the caller's accounts. `intent` keeps a repeated press from moving it twice. */
export const transfer = (
  api: ApiClient,
  request: { currency: number; from: Product; to: Product; amount: string },
  intent: string,
) =>
  api.post(
    '/api/wallet/change',
    { number: request.amount, currency_id: request.currency, from_field: request.from, to_field: request.to },
    { intent, quiet: true },
  );
