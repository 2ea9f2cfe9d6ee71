import type { UseQueryResult } from '@tanstack/react-query';
import type { ScreenName } from '../paths.js';
import { useAdminQuery } from './calls.js';
import { workByScreen } from './work-lists.js';

export { WORK_FILTERS, WORK_SCREENS } from './work-lists.js';

/** The answer of `GET /api/admin/dashboard` (api §2.12). */
export interface Dashboard {
  readonly time: string;
  /** Open work by name. */
  readonly work: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
  /** Of the last day, by pair. */
  readonly volumes: readonly { readonly symbol: string; readonly volume: string; readonly now_price: string }[];
  /** Milliseconds since the feed was last heard. */
  readonly feed_age_ms: number;
  /** Milliseconds, by kind of call. */
  readonly latency_ms: Readonly<Record<string, { readonly p50: number; readonly p99: number }>>;
  /** The last hour of the gateway that answered, a step every 15 s. */
  readonly history: readonly TrafficPoint[];
  readonly alarms: readonly string[];
  readonly breakers: readonly { readonly scope: string; readonly mode: string }[];
  /** Services that did not say what waits with them. */
  readonly missing: readonly string[];
}

export interface TrafficPoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Per second. */
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
  readonly ack_p99_ms: number;
}

/** The answer of the dashboard call, polled while the page is visible. */
export const useDashboard = (): UseQueryResult<Dashboard> =>
  useAdminQuery<Dashboard>('/api/admin/dashboard', {}, { everyMs: 20_000 });

/** How much waits in each list. */
export function useWork(): ReadonlyMap<ScreenName, number> {
  const { data } = useDashboard();
  return workByScreen(data?.work ?? {});
}
