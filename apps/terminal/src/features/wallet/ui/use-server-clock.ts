import { useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import { api } from '../../../core/api.js';
import { useNow } from '../../../forms/use-now.js';
import { serverTime } from '../api/records.js';

/** The exchange's time, ticking each second: deadlines are its business, not this device's. */
export function useServerClock(running = true): number {
  const { data: offset = 0 } = useQuery({
    queryKey: keys.serverTime,
    staleTime: 30_000,
    refetchInterval: running && 60_000,
    enabled: running,
    queryFn: async () => (await serverTime(api)) - Date.now(),
  });
  return useNow(running) + offset;
}
