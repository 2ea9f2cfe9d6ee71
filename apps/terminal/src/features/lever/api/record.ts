import { ApiError } from '@bourse/api-client';
import type { LeverPosition, WalletLog } from '@bourse/contract';
import { api } from '../../../core/api.js';

/** The most pages of the statement that are searched: the newest entries are first. */
const PAGES_MAX = 20;
/** Entries of a page, as many as the call gives. */
const PAGE_SIZE = 100;

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
async function entriesOf(row: LeverPosition): Promise<WalletLog[]> {
  const entries: WalletLog[] = [];
  const filter = {
    account: 'lever',
    currency: row.legal_id,
    cause_type: 'lever',
    from: row.create_time,
    limit: PAGE_SIZE,
  };
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { message } = await api.get('/api/statement/list', { ...filter, page }, { quiet: true });
    entries.push(...message.data.filter(({ cause_id: cause }) => cause === row.id));
    if (message.has_more !== 1) break;
  }
  return entries;
}
