// The scenarios. Each gets a running exchange and returns rows; the runner starts, seeds, reconciles and reports.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startProcess, waitFor } from '../tools/lib/processes.mjs';
import { expire } from './expiry.mjs';
import { runK6 } from './lib/k6.mjs';
import { cpuSeconds } from './lib/proc.mjs';
import { difference, row, sum } from './lib/results.mjs';

const GOALS = {
  embedded: {
    ordersPerSecond: 2000,
    p50: 10,
    p99: 50,
    socketP99: 100,
    restartMs: 5000,
    idleMb: 600,
    loadMb: 1500,
    startMs: 15_000,
    expirySeconds: 2,
  },
  distributed: {
    ordersPerSecond: 1000,
    p50: 30,
    p99: 120,
    socketP99: 200,
    restartMs: 10_000,
    expirySeconds: 5,
  },
  // An exchange that runs already, on whatever machine: nothing is expected of it but that it agrees.
  given: {},
};
const SETTLE_MS = 1000;
const trend = (metrics, name) => metrics[name]?.values ?? { count: 0 };
const count = (metrics, name) => metrics[name]?.values.count ?? 0;
const HOT = (markets) => markets.slice(0, 1);
const ALL = (markets) => markets;

/**
 * Runs one k6 script and measures the exchange meanwhile. `generator`: another process that belongs to the load.
 * `world`: { stand, k6, folder, users, tokens, markets, run, notes }. The processes of an external exchange are
 * unknown: the runner then omits rows of CPU and memory.
 */
async function load(world, script, env, { markets = HOT, vus = 64, seconds, generator }) {
  const { stand } = world;
  const others = () => (generator === undefined ? 0 : (cpuSeconds(generator) ?? 0));
  const before = stand.cpu();
  const othersBefore = others();
  let peak = 0;
  let looks = 0;
  const result = await runK6(world.k6, script, {
    folder: world.folder,
    env: {
      BASE_URL: stand.url,
      TOKENS: world.tokens,
      USERS: String(world.users),
      MARKETS: JSON.stringify(markets(world.markets)),
      RUN: `${world.run}${(world.serial = (world.serial ?? 0) + 1)}`,
      VUS: String(vus),
      SECONDS: String(seconds),
      ...env,
    },
    onSample: () => {
      if ((looks += 1) % 8 === 0) peak = Math.max(peak, sum(stand.memory()));
    },
  });
  world.notes.push(result.notes);
  // Accepted commands are settled within this time; the cost of the auditor, which runs next, must not count as the
  // load's.
  await sleep(SETTLE_MS);
  const cpu = difference(stand.cpu(), before);
  const settledIn = SETTLE_MS + (await world.settle());
  const used = sum(cpu);
  const generating = result.cpuSeconds + others() - othersBefore;
  const taken = count(result.metrics, 'orders_ok') + count(result.metrics, 'cancels_ok');
  return { ...result, cpu, used, taken, settledIn, peakMb: peak, generatorShare: generating / (used + generating) };
}

const parts = (cpu, commands) =>
  Object.entries(cpu)
    .filter(([, seconds]) => seconds > 0.05)
    .map(([name, seconds]) => `${name} ${((seconds * 1000) / Math.max(1, commands)).toFixed(2)}`)
    .join(', ');

/** Rows that every order flow has. */
function flowRows(name, seconds, one, goals = {}) {
  const { metrics } = one;
  const ok = count(metrics, 'orders_ok');
  const order = trend(metrics, 'order_ms');
  const cancels = trend(metrics, 'cancel_ms');
  return [
    row(`${name}: orders accepted`, ok / seconds, '/s', {
      goal: goals.ordersPerSecond,
      note: `${ok} orders; with cancels ${Math.round(one.taken / seconds)} commands/s`,
    }),
    row(`${name}: order answer p50`, order.med, 'ms', { goal: goals.p50, atMost: true }),
    row(`${name}: order answer p95`, order['p(95)'], 'ms'),
    row(`${name}: order answer p99`, order['p(99)'], 'ms', {
      goal: goals.p99,
      atMost: true,
      note: `longest ${Math.round(order.max)} ms`,
    }),
    ...(cancels.count > 0
      ? [row(`${name}: cancel answer p99`, cancels['p(99)'], 'ms', { note: `p50 ${cancels.med?.toFixed(1)} ms` })]
      : []),
    row(`${name}: CPU a command`, (one.used * 1000) / Math.max(1, one.taken), 'ms', {
      note: parts(one.cpu, one.taken),
    }),
    row(`${name}: generator's share of the CPU`, one.generatorShare * 100, '%'),
    row(`${name}: settled and audited after the last answer`, one.settledIn, 'ms', {
      note: `${SETTLE_MS} ms of them a pause`,
    }),
    row(`${name}: memory under load`, one.peakMb, 'MB', {
      goal: goals.loadMb,
      atMost: true,
      note: 'proportional share of all processes',
    }),
    ...(count(metrics, 'orders_refused') + count(metrics, 'orders_unknown') > 0
      ? [
          row(
            `${name}: orders refused or unanswered`,
            count(metrics, 'orders_refused') + count(metrics, 'orders_unknown'),
            '',
            { note: `${count(metrics, 'orders_unknown')} unanswered` },
          ),
        ]
      : []),
  ];
}

/** As fast as the connections go, then at half of that rate, where answers are checked. */
async function flow(world, markets, goals, env = {}) {
  const seconds = world.seconds;
  const { p50, p99, ...most } = goals;
  // A short warm-up run first: code that is not yet compiled is not representative.
  await load(world, 'orders', { SHAPE: 'most', ...env }, { markets, seconds: Math.min(5, seconds) });
  const fast = await load(world, 'orders', { SHAPE: 'most', ...env }, { markets, seconds });
  const rate = Math.max(10, Math.round(fast.taken / seconds / 2));
  const half = await load(world, 'orders', { SHAPE: 'rate', RATE: String(rate), ...env }, { markets, seconds });
  return [...flowRows('full load', seconds, fast, most), ...flowRows('half load', seconds, half, { p50, p99 })];
}

export const SCENARIOS = {
  orders: {
    what: 'order flow on one market, full and half load',
    users: 1000,
    seconds: 15,
    run: (world) => flow(world, HOT, GOALS[world.mode]),
  },
  keyed: {
    what: 'order flow on one market, each command with a key',
    users: 1000,
    seconds: 15,
    run: (world) => flow(world, HOT, {}, { IDEMPOTENT: '1' }),
  },
  many: {
    what: 'order flow over all nine markets',
    users: 1000,
    seconds: 15,
    run: (world) => flow(world, ALL, GOALS[world.mode]),
  },
  bursts: {
    what: 'order flow in bursts of 200 ms a second',
    users: 1000,
    seconds: 15,
    run: async (world) =>
      flowRows(
        'bursts',
        world.seconds,
        await load(world, 'orders', { SHAPE: 'bursts' }, { seconds: world.seconds, vus: 200 }),
      ),
  },
  day: {
    what: 'a mixed day: reads, orders, leverage, seconds contracts, C2C deals, transfers, with the makers on',
    users: 1000,
    seconds: 20,
    maker: true,
    run: async (world) => {
      const one = await load(world, 'day', {}, { markets: ALL, seconds: world.seconds });
      const timed = (name, key) => {
        const { med, count: n, ...rest } = trend(one.metrics, key);
        return row(`${name} p99`, rest['p(99)'], 'ms', {
          note: `${Math.round(n / world.seconds)}/s, p50 ${med?.toFixed(1)} ms`,
        });
      };
      return [
        timed('public reads', 'public_ms'),
        timed('own reads', 'read_ms'),
        timed('transfers', 'transfer_ms'),
        timed('leverage', 'lever_ms'),
        timed('seconds contracts', 'micro_ms'),
        timed('C2C deals', 'deal_ms'),
        ...flowRows('orders of the day', world.seconds, one),
        row('reads refused', count(one.metrics, 'reads_refused'), ''),
      ];
    },
  },
  sockets: {
    what: '1,000 sockets that watch one market trade',
    users: 200,
    seconds: 20,
    clients: 1000,
    rate: 10,
    run: async (world) => {
      const watchers = await startWatchers(world);
      const one = await load(
        world,
        'orders',
        { SHAPE: 'trades', RATE: String(world.rate) },
        { seconds: world.seconds, vus: 20, generator: watchers.pid },
      );
      const seen = await watchers.end();
      world.check(seen.connected === world.clients, `${seen.connected} of ${world.clients} sockets subscribed`);
      world.check(seen.lost === 0, `${seen.lost} sockets were lost`);
      world.check(seen.gaps === 0, `${seen.gaps} gaps in the numbers of trades`);
      world.check(
        seen.count >= world.clients * world.rate * world.seconds * 0.9,
        `only ${seen.count} trades reached clients`,
      );
      return [
        row('clients', seen.connected, ''),
        row('trades to clients', seen.count / world.seconds, '/s', {
          note: `${world.rate} trades/s, each to ${world.clients} clients`,
        }),
        row('trade to client p50', seen.p50, 'ms'),
        row('trade to client p95', seen.p95, 'ms'),
        row('trade to client p99', seen.p99, 'ms', {
          goal: GOALS[world.mode].socketP99,
          atMost: true,
          note: `longest ${seen.max} ms; all clients receive on the same cores`,
        }),
        row('CPU of the exchange', (one.used / world.seconds) * 100, '% of a core', {
          note: `ms a message: ${parts(one.cpu, seen.count)}`,
        }),
        row("generator's share of the CPU", one.generatorShare * 100, '%'),
        row('memory under load', one.peakMb, 'MB'),
      ];
    },
  },
  signin: {
    what: 'a storm of sign-ins',
    users: 2000,
    seconds: 15,
    run: async (world) => {
      const one = await load(world, 'signin', {}, { seconds: world.seconds, vus: 16 });
      const times = trend(one.metrics, 'signin_ms');
      const ok = count(one.metrics, 'signins_ok');
      world.check(ok > 0, 'nobody was signed in');
      world.check(
        count(one.metrics, 'tokens_wrong') === 0,
        `${count(one.metrics, 'tokens_wrong')} tokens were not their people's`,
      );
      world.check(
        count(one.metrics, 'signins_refused') === 0,
        `${count(one.metrics, 'signins_refused')} right passwords were refused`,
      );
      return [
        row('sign-ins', ok / world.seconds, '/s', { note: 'each hashes 19 MiB of argon2id' }),
        row('sign-in p50', times.med, 'ms'),
        row('sign-in p99', times['p(99)'], 'ms'),
        row('turned away as busy', count(one.metrics, 'signins_busy'), '', { note: '503: nothing was done' }),
        row('CPU a sign-in', (one.used * 1000) / Math.max(1, ok), 'ms'),
        row("generator's share of the CPU", one.generatorShare * 100, '%'),
      ];
    },
  },
  soak: {
    what: 'half load for --duration; memory at the start and at the end',
    users: 1000,
    seconds: 120,
    rate: 500,
    run: async (world) => {
      const pieces = 4;
      const seconds = Math.max(5, Math.floor(world.seconds / pieces));
      const rows = [];
      for (let piece = 1; piece <= pieces; piece += 1) {
        const one = await load(world, 'orders', { SHAPE: 'rate', RATE: String(world.rate) }, { markets: ALL, seconds });
        rows.push(
          row(`part ${piece} of ${pieces}: order answer p99`, trend(one.metrics, 'order_ms')['p(99)'], 'ms'),
          row(`part ${piece} of ${pieces}: CPU a command`, (one.used * 1000) / Math.max(1, one.taken), 'ms'),
          row(`part ${piece} of ${pieces}: memory`, sum(world.stand.memory()), 'MB'),
        );
      }
      return rows;
    },
  },
  scale: {
    what: 'the same flow at 1×, 2× and 4× of people, markets and open orders',
    users: 1600,
    seconds: 10,
    run: async (world) => {
      const all = world.users;
      const rows = [];
      const costs = [];
      await load(world, 'orders', { SHAPE: 'most' }, { seconds: 5 });
      let open = 0;
      for (const times of [1, 2, 4]) {
        const markets = (list) => list.slice(0, 2 * times);
        world.users = (all * times) / 4;
        const wanted = 4000 * times;
        await load(world, 'orders', { SHAPE: 'fill', COUNT: String(wanted - open) }, { markets, seconds: 0 });
        open = wanted;
        const one = await load(world, 'orders', { SHAPE: 'rate', RATE: '600' }, { markets, seconds: world.seconds });
        costs.push((one.used * 1000) / one.taken);
        rows.push(
          row(`${times}×: CPU a command`, costs.at(-1), 'ms', {
            note:
              `${world.users} people, ${2 * times} markets, ${wanted} open orders and more; ` +
              `${Math.round(one.taken / world.seconds)} commands/s; ${parts(one.cpu, one.taken)}`,
          }),
        );
      }
      world.users = all;
      return [
        ...rows,
        row('4× against 1×', (costs[2] / costs[0] - 1) * 100, '%', {
          goal: 20,
          atMost: true,
          note: 'cost of a command',
        }),
      ];
    },
  },
  expiry: {
    what: '10,000 seconds contracts that expire in one second: until each is settled, and booked',
    // It sets the expiry of all contracts that run.
    embeddedOnly: true,
    users: 1000,
    seconds: 0,
    orders: 10_000,
    run: async (world) => {
      const cpuBefore = world.stand.cpu();
      const one = await expire({ ...world, count: world.orders });
      world.notes.push(one.notes);
      await world.settle();
      const used = difference(world.stand.cpu(), cpuBefore);
      return [
        row('settled', one.settledIn, 's', {
          goal: GOALS[world.mode].expirySeconds,
          atMost: true,
          note: `${one.running} contracts, from the second in which they expire: ${one.results}`,
        }),
        row('settled and booked', one.bookedIn, 's', { note: 'the ledger has booked each' }),
        row('taken', one.running / one.takenIn, '/s', {
          note: `CPU of all of it, ms each: ${parts(used, one.running)}`,
        }),
      ];
    },
  },
  restart: {
    what: 'SIGKILL with 100,000 open orders, then the time to the first order',
    users: 1000,
    seconds: 0,
    orders: 100_000,
    embeddedOnly: true,
    run: async (world) => {
      const one = await load(
        world,
        'orders',
        { SHAPE: 'fill', COUNT: String(world.orders) },
        { markets: ALL, seconds: 0 },
      );
      const placed = count(one.metrics, 'orders_ok');
      await world.stand.kill();
      const begun = Date.now();
      const starting = world.stand.start();
      const first = await firstOrder(world);
      await starting;
      return [
        row('open orders', placed, '', { note: `placed over HTTP at ${Math.round(placed / one.seconds)}/s` }),
        row('SIGKILL to first order', first - begun, 'ms', {
          goal: GOALS[world.mode].restartMs,
          atMost: true,
          note: 'recovery of the database, books, holds and the process start are in it',
        }),
      ];
    },
  },
  memory: {
    what: 'the memory of the whole exchange, idle and under load',
    users: 1000,
    seconds: 20,
    maker: true,
    run: async (world) => {
      const idle = world.idleMb;
      const one = await load(world, 'day', {}, { markets: ALL, seconds: world.seconds });
      return [
        row('start to ready', world.startMs, 'ms', {
          goal: GOALS[world.mode].startMs,
          atMost: true,
          note: 'built before, a data folder of its own made again',
        }),
        row('idle', sum(idle), 'MB', {
          goal: GOALS[world.mode].idleMb,
          atMost: true,
          note: Object.entries(idle)
            .map(([name, mb]) => `${name} ${Math.round(mb)}`)
            .join(', '),
        }),
        row('under load', one.peakMb, 'MB', {
          goal: GOALS[world.mode].loadMb,
          atMost: true,
          note: 'a mixed day, makers on',
        }),
      ];
    },
  },
};

/** Starts the sockets that watch the first market; `end()` returns what they received. */
async function startWatchers({ stand, tokens, clients, markets, folder }) {
  const handle = startProcess(process.execPath, [fileURLToPath(new URL('./watchers.mjs', import.meta.url))], {
    name: 'watchers',
    env: { ...process.env, URL: stand.url, TOKENS: tokens, CLIENTS: String(clients), SYMBOL: markets[0].symbol },
    cwd: folder,
  });
  let said = '';
  for (const output of [handle.child.stdout, handle.child.stderr])
    output.on('data', (chunk) => {
      said += chunk;
    });
  await waitFor(() => said.includes('READY\n'), { timeoutMs: 120_000, what: 'the sockets to subscribe', handle });
  return {
    pid: handle.pid,
    end: async () => {
      await handle.stop();
      return JSON.parse(said.slice(said.indexOf('READY\n') + 'READY\n'.length));
    },
  };
}

/** Tries an order every 20 ms until one is accepted; returns when. */
async function firstOrder(world) {
  const [market] = world.markets;
  const body = `legal_id=${market.legal}&currency_id=${market.currency}&type=1&amount=0.01&target_price=50000.00`;
  for (const until = Date.now() + 120_000; Date.now() < until;) {
    try {
      const response = await fetch(`${world.stand.url}/api/coin/trade`, {
        method: 'POST',
        body,
        headers: { authorization: world.firstToken, 'content-type': 'application/x-www-form-urlencoded' },
        signal: AbortSignal.timeout(10_000),
      });
      if ((await response.json()).type === 'ok') return Date.now();
    } catch (error) {
      if (!['TypeError', 'TimeoutError', 'SyntaxError'].includes(error.name)) throw error; // it is not up yet
    }
    await sleep(20);
  }
  throw new Error('no order was accepted within two minutes after the restart');
}
