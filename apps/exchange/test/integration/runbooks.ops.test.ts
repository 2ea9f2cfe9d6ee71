import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { ExchangeProcess } from './exchange-process.js';

jest.setTimeout(testTimeoutMs(120_000));

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const PAGES = join(root, 'docs/runbooks');
/** Lays a copy of a server's files back: `recovery.full.int.test.ts` does what this page says [OBSERVE-020]. */
const ELSEWHERE = new Set(['restore.md']);

const database = `runbooks_${process.pid}`;
let exchange: ExchangeProcess;
let shell: Readonly<Record<string, string>>;
beforeAll(async () => {
  await query(process.env['TEST_DATABASE_URL'] ?? '', `create database ${database}`);
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = `/${database}`;
  exchange = await ExchangeProcess.create('runbooks', {
    DATABASE_URL: url.href,
    MAKER: 'off',
    PRICE_FEED: 'simulated',
    ACCESS_LOG: 'on',
  });
  await exchange.start();
  // Variables that the list of runbooks sets in the shell.
  shell = {
    PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    HOME: process.env['HOME'] ?? '',
    NODE_ENV: 'test',
    BOURSE_DEV: '1',
    URL: exchange.url,
    METRICS: exchange.url,
    DATABASE_URL: url.href,
    DATA_DIR: exchange.dataDir,
  };
  await runs('npx bourse operator add alice --roles admin --data-dir $DATA_DIR');
  const login = 'curl -s $URL/api/admin/login -d username=operator -d password=Harbor-2468 | jq -r .message';
  shell = { ...shell, TOKEN: (await runs(login)).output.trim() };
});
afterAll(async () => {
  await exchange.dispose();
  await query(process.env['TEST_DATABASE_URL'] ?? '', `drop database if exists ${database} with (force)`);
});

async function query(url: string, sql: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return ((await client.query(sql)) as pg.QueryResult<object>).rows;
  } finally {
    await client.end();
  }
}

/** A substitute on machines without jq: the input must be JSON, and is passed through. */
const JQ = `command -v jq >/dev/null || jq() { node -e '
  const text = require("node:fs").readFileSync(0, "utf8");
  for (const one of text.trim() === "" ? [] : [text]) JSON.parse(one);
  console.log(process.argv[1] === "-r" ? JSON.parse(text).message : text);' "$1"; }`;

interface Ran {
  readonly output: string;
  /** Exit codes of the programs of the pipe. */
  readonly codes: readonly number[];
}
/** Runs a line in a shell, as a reader of the page would. */
function runs(line: string, folder = root): Promise<Ran> {
  const script = `${JQ}\n${line}\necho "codes \${PIPESTATUS[*]}" >&2`;
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', script], { cwd: folder, env: shell, timeout: 120_000 }, (error, output, errors) => {
      const codes = /^codes ([\d ]+)$/m.exec(errors)?.[1]?.split(' ').map(Number);
      if (codes === undefined) reject(error ?? new Error(errors));
      else resolve({ output, codes });
    });
  });
}

const linesOf = (page: string): string[] =>
  [...readFileSync(join(PAGES, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block]) => (block ?? '').split('\n'))
    .filter((line) => line !== '');
const told = readdirSync(PAGES)
  .filter((page) => page !== 'README.md' && !ELSEWHERE.has(page))
  .flatMap((page) => linesOf(page).map((line) => [page, line] as const));
/** Whether a line needs a stopped exchange. */
const standsStill = (line: string): boolean => line.includes('bourse reconcile');

test('most pages have something to run', () => {
  expect(told.length).toBeGreaterThan(25);
  expect(new Set(told.map(([page]) => page)).size).toBeGreaterThan(15);
});

test.each(told.filter(([, line]) => !standsStill(line)))('%s: %s [OBSERVE-015]', async (_page, line) => {
  const sql = /^psql "\$DATABASE_URL" -c "(.+)"$/.exec(line)?.[1];
  if (sql !== undefined) {
    await expect(query(shell['DATABASE_URL'] ?? '', sql)).resolves.toBeInstanceOf(Array);
    return;
  }
  const { output, codes } = await runs(line, line.includes('access.log') ? exchange.dataDir : root);
  // A metric that has never been counted has no line, and grep ends with 1.
  const programs = line.match(/(?:'[^']*'|"[^"]*"|[^|'"])+/g) ?? [];
  const failed = programs.filter((program, at) => !(codes[at] === 0 || (codes[at] === 1 && /^ *grep /.test(program))));
  expect([line, output, codes.length, failed]).toEqual([line, output, programs.length, []]);
  expect(output).not.toMatch(/"type": ?"error"|"key": ?"common\./);
});

test('a running exchange is not reconciled; a stopped one reports no loss [OBSERVE-015]', async () => {
  const lines = new Set(told.map(([, line]) => line).filter(standsStill));
  expect(lines.size).toBeGreaterThan(0);
  for (const line of lines) expect(await runs(line)).toMatchObject({ codes: [2] });
  await exchange.stop();
  for (const line of lines) expect(await runs(line)).toMatchObject({ codes: [0] });
});
