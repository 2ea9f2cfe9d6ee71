import { ApiError, type ApiClient } from '@bourse/api-client';
import type { ServerStatus, SolvencySnapshot } from '@bourse/contract';
import { median } from '../model/figures.js';

const PINGS = 5;

export const status = async (api: ApiClient): Promise<ServerStatus> =>
  (await api.get('/api/status', {}, { quiet: true })).message;

/** The snapshot published last; null before the first. */
export async function snapshot(api: ApiClient): Promise<SolvencySnapshot | null> {
  try {
    return (await api.get('/api/solvency/latest', {}, { quiet: true })).message;
  } catch (error) {
    if (error instanceof ApiError && error.key === 'common.notFound') return null;
    throw error;
  }
}

/** How long this browser waits for the shortest answer: the middle of five calls, one after the other, in ms. */
export async function latency(api: ApiClient): Promise<number> {
  const times: number[] = [];
  for (let ping = 0; ping < PINGS; ping++) {
    const begun = performance.now();
    await api.get('/api/time', {}, { quiet: true });
    times.push(performance.now() - begun);
  }
  return median(times) ?? 0;
}
