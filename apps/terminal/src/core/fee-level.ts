import { useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import type { FeeLevelView } from '@bourse/contract';
import { api } from './api.js';
import { LEVEL_AGE } from './own-rate.js';
import { useSignedIn } from './session.js';

/** The person's level of spot fees; guests have none. */
export function useFeeLevel() {
  return useQuery({
    queryKey: [...keys.user, 'fee-level'],
    enabled: useSignedIn(),
    ...LEVEL_AGE,
    queryFn: async (): Promise<FeeLevelView> => (await api.get('/api/user/fee_level', {}, { quiet: true })).message,
  });
}
