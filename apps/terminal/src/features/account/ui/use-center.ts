import { useQuery } from '@tanstack/react-query';
import { api } from '../../../core/api.js';
import { center, KEYS } from '../api/account.js';

/** Identity, bank and level of the person. */
export function useCenter() {
  return useQuery({ queryKey: KEYS.center, queryFn: () => center(api) });
}
