import { useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import type { FeeLevelView } from '@bourse/contract';
import { api } from './api.js';
import { useSignedIn } from './session.js';

/** It changes after midnight (UTC), and when operators change the levels. */
const STALE_MS = 600_000;

/** The person's level of spot fees; guests have none. */
export function useFeeLevel() {
  return useQuery({
    queryKey: [...keys.user, 'fee-level'],
    enabled: useSignedIn(),
    staleTime: STALE_MS,
    queryFn: async (): Promise<FeeLevelView> => (await api.get('/api/user/fee_level', {}, { quiet: true })).message,
  });
}
