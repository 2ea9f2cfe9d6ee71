import { useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import type { Appeal } from '@bourse/contract';
import { api, queryClient } from '../../core/api.js';
import { dealKeys } from './keys.js';

const REFRESH_MS = 30_000;

/** The appeal of a deal that has one. */
export function useAppeal(id: string, enabled: boolean) {
  const query = useQuery({
    queryKey: dealKeys.appeal(id),
    enabled,
    refetchInterval: REFRESH_MS,
    queryFn: async () => (await api.get('/api/c2c/appeal', { id }, { quiet: true })).message,
  });
  return { appeal: query.data, failed: query.isError && !query.data, retry: () => void query.refetch() };
}

/** Opens an appeal. @returns the words of the exchange */
export async function openAppeal(
  id: string,
  { reason, evidence }: { reason: string; evidence: readonly string[] },
  intent: string,
): Promise<string> {
  const fields = { id, reason, ...(evidence.length > 0 ? { evidence: evidence.join(',') } : {}) };
  const { message, appeal } = await api.post('/api/c2c/appeal', fields, {
    intent,
    quiet: true,
  });
  changed(id, appeal);
  return message;
}

/** Brings one more piece of evidence. No money moves: it is sent once, and not again by itself. */
export const addEvidence = (id: string, fields: { text?: string; url?: string }): Promise<void> =>
  answered(id, api.post('/api/c2c/appeal_evidence', { id, ...fields }, { quiet: true }));
export const withdrawAppeal = (id: string): Promise<void> =>
  answered(id, api.post('/api/c2c/appeal_cancel', { id }, { quiet: true }));

async function answered(id: string, call: Promise<{ readonly message: Appeal }>): Promise<void> {
  changed(id, (await call).message);
}

function changed(id: string, appeal: Appeal): void {
  queryClient.setQueryData<Appeal>(dealKeys.appeal(id), appeal);
  for (const queryKey of [dealKeys.deal(id), dealKeys.lists, keys.wallet])
    void queryClient.invalidateQueries({ queryKey });
}

/** All messages and acts, signed by the exchange, as a page of its own. */
export const transcript = (id: string): Promise<Blob> => api.file('/api/c2c/transcript', { id }, 'text/html');
