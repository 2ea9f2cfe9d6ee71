/**
 * Plans that are switched off for statements that find rows by their keys. A planner that assumes a table to be as
 * small as it was when the statement was prepared, or when its statistics were made, would choose them: with 50,000
 * open orders a commit of four would read all of them (decision 0059).
 */
export const BY_KEY = ['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan'] as const;

/**
 * A statement of a writer is planned once for each connection. PostgreSQL would plan it with each batch of two or three
 * rows, because the generic plan assumes ten rows and has a higher cost estimate. Statements that find rows by their
 * keys have the same plan either way: the look-up of earlier commands took 2.3 ms with planning and takes 0.35 ms
 * without (decision 0247).
 */
export const GENERIC_PLANS = 'plan_cache_mode=force_generic_plan';

/**
 * Pages are in memory or on flash storage, where any page costs about as much as the next one. With PostgreSQL's cost
 * for spinning disks, a plan for any parameters reads all rows of a person with many and sorts them, where an index has
 * them in the order of the list (decision 0255).
 */
export const PAGE_COSTS = 'random_page_cost=1.1';

/** Part of the error of a statement that was prepared before a migration changed its table. */
export const STALE_PLAN = 'cached plan must not change result type';
