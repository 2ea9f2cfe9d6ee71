import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get } from './client.js';

interface Dashboard {
  /** Open work by name, as `kyc` or `withdrawals`. */
  readonly work: Readonly<Record<string, number>>;
  readonly alarms: readonly string[];
  readonly missing: readonly string[];
}

/**
 * The dashboard of operators once every service has told what waits there. One that does not count within a second is
 * named in `missing`, which on a busy machine happens to a right exchange.
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
