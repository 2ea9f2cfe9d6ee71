import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, settled, type Body } from '../integration/trading-log.js';
import { BOUNDS, type Fault } from './fault.js';
import { clone, processes, root, servicesWithFault } from './tools.js';
import { until, type World } from './world.js';

/** 4. All failures of a database server except the loss of committed data. */
export const databaseFaults: Fault = {
  number: 4,
  code: 'FAULT-040',
  name: 'PostgreSQL: kills, full disk, fsync error, held lock, slow',
  modes: ['embedded', 'distributed'],
  short: ['embedded'],
  run: async (run) => {
    const { world } = run;
    const { database } = world;

    await run.underLoad('backends killed', { boundMs: BOUNDS.database }, async (row) => {
      for (let n = 0; n < (run.short ? 1 : 5); n++) {
        // The administrator's way, which ends one connection; and the hard way, on which the server throws all of them
        // out and recovers.
        if (n % 2 === 0)
          row.notes.push(
            `${
              (
                await world.sql(`select pg_terminate_backend(pid)
              from pg_stat_activity
              where application_name like 'bourse%' and random() < 0.7`)
              ).length
            } connections ended`,
          );
        else {
          const backends = database
            .children()
            .filter(({ title }) => /bourse .*(idle|INSERT|UPDATE|SELECT|COMMIT|BEGIN)/i.test(title));
          if (backends.length > 0) {
            process.kill(run.pick(backends).pid, 'SIGKILL');
            row.kills += 1;
          }
        }
        await sleep(1_000 + run.random(1_000));
      }
    });

    await run.underLoad('postmaster killed', { boundMs: BOUNDS.database }, async (row, traders) => {
      for (let n = 0; n < (run.short ? 1 : 3); n++) {
        const from = Date.now();
        database.signal('SIGKILL');
        row.kills += 1;
        // The supervisor tries until the old server's processes are gone.
        await sleep(200);
        await traders.tradesOn(60_000);
        row.backMs = Math.max(row.backMs, Date.now() - from);
        await world.ready(180_000);
      }
      return Date.now();
    });
    if (run.short) return;

    await run.underLoad('absent for 15 s', { boundMs: BOUNDS.database }, async (row, traders) => {
      await database.stop();
      row.kills += 1;
      await sleep(2_000);
      // Nothing can be promised, and it must be said at once.
      const accepted = traders.accepted;
      await sleep(13_000);
      // A restart forgets nothing of it.
      for (const service of servicesWithFault('owner')) if (world.owner(service).kill()) row.kills += 1;
      await sleep(6_000);
      if (traders.accepted > accepted)
        row.wrong.push(`${traders.accepted - accepted} intents were accepted without a database`);
      const from = Date.now();
      await database.start();
      return from;
    });

    await run.underLoad('a lock on the balances for 8 s', { boundMs: BOUNDS.database }, async () => {
      const holder = await world.connect();
      try {
        await holder.query('begin');
        await holder.query('lock table ledger.balance in access exclusive mode');
        await sleep(8_000);
        await holder.query('rollback');
      } finally {
        await holder.end();
      }
    });

    await run.underLoad('slow: 150 ms each way', { boundMs: BOUNDS.database }, async () => {
      for (const { database: line } of world.lines.values()) line.delayMs = 150;
      await sleep(10_000);
    });

    await run.underLoad('half-open for 12 s', { boundMs: BOUNDS.database }, async () => {
      for (const { database: line } of world.lines.values()) line.frozen = true;
      await sleep(12_000);
    });

    if (world.disk('postgres').own) {
      await run.underLoad('its disk is full for 10 s', { boundMs: BOUNDS.database }, async (row, traders) => {
        world.disk('postgres').fill();
        await until(
          'trading to stop',
          async () => {
            const before = traders.accepted;
            await sleep(500);
            return traders.accepted === before;
          },
          60_000,
        );
        row.notes.push('trading stopped for want of room');
        await sleep(10_000);
      });
    }

    const strace = processes.onPath('strace');
    if (strace) {
      await run.underLoad('fsync fails', { boundMs: BOUNDS.database }, async (row) => {
        // The backends that write for clients now, not the recovery processes after them: a server whose recovery fails
        // too is a broken machine.
        const pids = database
          .children()
          .filter(({ title }) => /bourse/.test(title))
          .map(({ pid }) => pid);
        const tracer = spawn(
          strace,
          [
            '-qq',
            '-o',
            '/dev/null',
            '-e',
            'trace=fsync,fdatasync',
            '-e',
            'inject=fsync,fdatasync:error=EIO',
            ...pids.flatMap((pid) => ['-p', String(pid)]),
          ],
          { stdio: 'ignore' },
        );
        const restarts = database.restarts;
        await sleep(4_000);
        tracer.kill('SIGINT');
        row.kills += 1;
        row.notes.push(
          database.restarts > restarts ? 'the server ended and was started again' : 'the server recovered by itself',
        );
      });
    }
  },
};

/**
 * 4. The server comes back with its data of minutes ago, as after a restore: this must be detected before anything is
 * acknowledged on it.
 */
export const setBack: Fault = {
  number: 4,
  code: 'FAULT-041',
  name: 'PostgreSQL set back in time',
  modes: ['embedded', 'distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    const { database } = world;
    const copy = `${database.dataDir}-copy`;
    await run.underLoad('set back', { boundMs: BOUNDS.database }, async (row, traders) => {
      await database.stop();
      execFileSync('cp', ['-a', '--no-target-directory', database.clusterDir, copy]);
      await database.start();
      await traders.tradesOn(60_000);
      const before = traders.accepted;
      await until('acknowledged orders that the copy does not have', () => traders.accepted >= before + 50, 30_000);
      await database.stop();
      // Answers that were under way when it stopped.
      await sleep(1_000);
      const accepted = traders.accepted;
      // The real state is put aside, the old one takes its place.
      execFileSync('mv', [database.clusterDir, `${database.dataDir}-real`]);
      execFileSync('cp', ['-a', copy, database.clusterDir]);
      await database.start();
      const from = Date.now();
      const noticed = async (): Promise<boolean> => {
        try {
          const { message } = await call(world.url, 'GET', '/api/status');
          return (message as { audit?: string }).audit !== 'ok';
        } catch (error) {
          return (error as Error).name === 'Never';
        }
      };
      await until('the set-back database to be noticed', noticed, 30_000).then(
        (ms) => row.notes.push(`noticed after ${ms} ms`),
        (error: Error) => row.wrong.push(error.message),
      );
      // A restart forgets nothing of it.
      for (const service of servicesWithFault('owner')) if (world.owner(service).kill()) row.kills += 1;
      await sleep(6_000);
      if (traders.accepted > accepted)
        row.wrong.push(`${traders.accepted - accepted} intents were accepted on the set-back database`);
      row.notes.push(`${Date.now() - from} ms on the old state`);
      // The real state comes back: only so can the clients' log agree.
      await database.stop();
      rmSync(database.clusterDir, { recursive: true });
      execFileSync('mv', [`${database.dataDir}-real`, database.clusterDir]);
      rmSync(copy, { recursive: true });
      const back = Date.now();
      await database.start();
      return back;
    });
  },
};

const RECONCILE = join(root, 'tools', 'reconcile.mjs');
interface Found {
  readonly lost: readonly { readonly stream: string }[];
  readonly faults: readonly object[];
}

/**
 * Runs `bourse reconcile` on the servers of the run, with copies of its processes' head files. This process must not
 * block meanwhile: the connections to the servers pass through it.
 */
async function reconcile(
  world: World,
  copies: string,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(clone.node24, [RECONCILE, '--data-dir', copies, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
    env: clone.cloneEnv({
      BOURSE_DEV: '1',
      DATABASE_URL: world.ownerUrl,
      KAFKA_BROKERS: `127.0.0.1:${world.kafkaLine.port}`,
    }),
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err: err.slice(-600) };
}

const order = (world: World, token: string): Promise<Body> =>
  call(
    world.url,
    'POST',
    '/api/coin/trade',
    { legal_id: '3', currency_id: '1', type: '1', target_price: '20000.00', amount: '0.001' },
    token,
  );

/**
 * 19. The database is lost and only an older copy exists: compared, accepted, started frozen, reopened, and traded on.
 * Over Kafka, which has records of the lost time, with head files that are not removed.
 */
export const acceptedCopy: Fault = {
  number: 19,
  code: 'FAULT-042',
  name: 'an older copy of PostgreSQL is accepted',
  modes: ['distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    const { database } = world;
    const copy = `${database.dataDir}-older`;
    const all = [...world.parts.values()];
    const tokenOf = async (path: string, fields: Readonly<Record<string, string>>): Promise<string> =>
      String((await call(world.url, 'POST', path, fields)).message);
    const trader = (): Promise<string> =>
      tokenOf('/api/user/login', { user_string: 'trader3@demo.bourse', password: 'Harbor-2468' });
    // Payments in flight go back to review by operators: there are none, so that all states stay.
    await until(
      'withdrawals at rest',
      async () =>
        (await world.sql(`select 1 from ledger.withdrawal where state not in ('done', 'failed') limit 1`)).length === 0,
      90_000,
    );
    const wrong: string[] = [];
    const notes: string[] = [];
    const kept = await order(world, await trader());
    await database.stop();
    execFileSync('cp', ['-a', '--no-target-directory', database.clusterDir, copy]);
    await database.start();
    await world.ready(180_000);
    const token = await trader();
    const lost: Body[] = [];
    for (let turn = 0; turn < 20; turn += 1) lost.push(await order(world, token));
    if ([kept, ...lost].some(({ type }) => type !== 'ok')) wrong.push('an order before the loss was not accepted');
    for (const part of all) await part.stop();
    await database.stop();
    const from = Date.now();
    rmSync(database.clusterDir, { recursive: true });
    execFileSync('mv', [copy, database.clusterDir]);
    await database.start();

    // As a config map has them: the processes' own files stay where they are.
    const copies = join(world.dir, 'copies-of-heads');
    mkdirSync(copies);
    const heads = readdirSync(world.dir).filter((name) => /^heads-[\w-]+\.json$/.test(name));
    for (const name of heads) copyFileSync(join(world.dir, name), join(copies, name));
    const looked = await reconcile(world, copies, '--json');
    const found = (looked.code === 1 ? JSON.parse(looked.out) : { lost: [], faults: [] }) as Found;
    if (looked.code !== 1 || found.faults.length > 0 || !found.lost.some(({ stream }) => /spot/.test(stream)))
      wrong.push(`reconcile ended with ${looked.code}: ${looked.out.slice(0, 600)}${looked.err}`);
    const alone = await reconcile(world, mkdtempSync(join(world.dir, 'nothing-')), '--json');
    if (alone.code !== 1) wrong.push(`with Kafka's memory alone reconcile ended with ${alone.code}`);
    // An acceptance that ends between the emptied topics and its commit forgets nothing.
    await world.sql(`create function ledger.refuse() returns trigger language plpgsql
      as $$ begin raise exception 'the end of this acceptance'; end $$`);
    await world.sql(`create constraint trigger refuse after update on ledger.meta deferrable initially deferred
      for each row when (new.name = 'install') execute function ledger.refuse()`);
    const ended = await reconcile(world, copies, '--accept');
    const since = await reconcile(world, mkdtempSync(join(world.dir, 'nothing-')), '--json');
    if (ended.code !== 2 || since.code !== 1)
      wrong.push(`an acceptance that failed ended with ${ended.code}, reconcile after it with ${since.code}`);
    await world.sql('drop function ledger.refuse() cascade');
    const accepted = await reconcile(world, copies, '--accept');
    // Nothing starts on a copy that is not accepted: there is nothing more to see.
    if (accepted.code !== 0)
      throw new Error(
        [...wrong, `--accept ended with ${accepted.code}: ${accepted.out.slice(-600)}${accepted.err}`].join('; '),
      );
    const again = await reconcile(world, world.dir);
    if (again.code !== 0)
      wrong.push(`after it reconcile ended with ${again.code}: ${again.out.slice(-600)}${again.err}`);
    notes.push(`${heads.length} files, ${found.lost.length} streams lost, accepted after ${Date.now() - from} ms`);

    for (const part of all) part.start();
    await world.ready(180_000);
    notes.push(`started after ${Date.now() - from} ms`);
    const open = await call(world.url, 'GET', '/api/coin/list', { status: '1', limit: '100' }, await trader());
    const ids = (open.message as { data: { id: string }[] }).data.map(({ id }) => id);
    if (!ids.includes(kept.id ?? '') || lost.some(({ id }) => ids.includes(id ?? '')))
      wrong.push('the open orders are not those of the copy');
    if ((await order(world, await trader())).type === 'ok') wrong.push('an order was accepted before it was reopened');
    const operator = await tokenOf('/api/admin/login', { username: 'operator', password: 'Harbor-2468' });
    const opened = await settled(
      () =>
        call(world.url, 'POST', '/api/admin/breaker', { scope: 'all', mode: 'normal', reason: 'accepted' }, operator),
      ({ type }) => type === 'ok',
      60_000,
    );
    if (opened.type !== 'ok') wrong.push(`it cannot be opened again: ${opened.key}`);
    await run.underLoad('traded on', { boundMs: BOUNDS.database }, (row, traders) => {
      row.wrong.push(...wrong);
      row.notes.push(...notes);
      return traders.tradesOn(30_000);
    });
  },
};
