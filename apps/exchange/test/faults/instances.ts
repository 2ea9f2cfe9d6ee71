import { setTimeout as sleep } from 'node:timers/promises';
import { BOUNDS, checkTime, isTooBusy, machineLoad, type Fault, type Row } from './fault.js';
import type { Part } from './part.js';
import { previousBuild } from './previous-build.js';
import { processes, serviceTools, servicesWithFault } from './tools.js';
import { until, type Instance, type World } from './world.js';
import { call, type TradingLog } from '../integration/trading-log.js';

const START_MS = 180_000;
const SHARED_MS = 30_000;
/** Open calls end before an instance without new traffic is stopped. */
const DRAIN_MS = 500;
/** How often a balancer asks an instance whether it is ready. */
const PROBE_MS = 100;
/** Serving time of an instance after SIGTERM: longer than the balancer takes to notice. */
const SERVE_SECONDS = '3';
/** A service with more partitions than one, and the consumer that its instances share. */
const SHARES: Readonly<Record<string, { readonly schema: string; readonly consumer: string }>> = {
  'wallet-ledger': { schema: 'ledger', consumer: 'ledger.writer' },
  'spot-matching': { schema: 'spot', consumer: 'spot.engine' },
};

/** Returns the number of partitions per instance, the largest first, and the number without an owner. */
async function shares(
  world: World,
  { schema, consumer }: { readonly schema: string; readonly consumer: string },
): Promise<{ readonly owned: readonly number[]; readonly free: number }> {
  const rows = await world.sql<{ owner: string | null; count: number }>(
    `select case when lease_until > now() then owner end as owner, count(*)::int as count
     from ${schema}.owner where consumer = $1 group by 1 order by 2 desc`,
    [consumer],
  );
  const owned = rows.filter(({ owner }) => owner !== null).map(({ count }) => count);
  return { owned, free: rows.find(({ owner }) => owner === null)?.count ?? 0 };
}

/** Until every partition of a service has an owner, and the instances have shares that differ by one at most. */
async function sharedOut(world: World, row: Row, service: string, instances: number): Promise<void> {
  const share = SHARES[service];
  if (!share) return;
  let now: readonly number[] = [];
  const took = await until(
    `${service} shared out among ${instances}`,
    async () => {
      const { owned, free } = await shares(world, share);
      now = owned;
      const partitions = owned.reduce((sum, count) => sum + count, 0);
      return (
        free === 0 && owned.length === Math.min(instances, partitions) && (owned[0] ?? 0) - (owned.at(-1) ?? 0) <= 1
      );
    },
    SHARED_MS,
  );
  row.notes.push(`${service} × ${instances}: ${now.join('+')} partitions after ${took} ms`);
}

/** Read-only calls of each service, forwarded by the edge. */
const QUESTIONS: Readonly<Record<string, readonly [string, string]>> = {
  gateway: ['GET', '/api/config'],
  auth: ['GET', '/api/country/list'],
  'wallet-ledger': ['GET', '/api/solvency/latest'],
  'spot-matching': ['GET', '/api/coin/list'],
  'market-data': ['GET', '/api/currency/quotation_new'],
  notices: ['POST', '/api/news/list'],
  'lever-risk': ['POST', '/api/lever/my_trade'],
  'micro-settlement': ['GET', '/api/microtrade/seconds'],
  'c2c-escrow': ['GET', '/api/legal/terms'],
  savings: ['GET', '/api/currency/lhDepositLists'],
  points: ['GET', '/api/jc/info'],
};
const AT_ONCE = 20;

/**
 * Each instance of a service gets calls of people: an instance that only reports ready takes no share of the load.
 * Callers keep their connections, so some time may pass (`INTERNAL_REQUESTS_MAX`).
 */
async function allAsked(world: World, row: Row, service: string, more: readonly Instance[]): Promise<void> {
  const question = QUESTIONS[service];
  if (!question) throw new Error(`nothing is known that people ask of ${service}`);
  const all = [world.first(service), ...more];
  const count = (one: Instance): number =>
    world.waysTo(service).reduce((sum, way) => sum + (way.asked.get(world.portOn(way, one)) ?? 0), 0);
  const before = all.map(count);
  const silent = (): Instance[] => all.filter((one, at) => count(one) <= (before[at] ?? 0));
  const token = String(
    (await call(world.url, 'POST', '/api/user/login', { user_string: 'trader3@demo.bourse', password: 'Harbor-2468' }))
      .message,
  );
  const from = Date.now();
  while (silent().length > 0 && Date.now() - from < SHARED_MS)
    await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        call(world.url, question[0], question[1], {}, token).catch(() => undefined),
      ),
    );
  if (silent().length > 0) row.wrong.push(`${silent().length} of ${all.length} instances of ${service} got no call`);
  else row.notes.push(`calls at all ${all.length} of ${service} after ${Date.now() - from} ms`);
}

/** Routes new connections to ready instances, as a balancer does; the returned function ends it. */
function followReady(world: World, service: string, more: readonly Instance[]): () => Promise<void> {
  let on = true;
  const done = (async () => {
    for (; on; await sleep(PROBE_MS))
      await Promise.all(
        [world.first(service), ...more].map(async (one) => {
          const ready = await processes.answers(one.part.options.readyUrl);
          for (const way of world.waysTo(service)) {
            if (ready) way.resting.delete(world.portOn(way, one));
            else way.resting.add(world.portOn(way, one));
          }
        }),
      );
  })();
  return async () => {
    on = false;
    await done;
    for (const way of world.waysTo(service)) way.resting.clear();
  };
}

/** Stops an instance in order and starts it again, of another version perhaps. */
async function replace(row: Row, part: Part, program: string | null): Promise<void> {
  const code = await part.stop();
  if (code !== 0) row.wrong.push(`${part.name} ended with ${code}`);
  part.program = program;
  part.start();
  await part.ready(START_MS);
}

/**
 * Two instances of one service at work at once, the second one of `program` (null: of this build); then the first is
 * replaced by one of `program` as well, and by this build again while the second works on. Then the second one goes.
 */
export async function sideBySide(
  world: World,
  row: Row,
  traders: TradingLog,
  service: string,
  program: string | null,
): Promise<void> {
  const more: Instance[] = [];
  const first = world.part(service);
  const unfollow = followReady(world, service, more);
  try {
    const second = await world.another(service, 'beside', { program });
    await second.part.ready(START_MS);
    more.push(second);
    world.join(service, second);
    const both = async (what: string): Promise<void> => {
      await sharedOut(world, row, service, 2);
      await allAsked(world, row, service, more);
      await goesOn(row, traders, `${service}: ${what}`);
    };
    await both('a second one beside it');
    await replace(row, first, program);
    await both('the first one replaced');
    await replace(row, first, null);
    await both('the first one as it was');
  } finally {
    await shrink(world, row, service, more);
    await unfollow();
  }
  await goesOn(row, traders, `${service} alone again`);
}

async function grow(world: World, row: Row, service: string, to: number, more: Instance[]): Promise<void> {
  while (more.length + 1 < to) {
    const instance = await world.another(service, String(more.length + 2));
    more.push(instance);
    await instance.part.ready(START_MS);
    world.join(service, instance);
  }
  await sharedOut(world, row, service, to);
}

async function shrink(world: World, row: Row, service: string, more: Instance[]): Promise<void> {
  for (let last = more.pop(); last; last = more.pop()) {
    world.leave(service, last);
    await sleep(DRAIN_MS);
    const code = await last.part.stop();
    if (code !== 0) row.wrong.push(`${last.part.name} ended with ${code}`);
  }
  await sharedOut(world, row, service, 1);
}

/** 16. Instances are added while people trade, up to four of a service, and taken away again. */
export const scaling: Fault = {
  number: 16,
  code: 'FAULT-170',
  name: 'instances come and go',
  modes: ['distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    const many = new Set([serviceTools.EDGE, ...servicesWithFault('owner')]);
    for (const service of [...many, ...world.services.filter((name) => !many.has(name))]) {
      const counts = many.has(service) ? [2, 4] : [2];
      await run.underLoad(
        `${service} 1 → ${counts.join(' → ')} → 1`,
        { boundMs: BOUNDS.service },
        async (row, traders) => {
          const more: Instance[] = [];
          try {
            for (const count of counts) {
              await grow(world, row, service, count, more);
              await allAsked(world, row, service, more);
              await goesOn(row, traders, `${count} of ${service}`);
            }
          } finally {
            await shrink(world, row, service, more);
          }
          await goesOn(row, traders, `1 of ${service}`);
          return Date.now();
        },
      );
    }
  },
};

/** 20. Two gateways behind a balancer are replaced one after the other without any effect on callers. */
export const gateways: Fault = {
  number: 20,
  code: 'FAULT-172',
  name: 'two gateways are replaced, and no call is lost',
  modes: ['distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    const service = serviceTools.EDGE;
    const first = world.part(service);
    const settings = { SHUTDOWN_SERVE_SECONDS: SERVE_SECONDS };
    const more: Instance[] = [];
    const restart = async (): Promise<void> => {
      await first.stop();
      first.start();
      await first.ready(START_MS);
    };
    first.settings = settings;
    await restart();
    const second = await world.another(service, '2', { settings });
    await second.part.ready(START_MS);
    more.push(second);
    world.join(service, second);
    const unfollow = followReady(world, service, more);
    try {
      const options = { boundMs: BOUNDS.service, resends: true };
      await run.underLoad('each of two, one after the other', options, async (row, traders) => {
        await allAsked(world, row, service, more);
        for (const part of [first, second.part, first]) {
          await replace(row, part, null);
          await sleep(1_000);
        }
        // Every answer so far was final: none unavailable, none lost, none that had to be queried.
        const { broken, unanswered, resent, why } = traders.tally();
        if (resent > 0) row.notes.push(`${resent} calls sent again`);
        // Each shutdown closes the keep-alive connections of a few clients, of which hardly one sends at that moment.
        if (resent > 6) row.wrong.push(`${resent} calls met a connection that was closed`);
        row.wrong.push(...[...broken, ...unanswered].slice(0, 20).map((one) => `${one} had no answer`));
        for (const key of ['common.unavailable', 'common.defect', 'common.paused']) {
          if (!why[key]) continue;
          const text = `${why[key]} calls were answered ${key}`;
          // A call that takes longer than 5 s is one too, whichever instance is replaced.
          if (key === 'common.unavailable' && isTooBusy())
            row.notes.push(`NOT CHECKED, the machine is too busy (${machineLoad()}): ${text}`);
          else row.wrong.push(text);
        }
        return Date.now();
      });
    } finally {
      world.leave(service, second);
      await second.part.stop();
      await unfollow();
      first.settings = {};
      await restart();
    }
  },
};

async function goesOn(row: Row, traders: TradingLog, what: string): Promise<void> {
  const from = Date.now();
  await traders.tradesOn(START_MS);
  const backMs = Date.now() - from;
  row.backMs = Math.max(row.backMs, backMs);
  checkTime(row, what, backMs, BOUNDS.service);
}

const BOOKS = 'spot-matching';
/** The market that the load trades on. */
const LOADED = 'BTC/USDT';
const MOVES = 12;
const MOVE_MS = 600;

interface Where {
  readonly partitions: number;
  readonly markets: readonly { readonly symbol: string; readonly partition: number }[];
}

async function operatorOf(world: World): Promise<string> {
  const { message } = await call(world.url, 'POST', '/api/admin/login', {
    username: 'operator',
    password: 'Harbor-2468',
  });
  return String(message);
}
const whereRun = async (world: World, token: string): Promise<Where> =>
  (await call(world.url, 'GET', '/api/admin/partitions', undefined, token)).message as unknown as Where;

async function moveTo(world: World, row: Row, token: string, symbol: string, partition: number): Promise<void> {
  const fields = { symbol, partition: String(partition), reason: 'a move under load' };
  // The called instance may be the killed one: then the command was accepted or not.
  const answer = await call(world.url, 'POST', '/api/admin/partition', fields, token).catch(String);
  if (typeof answer === 'string' || answer.type !== 'ok') row.notes.push(`no answer to a move of ${symbol}`);
}

/** Waits until each pair is at its target, in its row and by its published book. */
async function allAt(world: World, token: string, homes: ReadonlyMap<string, number>): Promise<void> {
  await until(
    'the pairs where they were sent',
    async () => {
      const rows = await world.sql<{ symbol: string; partition: number }>('select symbol, partition from spot.market');
      const { markets } = await whereRun(world, token);
      return [...homes].every(
        ([symbol, home]) =>
          rows.every((row) => row.symbol !== symbol || row.partition === home) &&
          markets.some((market) => market.symbol === symbol && market.partition === home),
      );
    },
    SHARED_MS,
  );
}

/** Checks that trade numbers have no gaps, in the books and in the public lists. */
async function numbersDiffer(world: World): Promise<string[]> {
  const counts = (): Promise<{ symbol: string; made: string; last: string; shown: string }[]> =>
    world.sql(
      `select m.symbol, m.trade_sequence as last,
          (select count(*) from spot.trades t where t.symbol = m.symbol) as made,
          (select count(*) from market.trade t join market.pair p on p.id = t.pair_id
            where p.symbol = m.symbol) as shown
        from spot.market m`,
    );
  const wrong = (rows: Awaited<ReturnType<typeof counts>>): string[] =>
    rows
      .filter(({ made, last, shown }) => made !== last || shown !== last)
      .map(({ symbol, made, last, shown }) => `${symbol} counts ${last} trades, has ${made} and shows ${shown}`);
  let found = wrong(await counts());
  for (const deadline = Date.now() + SHARED_MS; found.length > 0 && Date.now() < deadline;) {
    await sleep(500);
    found = wrong(await counts());
  }
  return found;
}

/** 18. Pairs are moved between partitions while people trade, with an instance that is killed amid the moves. */
export const moves: Fault = {
  number: 18,
  code: 'FAULT-171',
  name: 'pairs move between partitions',
  modes: ['distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    for (const killed of [false, true])
      await run.underLoad(
        `${BOOKS} × 2${killed ? ', one killed' : ''}`,
        { boundMs: BOUNDS.service },
        async (row, traders) => {
          const more: Instance[] = [];
          const token = await operatorOf(world);
          const { markets, partitions } = await whereRun(world, token);
          const first = new Map(markets.map(({ symbol, partition }) => [symbol, partition]));
          try {
            await grow(world, row, BOOKS, 2, more);
            const homes = new Map(first);
            for (let move = 0; move < MOVES; move += 1) {
              const symbol = move % 3 === 2 ? run.pick(markets).symbol : LOADED;
              const to = run.random(partitions);
              homes.set(symbol, to);
              await moveTo(world, row, token, symbol, to);
              if (killed && move % 4 === 1) {
                const part = move % 8 === 1 ? world.part(BOOKS) : more[0]!.part;
                part.kill();
                row.kills += 1;
              }
              await sleep(run.random(MOVE_MS));
            }
            await world.ready(START_MS);
            // A command to move may be lost with the called process: the caller checks, and retries.
            for (const [symbol, home] of homes) await moveTo(world, row, token, symbol, home);
            await allAt(world, token, homes);
            await goesOn(row, traders, 'the pairs elsewhere');
            const [passed] = await world.sql<{ count: string }>(
              `select count(*) as count from spot.outbox where topic = 'spot.commands'`,
            );
            row.notes.push(`${passed?.count} rows passed on`);
          } finally {
            for (const [symbol, home] of first) await moveTo(world, row, token, symbol, home);
            await allAt(world, token, first);
            await shrink(world, row, BOOKS, more);
          }
          await goesOn(row, traders, 'the pairs where they were');
          row.wrong.push(...(await numbersDiffer(world)));
          return Date.now();
        },
      );
  },
};

/**
 * 17. A rolling upgrade while people trade: an instance of the version before joins the edge and each service that owns
 * partitions, works beside this one, and takes over for a while; then service by service to the version before, and
 * forward again.
 */
export const upgrade: Fault = {
  number: 17,
  code: 'FAULT-180',
  name: 'rolling upgrade from the version before, and back',
  modes: ['distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    const previous = await previousBuild();
    const roll = async (row: Row, traders: TradingLog, program: (name: string) => string | null): Promise<void> => {
      for (const name of world.services) {
        const part = world.part(name);
        const code = await part.stop();
        if (code !== 0) row.wrong.push(`${name} ended with ${code}`);
        part.program = program(name);
        part.start();
        await part.ready(START_MS);
        await goesOn(row, traders, name);
      }
    };
    const named = `${previous.commit.slice(0, 8)} and this one`;
    for (const service of [serviceTools.EDGE, ...servicesWithFault('owner')])
      await run.underLoad(`${service}: two at work, ${named}`, { boundMs: BOUNDS.service }, async (row, traders) => {
        await sideBySide(world, row, traders, service, previous.programFile(service));
        return Date.now();
      });
    await run.underLoad(`back: ${named} side by side`, { boundMs: BOUNDS.service }, (row, traders) =>
      roll(row, traders, (name) => previous.programFile(name)),
    );
    await run.underLoad(`forward: ${named} side by side`, { boundMs: BOUNDS.service }, (row, traders) =>
      roll(row, traders, () => null),
    );
  },
};
