import type { ValueTransformer } from 'typeorm';

/**
 * A `bigint` column whose values the database keeps below 2^53 (ids, versions, counters), as a number. Money never goes
 * through it: a `numeric` column arrives as an exact text and needs no transformer.
 *
 * @throws RangeError for a value that a number cannot hold exactly.
 */
export const safeInteger: ValueTransformer = {
  to: (value: number | null | undefined) => value,
  from: (stored: string | null): number | null => {
    if (stored === null) return null;
    const value = Number(stored);
    if (!Number.isSafeInteger(value)) throw new RangeError(`${stored} is beyond the exact integers`);
    return value;
  },
};

/** A `timestamptz` column as milliseconds since 1970, the unit of all clocks of the exchange. */
export const instant: ValueTransformer = {
  to: (ms: number | null | undefined): Date | null | undefined => (typeof ms === 'number' ? new Date(ms) : ms),
  from: (stored: Date | null): number | null => stored?.getTime() ?? null,
};
