import { describe, expect, jest, test } from '@jest/globals';
import type { Migration } from '@bourse/persistence';
import { SERVICE_NAMES } from '@bourse/platform';

/** The first import of a service compiles it. */
jest.setTimeout(60_000);

/** Statements that remove or narrow something that the previous version may use (decision 0130). */
const NARROWS = [
  /drop (?:table|view|function|type|sequence|column) (?!%)/,
  /drop constraint \w+(?<!_check)\b/,
  /\brename\b/,
  /set not null/,
  /alter column \w+ type/,
  /add column \w+ (?:(?!default)[^,;])*not null(?![^,;]*default)/,
];
const plainText = (sql: string): string => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').toLowerCase();
const narrows = (sql: string): boolean => NARROWS.some((pattern) => pattern.test(plainText(sql)));

/** From the bracket at `at` to the one that closes it. */
function bracketed(text: string, at: number): string {
  let depth = 0;
  for (let end = at; end < text.length; end += 1) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')' && (depth -= 1) === 0) return text.slice(at, end + 1);
  }
  return text.slice(at);
}
const literals = (check: string): Set<string> => new Set(check.match(/'[^']*'/g) ?? []);
/** A check that allows all that the one before it did: the same with more words in its list. */
function widens(before: string | undefined, check: string): boolean {
  if (before === undefined) return false;
  const shape = (one: string): string => one.replace(/'[^']*'(?:, ?)?/g, '').replace(/\s/g, '');
  return shape(before) === shape(check) && [...literals(before)].every((word) => literals(check).has(word));
}

/**
 * Returns, of migrations in order, those that forbid writes of the previous version to an existing table, by a check, a
 * unique index or a trigger, each with its kind.
 */
function forbids(migrations: readonly Pick<Migration, 'id' | 'sql'>[]): { id: string; what: string }[] {
  const tables = new Set<string>();
  const checks = new Map<string, string>();
  return migrations.flatMap(({ id, sql }) => {
    const text = plainText(sql);
    const made = new Set([...text.matchAll(/create table (?:if not exists )?([\w.]+)/g)].map(([, table]) => table!));
    const old = (table: string): boolean => tables.has(table) && !made.has(table);
    const added = [...text.matchAll(/add column (?:if not exists )?(\w+)/g)].map(([, column]) => column!);
    const found: string[] = [];
    for (const [, table, changes] of text.matchAll(/alter table (?:if exists )?(?:only )?([\w.]+) ([^;]*)/g))
      for (const match of (changes ?? '').matchAll(/add (?:constraint (\w+) )?(check|unique|exclude) ?(?=\(|using)/g)) {
        const inside = bracketed(changes ?? '', match.index + match[0].length);
        const name = `${table}.${match[1] ?? ''}`;
        const onNew = added.some((column) => new RegExp(`\\b${column}\\b`).test(inside));
        if (old(table!) && !onNew && !(match[2] === 'check' && widens(checks.get(name), inside)))
          found.push(`${match[2]} ${name}`);
        if (match[2] === 'check') checks.set(name, inside);
      }
    for (const [, index, table, at] of text.matchAll(
      /create unique index (?:if not exists )?(\w+) on ([\w.]+) ?(\([^;]*)/g,
    ))
      if (old(table!) && !added.some((column) => new RegExp(`\\b${column}\\b`).test(at ?? '')))
        found.push(`unique ${index}`);
    for (const [, trigger, table] of text.matchAll(
      /create (?:or replace |constraint )?trigger (\w+) [^;]*? on ([\w.]+)/g,
    ))
      if (old(table!)) found.push(`trigger ${trigger}`);
    // PostgreSQL generates the names of inline column checks.
    for (const match of text.matchAll(/create table (?:if not exists )?([\w.]+) ?\(/g)) {
      const body = bracketed(text, match.index + match[0].length - 1);
      for (const column of body.matchAll(/[(,] ?(\w+) [^,()]*(?:\([^)]*\))?[^,()]*check ?(?=\()/g))
        checks.set(`${match[1]}.${match[1]}_${column[1]}_check`, bracketed(body, column.index + column[0].length));
    }
    for (const table of made) tables.add(table);
    return found.map((what) => ({ id, what }));
  });
}

/** Reviewed: the writes of the previous version pass. */
const JUDGED: Readonly<Record<string, string>> = {
  // It knows no pictures of news, and people's numbers are above zero.
  '0008-pictures-of-news: check upload.upload_scene_check': 'gateway',
  // The numbers of before are among those of now.
  '0007-closes-that-wait: check lever_position.lever_position_closed_by_check': 'lever-risk',
  // It knows no closed shop, and lets a person have no second one.
  'shops-0002-closed: check shop.': 'c2c-escrow',
  'shops-0002-closed: unique shop_of_owner': 'c2c-escrow',
  // The check beside it let fewer below zero; house accounts that it lets are these.
  '0060-negative-by-currency: check balance.balance_available_check': 'wallet-ledger',
};

describe('migrations let the version before them run on', () => {
  test.each(SERVICE_NAMES)('%s marks each one that takes away or narrows something [DB-031]', async (name) => {
    const { MIGRATIONS } = (await import(`@bourse/${name}`)) as { MIGRATIONS: readonly Migration[] };
    expect(MIGRATIONS.length).toBeGreaterThan(0);
    expect(MIGRATIONS.filter(({ sql, breaks }) => narrows(sql) && !breaks).map(({ id }) => id)).toEqual([]);
    const breaking = new Set(MIGRATIONS.filter(({ breaks }) => breaks).map(({ id }) => id));
    const left = forbids(MIGRATIONS)
      .filter(({ id }) => !breaking.has(id))
      .map(({ id, what }) => `${id}: ${what}`);
    expect(left).toEqual(Object.keys(JUDGED).filter((one) => JUDGED[one] === name));
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

  test.each([
    [
      `alter table a drop constraint a_state_check, add constraint a_state_check check (state in ('x'))`,
      ['check a.a_state_check'],
    ],
    [`alter table a drop constraint a_state_check, add constraint a_state_check check (state in ('x', 'y', 'z'))`, []],
    [
      `alter table a drop constraint a_state_check, add constraint a_state_check check (state in ('x', 'y') and b > 0)`,
      ['check a.a_state_check'],
    ],
    ['alter table a add check (b > 0)', ['check a.']],
    ['alter table a add column c int, add check (c > 0)', []],
    ['alter table a add unique (b)', ['unique a.']],
    ['create unique index one on a (b) where b > 0', ['unique one']],
    ['alter table a add column c int; create unique index one on a (c)', []],
    ['create table d (e int); create unique index one on d (e)', []],
    ['create index many on a (b)', []],
    ['create trigger guard before insert or update on a for each row execute function f()', ['trigger guard']],
    ['create table d (e int); create trigger guard before insert on d for each row execute function f()', []],
  ])('finds a newly forbidden write: %s [DB-031]', (sql, what) => {
    const first = { id: '1', sql: `create table a (b int, state text not null check (state in ('x', 'y')))` };
    expect(forbids([first, { id: '2', sql }]).map((one) => one.what)).toEqual(what);
  });
});
