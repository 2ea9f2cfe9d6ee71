import { useQuery } from '@tanstack/react-query';
import { serverOffsetQuery } from '../core/server-time.js';
import { useNow } from './use-now.js';

/** The exchange's time in milliseconds, ticking each second: deadlines are its business, not this device's. */
export function useServerClock(running = true): number {
  const { data: offset = 0 } = useQuery({
    ...serverOffsetQuery,
    refetchInterval: running && 60_000,
    enabled: running,
  });
  return useNow(running) + offset;
}
