import { useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import { api } from '../core/api.js';
import { useNow } from './use-now.js';

/** The exchange's time in milliseconds, ticking each second: deadlines are its business, not this device's. */
export function useServerClock(running = true): number {
  const { data: offset = 0 } = useQuery({
    queryKey: keys.serverTime,
    staleTime: 30_000,
    refetchInterval: running && 60_000,
    enabled: running,
    queryFn: async () => (await api.get<number>('/api/time', {}, { quiet: true })).message - Date.now(),
  });
  return useNow(running) + offset;
}
