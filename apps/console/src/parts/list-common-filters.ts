import type { ListFilter } from './list-filters.js';
import { firstSecond, lastSecond } from './list-model.js';

/** The translation of a key. */
type Words = (key: string) => string;

/** Rows of one person. */
export const personFilter = (t: Words): ListFilter => ({
  name: 'user_id',
  label: t('console.people.person'),
  kind: 'id',
});

/** A choice among fixed values; `textOf` returns the text of a value. */
export const choiceFilter = <Value extends string | number>(
  name: string,
  label: string,
  values: readonly Value[],
  textOf: (value: Value) => string,
): ListFilter => ({
  name,
  label,
  kind: 'choice',
  options: values.map((value) => ({ value: String(value), label: textOf(value) })),
});

/** Rows between two days in UTC, both included. */
export const dayFilters = (t: Words): readonly ListFilter[] => [
  { name: 'from', label: t('audit.from'), kind: 'date', sent: firstSecond },
  { name: 'to', label: t('audit.to'), kind: 'date', sent: lastSecond },
];
