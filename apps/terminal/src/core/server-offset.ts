import type { ApiClient } from '@bourse/api-client';

/** How far the exchange's clock is ahead of this device's, in milliseconds. */
export async function serverOffset(client: Pick<ApiClient, 'get'>, deviceNow = Date.now): Promise<number> {
  return (await client.get('/api/time', {}, { quiet: true })).message - deviceNow();
}
