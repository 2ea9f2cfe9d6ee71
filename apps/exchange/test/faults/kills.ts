import { setTimeout as sleep } from 'node:timers/promises';
import { ExchangeProcess } from '../integration/exchange-process.js';
import { TradingLog } from '../integration/trading-log.js';
import { asksToCommit, saysCommitted } from './commits.js';
import { BOUNDS, checkTime, machineLoad, say, type Fault, type Row, type Run } from './fault.js';
import { sideBySide } from './instances.js';
import type { Link, Verdict, Way } from './proxy.js';
import type { Part } from './part.js';
import { processes, serviceTools, servicesWithFault } from './tools.js';
import { EXCHANGE, until, type World } from './world.js';

/** Points at which a process is killed; `at random` after a random time. */
const POINTS = [
  'at random',
  'before commit',
  'after commit',
  'before publish',
  'after publish',
  'before reply',
  'after reply',
] as const;
type Point = (typeof POINTS)[number];
/** A quiet service may not reach its point for long: it is then killed at once. */
const POINT_MS_MAX = 1_500;
const PRODUCE = 0;

/**
 * Conditions on a chunk of traffic for each point. Chunks are parts of the wire protocols of PostgreSQL, Kafka and
 * Redis.
 */
const seen: Readonly<
  Record<Exclude<Point, 'at random'>, (way: Way, piece: Buffer, link: Link, name: string) => boolean>
> = {
  'before commit': asksToCommit,
  'after commit': saysCommitted,
  'before publish': (way, piece, _link, name) => way === 'request' && isProduceOf(name, piece),
  'after publish': (way, piece, link, name) => {
    if (way === 'request' && isProduceOf(name, piece)) link.notes.set('produce', piece.readInt32BE(8));
    return way === 'reply' && piece.length >= 8 && link.notes.get('produce') === piece.readInt32BE(4);
  },
  'before reply': (way, piece) => way === 'request' && piece.toString('latin1').includes('bourse:reply:'),
  'after reply': (way, piece) => way === 'request' && piece.toString('latin1').includes('bourse:reply:'),
};

/** A request of Kafka: size, api key, version, correlation id, client id. Ours is named `<service>@<host>:<port>`. */
function isProduceOf(name: string, piece: Buffer): boolean {
  if (piece.length < 14 || piece.readInt16BE(4) !== PRODUCE) return false;
  return piece.toString('utf8', 14, 14 + Math.max(0, piece.readInt16BE(12))).startsWith(`${name}@`);
}

/** Kills the part at the point, or after a while anywhere. Resolves with the time of the kill. */
async function killAt(world: World, part: Part, point: Point, afterMs: number): Promise<number> {
  if (point === 'at random') {
    await sleep(afterMs);
    part.kill();
    return Date.now();
  }
  const { database, redis } = world.line(part.name);
  // The clients' connection carries the replies where there is no Redis between.
  const line = point.endsWith('commit')
    ? database
    : point.endsWith('publish')
      ? world.kafkaLine
      : (redis ?? world.front);
  const reached =
    line === world.front
      ? (way: Way): boolean => way === 'reply'
      : (way: Way, piece: Buffer, link: Link): boolean => seen[point](way, piece, link, part.name);
  let killedAt = 0;
  const before = line.watcher;
  const watcher = (way: Way, piece: Buffer, link: Link): Verdict => {
    const verdict = before?.(way, piece, link) ?? 'pass';
    if (killedAt > 0 || !reached(way, piece, link)) return verdict;
    killedAt = Date.now();
    if (point !== 'after reply') {
      part.kill();
      return 'keep';
    }
    setImmediate(() => part.kill());
    return verdict;
  };
  line.watcher = watcher;
  for (const from = Date.now(); killedAt === 0 && Date.now() - from < POINT_MS_MAX;) await sleep(5);
  if (line.watcher === watcher) line.watcher = before;
  if (killedAt === 0) {
    killedAt = Date.now();
    part.kill();
  }
  return killedAt;
}

function pointsOf(run: Run): readonly Point[] {
  return run.world.mode === 'embedded' ? POINTS.filter((point) => !point.endsWith('publish')) : POINTS;
}

/**
 * One round: strikes these, and waits until all are ready and an order is taken. Counts, and notes the longest way
 * back.
 */
async function round(
  run: Run,
  row: Row,
  traders: TradingLog,
  names: readonly string[],
  boundMs: number,
): Promise<void> {
  const { world } = run;
  const points = names.map(() => run.pick(pointsOf(run)));
  const killed = await Promise.all(
    names.map((name, index) => killAt(world, world.part(name), points[index] as Point, run.random(400))),
  );
  row.kills += names.length;
  for (const line of [world.front, world.kafkaLine as typeof world.front | undefined]) if (line) line.watcher = null;
  // Each of them is ready again, and an order is taken.
  await Promise.all([traders.tradesOn(60_000), ...names.map((name) => world.part(name).ready(60_000))]);
  const backMs = Date.now() - Math.max(...killed);
  row.backMs = Math.max(row.backMs, backMs);
  checkTime(row, names.map((name, index) => `${name} ${points[index]}`).join(', '), backMs, boundMs);
  await world.ready(60_000);
  await sleep(run.random(400));
}

/** 1. SIGKILL at random and at named points. */
export const kills: Fault = {
  number: 1,
  code: 'FAULT-010',
  name: 'SIGKILL at random and at named points',
  modes: ['embedded', 'distributed'],
  short: ['embedded', 'distributed'],
  run: async (run) => {
    const { world } = run;
    // A service has 5 s, whether the ledger's writer or the engine with few orders.
    await run.underLoad('one at a time', { boundMs: BOUNDS.service }, async (row, traders) => {
      const rounds = world.mode === 'embedded' ? (run.short ? 4 : 40) : 1;
      const names = run.short && world.mode === 'distributed' ? servicesWithFault('path') : world.services;
      for (let n = 0; n < rounds; n++) for (const name of names) await round(run, row, traders, [name], BOUNDS.service);
      return Date.now();
    });
    if (world.mode === 'distributed') {
      // All at once on few cores: their starts take turns, so the bound is the engine's.
      await run.underLoad('several at once', { boundMs: BOUNDS.engine }, async (row, traders) => {
        for (let n = 0; n < (run.short ? 1 : 20); n++) {
          const names = world.services.filter(() => run.short || run.random(8) > 0);
          await round(run, row, traders, names.length > 0 ? names : world.services, BOUNDS.engine);
        }
        return Date.now();
      });
    } else if (!run.short) await ownDatabase(run);
  },
};

/**
 * The one process with a database child of its own: the child lives on as an orphan, and the next start must adopt or
 * stop it.
 */
async function ownDatabase(run: Run): Promise<void> {
  const exchange = await ExchangeProcess.create(`faults-${run.seed}`, {
    MAKER: 'off',
    PRICE_FEED: 'simulated',
    RATE_SCALE: '10000',
  });
  try {
    await exchange.start();
    const row: Row = {
      fault: 1,
      code: 'FAULT-010',
      name: kills.name,
      part: 'with its own database child',
      mode: 'embedded',
      seed: run.seed,
      kills: 0,
      ok: 0,
      refused: 0,
      resolved: 0,
      slowestMs: 0,
      unanswered: 0,
      backMs: 0,
      boundMs: BOUNDS.database,
      machine: machineLoad(),
      wrong: [],
      notes: [],
    };
    run.rows.push(row);
    for (let n = 1; n <= 5; n++) {
      const traders = await TradingLog.signIn(exchange.url, `own${run.seed}-${n}-${Date.now().toString(36)}`, {
        paceMs: 20,
        transferEvery: 6,
        seed: run.seed + n,
      });
      traders.start();
      await until('load', () => traders.accepted >= 40, 60_000);
      await sleep(run.random(500));
      const stopped = traders.stop();
      await exchange.kill();
      const from = Date.now();
      await stopped;
      row.kills += 1;
      await exchange.start();
      await traders.tradesOn(60_000);
      const backMs = Date.now() - from;
      row.backMs = Math.max(row.backMs, backMs);
      checkTime(row, 'back', backMs, row.boundMs);
      row.wrong.push(...(await traders.disagreements()));
      const { ok, refused, resolved, slowestMs } = traders.tally();
      row.ok += ok;
      row.refused += refused;
      row.resolved += resolved;
      row.slowestMs = Math.max(row.slowestMs, slowestMs);
      await traders.cancelAll();
    }
    say(`embedded ${row.code} ${row.part}: ${row.kills} kills, back ${row.backMs} ms ${row.wrong.join('; ')}`);
    run.write(row);
  } finally {
    await exchange.dispose();
  }
}

/** 2. SIGSTOP, a standby takes over, SIGCONT: the woken one is fenced off. */
export const stops: Fault = {
  number: 2,
  code: 'FAULT-020',
  name: 'SIGSTOP with takeover',
  modes: ['embedded', 'distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    for (const seconds of run.short ? [10] : [10, 35, 60]) {
      if (world.mode === 'embedded') {
        // No process may take over its database while it lives; after the sleep it continues or is restarted.
        await run.underLoad(
          `exchange sleeps ${seconds} s`,
          { boundMs: BOUNDS.service, edgeSilent: true },
          async (row) => {
            const part = world.part(EXCHANGE);
            part.signal('SIGSTOP');
            row.kills += 1;
            await sleep(seconds * 1_000);
            part.signal('SIGCONT');
            return Date.now();
          },
        );
        continue;
      }
      const owners = servicesWithFault('owner');
      const service = seconds === 60 ? run.pick(owners) : (owners[seconds === 10 ? 0 : owners.length - 1] as string);
      await run.underLoad(`${service} sleeps ${seconds} s`, { boundMs: BOUNDS.service }, async (row, traders) => {
        const first = world.part(service);
        const route = world.routes.get(service);
        const { part, port } = await world.second(service);
        try {
          // It lives and waits; whether it counts as ready before it owns anything is the service's affair.
          await until(
            'the standby to live',
            () => processes.answers(part.options.readyUrl.replace('/readyz', '/healthz')),
            90_000,
          );
          await sleep(2_000);
          const home = route?.target ?? 0;
          first.signal('SIGSTOP');
          row.kills += 1;
          const from = Date.now();
          // As a balancer does with an instance that fails its probe, and with one that passes.
          await sleep(1_000);
          await part.ready(30_000);
          if (route) {
            route.target = port;
            route.cutAll();
          }
          await traders.tradesOn(30_000);
          const takenMs = Date.now() - from;
          row.notes.push(`taken over after ${takenMs} ms`);
          // A lease of 4 s, and the bound of a service after it.
          checkTime(row, 'the standby took over', takenMs, BOUNDS.engine);
          await sleep(Math.max(0, seconds * 1_000 - takenMs));
          const before = traders.accepted;
          first.signal('SIGCONT');
          await sleep(3_000);
          if (traders.accepted === before) row.wrong.push('no order was accepted after the first one woke up');
          if (route) {
            route.target = home;
            route.cutAll();
          }
        } finally {
          first.signal('SIGCONT');
          await part.stop();
        }
        return Date.now();
      });
    }
  },
};

/**
 * 14. Every service stopped in order and started again, one after another; the edge and what owns partitions also with
 * a second instance that works on meanwhile.
 */
export const rolling: Fault = {
  number: 14,
  code: 'FAULT-140',
  name: 'rolling restart',
  modes: ['embedded', 'distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    await run.underLoad('SIGTERM of each', { boundMs: BOUNDS.service }, async (row, traders) => {
      for (const name of world.services) {
        const part = world.part(name);
        const code = await part.stop();
        if (code !== 0) row.wrong.push(`${name} ended with ${code}`);
        const from = Date.now();
        part.start();
        await part.ready(30_000);
        await traders.tradesOn(30_000);
        const backMs = Date.now() - from;
        row.backMs = Math.max(row.backMs, backMs);
        row.notes.push(`${name} ${backMs} ms`);
        checkTime(row, name, backMs, BOUNDS.service);
      }
      return Date.now();
    });
    if (world.mode === 'embedded') return;
    for (const service of [serviceTools.EDGE, ...servicesWithFault('owner')])
      await run.underLoad(`${service}: each of two at work`, { boundMs: BOUNDS.service }, async (row, traders) => {
        await sideBySide(world, row, traders, service, null);
        return Date.now();
      });
  },
};
