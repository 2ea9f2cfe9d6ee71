import { useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import type { ServerConfig } from '@bourse/contract';
import { writeStored } from '../prefs/storage.js';
import { api } from './api.js';

/** Settings of this exchange that screens depend on. */
export function useServerConfig(): ServerConfig | undefined {
  return useQuery({
    queryKey: keys.config,
    // An operator opens and closes products while the page is open.
    staleTime: 30_000,
    refetchInterval: 60_000,
    queryFn: async () => {
      const { message: config } = await api.get('/api/config', {}, { quiet: true });
      if (config.socket_port > 0) writeStored('socketPort', String(config.socket_port));
      return config;
    },
  }).data;
}

/** Whether the house quotes on this exchange (api §6.19); undefined until the server has said. */
export function useHouseQuotes(): boolean | undefined {
  return useQuery({
    queryKey: keys.status,
    staleTime: 60_000,
    refetchInterval: 300_000,
    queryFn: async () => (await api.get('/api/status', {}, { quiet: true })).message.maker === 1,
  }).data;
}
