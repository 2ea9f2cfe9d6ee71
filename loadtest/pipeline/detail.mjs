// The database's work in a benchmark: statements, commits and write-ahead log by table and index.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';

const STEPS = new URL('./steps.json', import.meta.url);

const FULL_PAGES_AND_DATA = 'sum(block_data_length + block_fpi_length)';
/** Each record's head and main data count for the first of its blocks. */
const REST = 'sum(case when block_id = 0 then record_length - whole else 0 end)';

/** Begins to count, on a server that was started with pg_stat_statements. */
export async function countDetail(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements; create extension if not exists pg_walinspect');
  await client.query('select pg_stat_statements_reset()');
  const state = async () =>
    (
      await client.query(
        `select pg_current_wal_flush_lsn()::text as lsn, (pg_current_wal_lsn() - '0/0')::float8 as wal,
           (select sum(xact_commit)::float8 from pg_stat_database) as commits`,
      )
    ).rows[0];
  const before = await state();

  /** Returns the difference since then, each figure for one of `orders`. */
  return async (orders) => {
    const after = await state();
    const each = (value) => value / orders;
    const { rows: statements } = await client.query(
      `select calls::float8, total_exec_time + total_plan_time as ms, rows::float8, wal_bytes::float8 as wal,
         wal_fpi::float8 as pages, regexp_replace(left(query, 110), '\\s+', ' ', 'g') as query
       from pg_stat_statements
       where query !~ 'pg_stat_statements|pg_walinspect'
       order by ms desc`,
    );
    const { rows: relations } = await client.query(
      `with blocks as (
         select *, sum(block_data_length + block_fpi_length) over (partition by start_lsn) as whole
         from pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn, false)),
       named as (
         select coalesce(n.nspname || '.' || regexp_replace(coalesce(o.relname, c.relname), '_[0-9]{6,8}', '_*')
           || case when o.oid is not null then ' (toast)' else '' end, 'other') as name, b.*
         from blocks b
         left join pg_class c on pg_relation_filenode(c.oid) = b.relfilenode
         left join pg_class o on o.reltoastrelid = c.oid
         left join pg_namespace n on n.oid = coalesce(o.relnamespace, c.relnamespace))
       select name, count(*)::float8 as records, (${FULL_PAGES_AND_DATA} + ${REST})::float8 as bytes,
         sum(block_fpi_length)::float8 as pages
       from named group by name order by bytes desc limit 32`,
      [before.lsn, after.lsn],
    );
    await client.end();
    const calls = statements.reduce((sum, one) => sum + one.calls, 0);
    return {
      walBytes: each(after.wal - before.wal),
      commits: each(after.commits - before.commits),
      statements: each(calls),
      byStatement: statements.slice(0, 24).map((one) => ({
        calls: each(one.calls),
        microseconds: each(one.ms * 1000),
        wal: each(one.wal),
        query: one.query,
      })),
      byRelation: relations.map(({ name, records, bytes, pages }) => ({
        name,
        records: each(records),
        bytes: each(bytes),
        pages: each(pages),
      })),
    };
  };
}

/** The detail as text. */
export function detailText({ walBytes, commits, statements, byStatement, byRelation }) {
  const column = (value, digits, width) => value.toFixed(digits).padStart(width);
  return [
    `each order: ${Math.round(walBytes)} bytes of write-ahead log, ${commits.toFixed(3)} commits, ` +
      `${statements.toFixed(2)} statements`,
    '  calls       µs  WAL bytes  statement',
    ...byStatement.map(
      (one) => `${column(one.calls, 3, 7)} ${column(one.microseconds, 1, 8)} ${column(one.wal, 0, 10)}  ${one.query}`,
    ),
    'records  WAL bytes  of them full pages  table or index',
    ...byRelation.map(
      (one) => `${column(one.records, 2, 7)} ${column(one.bytes, 0, 10)} ${column(one.pages, 0, 19)}  ${one.name}`,
    ),
  ].join('\n');
}

/** Keeps the figures of a step under its name; another run of the same step replaces them. */
export function noteStep(figures) {
  const before = existsSync(STEPS) ? JSON.parse(readFileSync(STEPS, 'utf8')) : [];
  const at = before.findIndex(({ step }) => step === figures.step);
  before.splice(at < 0 ? before.length : at, at < 0 ? 0 : 1, figures);
  writeFileSync(STEPS, `${JSON.stringify(before, null, 2)}\n`);
}
