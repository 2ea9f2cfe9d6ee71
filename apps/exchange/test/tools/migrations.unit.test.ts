import { describe, expect, test } from '@jest/globals';
import type { Migration } from '@bourse/persistence';
import { SERVICE_NAMES } from '@bourse/platform';

/** What takes away or narrows something that the version before may use (decision 0130). */
const NARROWS = [
  /drop (?:table|view|function|type|sequence|column) (?!%)/,
  /drop constraint \w+(?<!_check)\b/,
  /\brename\b/,
  /set not null/,
  /alter column \w+ type/,
  /add column \w+ (?:(?!default)[^,;])*not null(?![^,;]*default)/,
];
const narrows = (sql: string): boolean => {
  const text = sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').toLowerCase();
  return NARROWS.some((pattern) => pattern.test(text));
};

describe('migrations let the version before them run on', () => {
  test.each(SERVICE_NAMES)('%s marks each one that takes away or narrows something [DB-031]', async (name) => {
    const { MIGRATIONS } = (await import(`@bourse/${name}`)) as { MIGRATIONS: readonly Migration[] };
    expect(MIGRATIONS.length).toBeGreaterThan(0);
    expect(MIGRATIONS.filter(({ sql, breaks }) => narrows(sql) && !breaks).map(({ id }) => id)).toEqual([]);
  });

  test.each([
    ['drop table setting', true],
    ['alter table a add column b text, drop column c', true],
    ['alter table a drop constraint a_pkey', true],
    ['alter table a drop constraint a_state_check', false],
    ['alter table a rename column b to c', true],
    ['alter table a alter column b set not null', true],
    ['alter table a alter column b type text', true],
    ['alter table a add column b text not null', true],
    [`alter table a add column b text not null default ''`, false],
    ['alter table a add column b text default null, add column c int', false],
    ['create table a (b text not null); -- drop table b', false],
    ['create index a on b (c); drop index d', false],
  ])('%s: %s', (sql, expected) => {
    expect(narrows(sql)).toBe(expected);
  });
});
