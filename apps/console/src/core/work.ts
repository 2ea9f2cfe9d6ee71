import type { UseQueryResult } from '@tanstack/react-query';
import type { ScreenName } from '../paths.js';
import type { MessageOf } from '@bourse/contract';
import { useAdminQuery } from './calls.js';
import { workByScreen } from './work-lists.js';

export { WORK_FILTERS, WORK_SCREENS } from './work-lists.js';

/** The answer of `GET /api/admin/dashboard` (api §2.12). */
export type Dashboard = MessageOf<'GET /api/admin/dashboard'>;
export type TrafficPoint = Dashboard['history'][number];

/** The answer of the dashboard call, polled while the page is visible. */
export const useDashboard = (): UseQueryResult<Dashboard> =>
  useAdminQuery('/api/admin/dashboard', {}, { everyMs: 20_000 });

/** How much waits in each list. */
export function useWork(): ReadonlyMap<ScreenName, number> {
  const { data } = useDashboard();
  return workByScreen(data?.work ?? {});
}
