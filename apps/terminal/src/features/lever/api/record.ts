import { ApiError } from '@bourse/api-client';
import type { LeverPosition, WalletLog } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { readPages } from '../../../core/read-pages.js';

/** The most pages of the statement that are read: the newest entries are first. */
const PAGES_MAX = 20;

/** A position with the entries of the ledger that name it; undefined when the person has none of that id. */
export async function readRecord(id: string): Promise<{ row: LeverPosition | undefined; entries: WalletLog[] }> {
  const row = await find(id);
  return { row, entries: row ? await entriesOf(row) : [] };
}

async function find(id: string): Promise<LeverPosition | undefined> {
  try {
    return (await api.get('/api/lever/order', { id }, { quiet: true })).message;
  } catch (error) {
    if (error instanceof ApiError && error.key === 'common.notFound') return undefined;
    throw error;
  }
}

/** Free money and margin alike: a night fee is paid out of the margin. */
function entriesOf({ id, legal_id: currency, create_time: from }: LeverPosition): Promise<WalletLog[]> {
  const filter = { account: 'lever', currency, cause_type: 'lever', cause_id: id, from };
  return readPages((page) => api.get('/api/statement/list', { ...filter, ...page }, { quiet: true }), PAGES_MAX);
}
