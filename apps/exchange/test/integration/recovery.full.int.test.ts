import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { placePrograms } from '../../src/postgres.js';
import { findBinaries, ids, serverEnv } from '../../src/postgres/programs.js';
import { findServerUser } from '../../src/postgres/run-as.js';
import { ExchangeProcess } from './exchange-process.js';
import { settled } from './trading-log.js';

jest.setTimeout(testTimeoutMs(120_000));

interface Body {
  readonly type: string;
  readonly id?: string;
  readonly message: unknown;
}

const TOOL = fileURLToPath(new URL('../../../../tools/reconcile.mjs', import.meta.url));
const RUNBOOK = fileURLToPath(new URL('../../../../docs/runbooks/restore.md', import.meta.url));
let programs: Awaited<ReturnType<typeof findBinaries>>;
let exchange: ExchangeProcess;
let token = '';
let cluster = '';
let archive = '';
let base = '';
beforeAll(async () => {
  programs = await findBinaries();
  exchange = await ExchangeProcess.create('recovery', { MAKER: 'off', PRICE_FEED: 'simulated' });
  [cluster, archive, base] = [
    join(exchange.dataDir, 'postgres'),
    `${exchange.dataDir}-archive`,
    `${exchange.dataDir}-base`,
  ];
  await exchange.start();
  await exchange.stop();
  mkdirSync(archive, { recursive: true });
  chmodSync(archive, 0o777); // the server may run as another user
  appendFileSync(
    join(cluster, 'postgresql.auto.conf'),
    // As in the file of a server of its own: one that plays the log must have as much room as the one that wrote it.
    `max_connections = 500\narchive_mode = on\n` +
      `archive_command = 'test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"'\n`,
  );
  await start();
});
afterAll(async () => {
  await exchange.dispose();
  for (const folder of [archive, base]) rmSync(folder, { recursive: true, force: true });
});

async function call(method: string, path: string, fields: Readonly<Record<string, string>> = {}): Promise<Body> {
  const text = new URLSearchParams(fields).toString();
  const response = await fetch(`${exchange.url}${path}${method === 'GET' ? `?${text}` : ''}`, {
    method,
    signal: AbortSignal.timeout(testTimeoutMs(6_000)),
    headers: { authorization: token, 'content-type': 'application/x-www-form-urlencoded' },
    ...(method === 'GET' ? {} : { body: text }),
  });
  return (await response.json()) as Body;
}
async function start(): Promise<void> {
  await exchange.start();
  token = '';
  const person = { user_string: 'trader3@demo.bourse', password: 'Harbor-2468' };
  token = (await call('POST', '/api/user/login', person)).message as string;
}
/** An order far from the market, which rests. Its id. */
async function order(): Promise<string> {
  const fields = { legal_id: '3', currency_id: '1', type: '1', target_price: '20000.00', amount: '0.001' };
  const placed = await call('POST', '/api/coin/trade', fields);
  expect(placed.type).toBe('ok');
  return placed.id as string;
}
const open = async (): Promise<string[]> =>
  ((await call('GET', '/api/coin/list', { status: '1', limit: '100' })).message as { data: { id: string }[] }).data
    .map(({ id }) => id)
    .sort();

/** Waits for this number of open orders: one is accepted before its book has committed it. */
const openOnce = ({ length }: readonly string[]): Promise<string[]> => settled(open, (ids) => ids.length === length);

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { port, password } = JSON.parse(readFileSync(join(exchange.dataDir, 'postgres.json'), 'utf8')) as {
    port: number;
    password: string;
  };
  const client = new pg.Client({ host: '127.0.0.1', port, password, user: 'bourse', database: 'exchange' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
/** A copy of the running server's files, as `pg_basebackup` makes one: with its label, without its log. */
const copyBase = (): Promise<void> =>
  onServer(async (client) => {
    await client.query(`select pg_backup_start('base', true)`);
    execFileSync('cp', ['-a', '--no-target-directory', cluster, base]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(base, 'backup_label'), rows[0]?.labelfile ?? '');
    chmodSync(join(base, 'backup_label'), 0o666); // the server, perhaps another user, writes it to the disk
    rmSync(join(base, 'postmaster.pid'), { force: true });
    for (const name of readdirSync(join(base, 'pg_wal'))) rmSync(join(base, 'pg_wal', name), { recursive: true });
  });

/** The block of the runbook, with the places and the moment of this test. */
function restoreBlock(moment: string): string {
  const [, block = ''] = /^```sh\n([^`]*)^```/m.exec(readFileSync(RUNBOOK, 'utf8')) ?? [];
  expect(block.trim().split('\n').length).toBeGreaterThan(4);
  return [
    ['/backup/base', base],
    ['/backup/wal', archive],
    [/recovery_target_time = '[^']+'/, `recovery_target_time = '${moment}'`],
  ].reduce((text, [from, to]) => {
    expect(text).toMatch(from!);
    return text.replace(from!, to as string);
  }, block);
}

/** Runs it as the user of the database server, with its programs and its folder. */
function asServer(script: string): void {
  const runAs = findServerUser(cluster, exchange.dataDir);
  const { postgres } = placePrograms(programs, runAs);
  const { port } = JSON.parse(readFileSync(join(exchange.dataDir, 'postgres.json'), 'utf8')) as { port: number };
  execFileSync('sh', ['-ec', script], {
    ...ids(runAs),
    cwd: cluster,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...serverEnv(),
      PATH: [dirname(postgres), process.env['PATH']].join(delimiter),
      PGDATA: cluster,
      PGPORT: String(port),
    },
  });
}

/**
 * The login that owns the database, as an operator of databases makes it: no superuser, a member of the role of each
 * service (k8s/data/postgres.yaml).
 */
const OWNER = { name: 'exchange_owner', password: 'of-the-restore' };
const makeOwner = (): Promise<void> =>
  onServer(async (client) => {
    await client.query(`create role ${OWNER.name} login password '${OWNER.password}'`);
    const { rows } = await client.query<{ role: string }>(
      `select rolname as role from pg_roles where rolname like 'bourse\\_%'`,
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { role } of rows) await client.query(`grant ${role} to ${OWNER.name}`);
  });

const reconcile = (...args: string[]): Promise<{ code: number; out: string }> =>
  new Promise((resolve) => {
    const { port } = JSON.parse(readFileSync(join(exchange.dataDir, 'postgres.json'), 'utf8')) as { port: number };
    const DATABASE_URL = `postgres://${OWNER.name}:${OWNER.password}@127.0.0.1:${port}/exchange`;
    execFile(
      process.execPath,
      [TOOL, '--data-dir', exchange.dataDir, ...args],
      { env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, out: `${stdout}${stderr}` }),
    );
  });

test('a base copy and the archived log bring a moment back; reconcile names the rest [OBSERVE-020]', async () => {
  await makeOwner();
  const before = await order();
  await copyBase();
  const between = await order();
  const moment = await onServer(
    async (client) => (await client.query<{ at: string }>('select clock_timestamp()::text as at')).rows[0]?.at ?? '',
  );
  await new Promise((resolve) => setTimeout(resolve, 50)); // a commit of the same microsecond would be on either side
  const after = await order();
  expect(await openOnce([before, between, after])).toEqual([before, between, after].sort());
  // The archive has every commit: only commits after the chosen moment are lost.
  const file = await onServer(
    async (client) =>
      (await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')).rows[0]?.name ?? '',
  );
  const archived = performance.now();
  await eventually(() => readdirSync(archive).includes(file), 36_000);
  const archiveMs = performance.now() - archived;
  await exchange.stop();

  const begun = performance.now();
  asServer(restoreBlock(moment));
  await eventually(
    () =>
      onServer(async (client) => {
        const { rows } = await client.query<{ yet: boolean }>('select pg_is_in_recovery() as yet');
        return rows[0]?.yet === false;
      }),
    36_000,
  );

  const told = await reconcile('--json');
  if (told.code !== 1) throw new Error(`reconcile ended with ${told.code}: ${told.out}`);
  const found = JSON.parse(told.out) as { lost: { stream: string }[]; faults: object[] };
  expect(found.faults).toEqual([]);
  expect(found.lost.map(({ stream }) => stream)).toContain('ledger.0>spot.commands/0');
  expect(await reconcile('--accept')).toMatchObject({ code: 0, out: expect.stringContaining('Accepted') });
  asServer('pg_ctl -D $PGDATA -m fast -w stop');
  await start();
  const recoveryMs = performance.now() - begun;
  expect(await openOnce([before, between])).toEqual([before, between].sort());
  const audit = (await call('GET', '/dev/audit')).message as { ok: number };
  expect(audit.ok).toBe(1);
  console.info(
    `archived ${Math.round(archiveMs)} ms after the switch; served again after ${Math.round(recoveryMs)} ms`,
  );
});
