import { setTimeout as sleep } from 'node:timers/promises';
import { BOUNDS, checkTime, type Fault, type Row } from './fault.js';
import type { Part } from './part.js';
import { previousBuild } from './previous-build.js';
import { serviceTools, servicesWithFault } from './tools.js';
import { until, type World } from './world.js';
import { call, type TradingLog } from '../integration/trading-log.js';

const START_MS = 60_000;
const SHARED_MS = 30_000;
/** Calls that are under way end, before an instance that nobody is sent to any more is stopped. */
const DRAIN_MS = 500;
/** A service with more partitions than one, and the consumer that its instances share. */
const SHARES: Readonly<Record<string, { readonly schema: string; readonly consumer: string }>> = {
  'wallet-ledger': { schema: 'ledger', consumer: 'ledger.writer' },
  'spot-matching': { schema: 'spot', consumer: 'spot.engine' },
};

interface Instance {
  readonly part: Part;
  readonly port: number;
}

/** How many partitions each instance owns, the largest first. */
async function shares(world: World, service: string): Promise<readonly number[]> {
  const share = SHARES[service];
  if (!share) return [];
  const rows = await world.sql<{ count: number }>(
    `select count(*)::int as count from ${share.schema}.owner
     where consumer = $1 and lease_until > now() group by owner order by 1 desc`,
    [share.consumer],
  );
  return rows.map(({ count }) => count);
}

/** Until the partitions of a service are shared out among so many instances. */
async function sharedOut(world: World, row: Row, service: string, instances: number): Promise<void> {
  if (!SHARES[service]) return;
  const partitions = (await shares(world, service)).reduce((sum, count) => sum + count, 0);
  const owners = Math.min(instances, Math.max(1, partitions));
  const took = await until(
    `${service} shared out among ${instances}`,
    async () => {
      const now = await shares(world, service);
      return now.length === owners && (now[0] ?? 0) - (now.at(-1) ?? 0) <= 1;
    },
    SHARED_MS,
  );
  row.notes.push(`${service} × ${instances}: ${(await shares(world, service)).join('+')} partitions after ${took} ms`);
}

async function grow(world: World, row: Row, service: string, to: number, more: Instance[]): Promise<void> {
  while (more.length + 1 < to) {
    const instance = await world.another(service, String(more.length + 2));
    more.push(instance);
    await instance.part.ready(START_MS);
    for (const way of world.waysTo(service)) way.more.add(instance.port);
  }
  await sharedOut(world, row, service, to);
}

async function shrink(world: World, row: Row, service: string, more: Instance[]): Promise<void> {
  for (let last = more.pop(); last; last = more.pop()) {
    const { part, port } = last;
    for (const way of world.waysTo(service)) way.more.delete(port);
    await sleep(DRAIN_MS);
    const code = await part.stop();
    if (code !== 0) row.wrong.push(`${part.name} ended with ${code}`);
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
  // Who is asked may be the one that was killed: then it was taken, or not.
  const answer = await call(world.url, 'POST', '/api/admin/partition', fields, token).catch(String);
  if (typeof answer === 'string' || answer.type !== 'ok') row.notes.push(`no answer to a move of ${symbol}`);
}

/** Until each pair is where it was sent, in its row and by its published book. */
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

/** Numbers of trades without holes, in the books and in what is shown of them. */
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
            // A command to move may be lost with the process that was asked: who moves looks, and asks again.
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

/** 17. A rolling upgrade: back to the version before, service by service, and forward again, while people trade. */
export const upgrade: Fault = {
  number: 17,
  code: 'FAULT-180',
  name: 'rolling upgrade from the version before, and back',
  modes: ['distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    const previous = previousBuild();
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
    await run.underLoad(`back: ${named} side by side`, { boundMs: BOUNDS.service }, (row, traders) =>
      roll(row, traders, (name) => previous.programFile(name)),
    );
    await run.underLoad(`forward: ${named} side by side`, { boundMs: BOUNDS.service }, (row, traders) =>
      roll(row, traders, () => null),
    );
  },
};
