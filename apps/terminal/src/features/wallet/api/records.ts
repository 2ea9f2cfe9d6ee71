import type { ApiClient } from '@bourse/api-client';
import type {
  DataPage,
  EquityHistory,
  SolvencyProof,
  SolvencySnapshot,
  StatementCheck,
  StatementJournal,
} from '@bourse/contract';
import type { Span } from '../model/equity.js';
import type { TaxFormat } from '../model/statement.js';

type Filter = Readonly<Record<string, string | undefined>>;

export const statementJournals = async (
  api: ApiClient,
  filter: Filter,
  page: number,
): Promise<DataPage<StatementJournal>> =>
  (await api.get('/api/statement/journals', { ...filter, page }, { quiet: true })).message;
export const statementFile = (api: ApiClient, filter: Filter): Promise<Blob> =>
  api.file('/api/statement/export', { ...filter, format: 'csv' }, 'text/csv');
/** The bookings of a year (UTC). */
export const statementOfYear = (api: ApiClient, year: string, format: TaxFormat): Promise<Blob> =>
  api.file(
    '/api/statement/export',
    { from: `${year}-01-01 00:00:00`, to: `${year}-12-31 23:59:59`, format },
    'text/csv',
  );
export const equity = async (api: ApiClient, days: Span): Promise<EquityHistory['days']> =>
  (await api.get('/api/wallet/equity', { days }, { quiet: true })).message.days;
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
