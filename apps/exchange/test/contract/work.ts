import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get } from './client.js';

interface Dashboard {
  /** Open work by name, as `kyc` or `withdrawals`. */
  readonly work: Readonly<Record<string, number>>;
  readonly alarms: readonly string[];
  readonly missing: readonly string[];
}

/**
 * Returns the operators' dashboard once every service has reported its open work. A service that does not answer within
 * a second is listed in `missing`, which happens on a busy machine.
 */
export function wholeDashboard(token: string): Promise<Dashboard> {
  return eventuallySatisfied(
    async () => (await get('/api/admin/dashboard', {}, { token })).body.message,
    ({ missing }) => missing.length === 0,
    10_000,
  );
}

/** Open work of operators as their dashboard counts it, by name. */
export const openWork = async (token: string): Promise<Dashboard['work']> => (await wholeDashboard(token)).work;
