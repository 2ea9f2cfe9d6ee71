/**
 * Plans that are switched off for statements that find rows by their keys. A planner that assumes a table to be as
 * small as it was when the statement was prepared, or when its statistics were made, would choose them: with 50,000
 * open orders a commit of four would read all of them (decision 0059).
 */
export const BY_KEY = ['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan'] as const;

/**
 * A statement of a writer is planned once for each connection. With two or three rows in a batch PostgreSQL would plan
 * it each time, because the plan of the general case assumes ten: the look-up of earlier commands took 2.3 ms of it,
 * most for planning over all weeks of the table, and 0.35 ms without. By their keys the plans are the same.
 */
export const GENERIC_PLANS = 'plan_cache_mode=force_generic_plan';

/** Part of the error of a statement that was prepared before a migration changed its table. */
export const STALE_PLAN = 'cached plan must not change result type';
