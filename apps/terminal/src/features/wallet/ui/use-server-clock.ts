import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keys } from '@bourse/api-client';
import { api } from '../../../core/api.js';
import { serverTime } from '../api/records.js';

/** The exchange's time, ticking each second: deadlines are its business, not this device's. */
export function useServerClock(running = true): number {
  const { data: offset = 0 } = useQuery({ queryKey: keys.serverTime, staleTime: 30_000, refetchInterval: running && 60_000, enabled: running, queryFn: async () => (await serverTime(api)) - Date.now() });
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return now + offset;
}
