import type { ApiClient } from '@bourse/api-client';

/** Closes of the last 24 hours in half hours, for the line of a tile. */
export async function dayLine(api: ApiClient, symbol: string, nowSeconds: number): Promise<number[]> {
  const answer = await api.get(
    '/api/currency/new_timeshar',
    { symbol, period: '30min', from: nowSeconds - 86_400, to: nowSeconds },
    { quiet: true },
  );
  return answer.data.map((bar) => bar.close);
}
