import type { MicroOrder, ServerStatus, TickChain } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { joined, keyAt, lacksEnd, laterStretches, signedAt, stretches, type ReceiptFile } from '../model/receipt.js';

const ticks = async (matchId: number, from: number, to: number): Promise<TickChain> =>
  (await api.get('/api/microtrade/ticks', { match_id: matchId, from, to }, { quiet: true })).message;

/** The receipt of a contract with the ticks of its market, as `npx bourse-verify` takes them. */
export async function receiptFile(id: string): Promise<ReceiptFile> {
  const { message: receipt } = await api.get('/api/microtrade/receipt', { id }, { quiet: true });
  const { order } = receipt;
  const chains: TickChain[] = [];
  for (const { from, to } of stretches(order)) chains.push(await ticks(order.match_id, from, to));
  if (lacksEnd(order, joined(chains))) {
    const later = await nextTick(order);
    if (later) chains.push(later);
  }
  return { receipt, chain: joined(chains) };
}

/** The first tick after an expiry that has none before it: it shows that nothing came in between. */
async function nextTick(order: MicroOrder): Promise<TickChain | undefined> {
  for (const { from, to } of laterStretches(order)) {
    const [first] = (await ticks(order.match_id, from, to)).ticks;
    if (first) return ticks(order.match_id, from, first.time);
  }
  return undefined;
}

/** The key that the exchange published for the time of a receipt; null without one. */
export async function publishedKey(file: unknown): Promise<string | null> {
  const at = signedAt(file);
  if (at === undefined) return null;
  const { message } = await api.get('/api/market/tick_keys', {}, { quiet: true });
  return keyAt(message.keys, at);
}

/** The exchange's public data about its products: read without a session. */
export const status = async (): Promise<ServerStatus> => (await api.get('/api/status', {}, { quiet: true })).message;
