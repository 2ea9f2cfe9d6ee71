import type { LeverPosition, ListPage, WalletLog } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { listPage } from './lever.js';

/** Kind of the leverage account in the log of a wallet (api §2.2). */
const LEVER_LOG = 3;
/** Pages that are looked through: the newest positions and entries stand first. */
const PAGES_MAX = 20;

/** A position with the entries of the ledger that name it; undefined when the person has none of that id. */
export async function readRecord(id: string): Promise<{ row: LeverPosition | undefined; entries: WalletLog[] }> {
  const row = await find(id);
  return { row, entries: row ? await entriesOf(row) : [] };
}

async function find(id: string): Promise<LeverPosition | undefined> {
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { order } = await listPage(page, {});
    const row = order.data.find((one) => one.id === id);
    if (row || order.has_more !== 1) return row;
  }
  return undefined;
}

async function entriesOf(row: LeverPosition): Promise<WalletLog[]> {
  const entries: WalletLog[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const fields = { type: LEVER_LOG, currency: row.legal_id, page };
    const { message } = await api.post<ListPage<WalletLog>>('/api/wallet/legal_log', fields, { quiet: true });
    entries.push(...message.list.filter(({ cause_id: cause }) => cause === row.id));
    const oldest = message.list.at(-1)?.created_time ?? '';
    if (message.has_more !== 1 || oldest < row.create_time) break;
  }
  return entries;
}
