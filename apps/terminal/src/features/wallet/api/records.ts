import type { ApiClient } from '@bourse/api-client';
import type {
  CoinBalance,
  DataPage,
  SolvencyProof,
  SolvencySnapshot,
  StatementCheck,
  WalletLog,
} from '@bourse/contract';

type Filter = Readonly<Record<string, string | undefined>>;

export const coinDetail = async (api: ApiClient, currency: number): Promise<CoinBalance> =>
  (await api.post('/api/wallet/detail', { currency }, { quiet: true })).message;
export const statement = async (api: ApiClient, filter: Filter, page: number): Promise<DataPage<WalletLog>> =>
  (await api.get('/api/statement/list', { ...filter, page }, { quiet: true })).message;
export const statementFile = (api: ApiClient, filter: Filter): Promise<Blob> =>
  api.file('/api/statement/export', { ...filter, format: 'csv' }, 'text/csv');
export const statementCheck = async (api: ApiClient): Promise<StatementCheck> =>
  (await api.get('/api/statement/check', {}, { quiet: true })).message;

export const solvency = async (api: ApiClient): Promise<SolvencySnapshot> =>
  (await api.get('/api/solvency/latest', {}, { quiet: true })).message;
/** The proof of one coin. The call takes the coin by id or name, as the contract's `currency`. */
export const solvencyProof = async (
  api: ApiClient,
  currency: string | number,
  snapshot: number,
): Promise<SolvencyProof> =>
  (await api.get('/api/solvency/proof', { currency: String(currency), snapshot_id: snapshot }, { quiet: true }))
    .message;
