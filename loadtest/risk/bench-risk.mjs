// npm run bench:risk. The risk of all open positions, computed on each tick: the time of the index of lever-risk,
// compared with a check of every account, in one run on one core. The prices are those of a recorded crash, a hundred
// times as fast as they were. No database and no ledger: the core alone. Times are CPU time of the process with all its
// threads, so that others on the machine do not decide. Options: --positions N (100000), --people N (20000), --ticks N
// (600), --naive N (20), --built.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { draws } from '../lib/random.mjs';
import { round, row, table } from '../lib/results.mjs';
import { build, module, option, root } from '../pipeline/inside.mjs';

build();
const POSITIONS = option('positions', 100_000);
const PEOPLE = option('people', 20_000);
const TICKS = option('ticks', 600);
const NAIVE_TICKS = option('naive', 20);
/** design/performance: all positions of a market within this on one core. */
const GOAL_MS = 200;
const LIQUIDATION_RATE = 110_000_000n;
const SCALES = { priceScale: 2, numberScale: 6, quoteScale: 8 };
const [USDT, LOTS] = [3, 10_000n];

const [{ RiskBook, accountKey }, { dueAt }, { openingCost }] = await Promise.all([
  module('services/lever-risk/dist/domain/risk-book.js'),
  module('services/lever-risk/dist/domain/triggers.js'),
  module('libs/formulas/dist/lever.js'),
]);

/** Closes of the 1,440 minutes of 2021-05-19. */
function recordedPrices() {
  const folder = [process.env.MARKET_DATA_DIR, path.join(root, '..', 'shared', 'data')].find(
    (dir) => dir && existsSync(path.join(dir, 'candles')),
  );
  if (!folder) throw new Error('No recorded markets: MARKET_DATA_DIR must name their folder.');
  const text = gunzipSync(readFileSync(path.join(folder, 'candles', 'BTC-USDT_1m.csv.gz'))).toString();
  const day = Date.UTC(2021, 4, 19) / 1_000;
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .filter(([time]) => Number(time) >= day)
    .map(([, , , , close]) => {
      const [whole, fraction = ''] = close.split('.');
      return BigInt(whole + fraction.padEnd(2, '0').slice(0, 2));
    });
}

/** Long and short, multiples of 10 to 50, a quarter with a stop or a target; balances as large as the margins. */
function peopleAt(price) {
  const draw = draws(20_210_519);
  const pick = (list) => list[Math.floor(draw() * list.length)];
  const part = (percent) => (price * BigInt(Math.round((draw() * 2 - 1) * percent * 1_000))) / 100_000n;
  const accounts = Array.from({ length: PEOPLE }, (_, index) => ({
    userId: index + 1,
    quote: USDT,
    version: 1,
    balance: 0n,
    positions: [],
  }));
  for (let number = 0; number < POSITIONS; number += 1) {
    const account = accounts[number % PEOPLE];
    const opened = price + part(2);
    const lots = LOTS * BigInt(1 + Math.floor(draw() * 20));
    const direction = draw() < 0.6 ? 'long' : 'short';
    const leverage = pick([10, 20, 50]);
    const { margin, contractValue } = openingCost(SCALES, opened, lots, BigInt(leverage), 0n);
    const away = price / 20n + part(4);
    const guarded = draw();
    account.positions.push({
      id: String(number + 1),
      userId: account.userId,
      pairId: 1,
      quote: USDT,
      scales: SCALES,
      direction,
      status: 1,
      price: opened,
      originPrice: opened,
      lots,
      notional: contractValue,
      margin,
      initialMargin: margin,
      liquidationRate: LIQUIDATION_RATE,
      leverage,
      target: guarded < 0.12 ? price + (direction === 'long' ? away : -away) : 0n,
      stop: guarded > 0.87 ? price - (direction === 'long' ? away : -away) : 0n,
      closeProfits: 0n,
      unpaidOvernightFee: 0n,
    });
    account.balance += (margin * BigInt(Math.floor(draw() * 200) + 60)) / 100n;
  }
  return accounts;
}

const fits = (marks) => ({ trading: marks, liquidating: marks });
/** Returns the account after the proposed actions. An account that has lost everything starts again at the mark. */
function after({ account, due }, mark) {
  const gone = new Set(due.closes.map(({ position }) => position.id));
  const left = account.positions.filter(({ id }) => !gone.has(id));
  const positions = left.length > 0 ? left : account.positions.map((one) => openedAt(one, mark));
  return { ...account, version: account.version + 1, positions };
}
function openedAt(position, mark) {
  const { margin, contractValue } = openingCost(SCALES, mark, position.lots, BigInt(position.leverage), 0n);
  return {
    ...position,
    price: mark,
    originPrice: mark,
    notional: contractValue,
    margin,
    initialMargin: margin,
    target: 0n,
    stop: 0n,
  };
}
const memoryMb = () => {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: Math.round(heapUsed / 2 ** 20), rss: Math.round(rss / 2 ** 20) };
};
/** CPU time of the process so far, in milliseconds. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]);
  return { p50: at(0.5), p99: at(0.99), max: round(sorted.at(-1)) };
}

const prices = recordedPrices();
const start = prices[0];
const steps = Array.from({ length: TICKS }, (_, n) => prices[Math.floor((n * prices.length) / TICKS)]);
const accounts = peopleAt(start);

const book = new RiskBook();
const known = new Map(accounts.map((account) => [accountKey(account), account]));
for (const account of accounts) book.put(account);
// Frees the accounts, which are replaced later.
accounts.length = 0;
const times = [];
const naive = [];
const memory = [];
let [liquidated, stopped, differences] = [0, 0, 0];
/**
 * At each tick the index returns the due accounts; at some ticks a check of every account is timed beside it and must
 * agree.
 */
for (const [n, price] of steps.entries()) {
  const marks = new Map([[1, price]]);
  const began = cpuMs();
  const proposals = book.tick([1], marks, fits(marks), LIQUIDATION_RATE);
  times.push(cpuMs() - began);
  if (n % Math.max(1, Math.floor(TICKS / NAIVE_TICKS)) === 0) {
    const from = cpuMs();
    const due = [...known.values()].filter(({ balance, positions }) => {
      const { opens, closes } = dueAt(balance, positions, fits(marks), LIQUIDATION_RATE);
      return opens.length + closes.length > 0;
    });
    naive.push(cpuMs() - from);
    const proposed = new Set(proposals.map(({ account }) => accountKey(account)));
    if (due.length !== proposed.size || due.some((account) => !proposed.has(accountKey(account)))) differences += 1;
    memory.push(memoryMb());
  }
  for (const proposal of proposals) {
    const next = after(proposal, price);
    if (proposal.due.closes.length === proposal.account.positions.length) liquidated += 1;
    else stopped += 1;
    known.set(accountKey(next), next);
    book.put(next);
  }
}
// With the first tick the index is built: each account is judged once.
const [built, ...later] = times;
const index = spread(later);
const rows = [
  row('longest tick after the first', index.max, 'ms', {
    goal: GOAL_MS,
    atMost: true,
    note:
      `${later.length} ticks, p50 ${index.p50} ms, p99 ${index.p99} ms; ` +
      `${liquidated} times an account was closed, ${stopped} times a part of one`,
  }),
  row('first tick, by which the index is built', built, 'ms', {
    goal: GOAL_MS,
    atMost: true,
    note: 'each account is judged once; it comes again when a share of the accounts changes its owner',
  }),
  row('check of every account instead', mean(naive), 'ms', {
    note: `mean of ${naive.length} in the same run; the index's mean is ${round(mean(later))} ms`,
  }),
  row('less work than checking every account', mean(naive) / mean(later), '×', {
    note: differences === 0 ? 'both found the same accounts each time' : `**${differences} differences**`,
  }),
  ...['heap', 'rss'].map((kind) =>
    row(kind === 'heap' ? 'heap at the end' : 'memory of the process at the end', memory.at(-1)[kind], 'MB', {
      note: `after the first tick ${memory[0][kind]}, halfway ${memory[memory.length >> 1][kind]}`,
    }),
  ),
];
console.log(table(rows));
const run = { at: new Date().toISOString(), node: process.version, positions: POSITIONS, people: PEOPLE };
const file = path.join(root, 'loadtest', 'risk', 'last-run.json');
writeFileSync(file, `${JSON.stringify({ ...run, rows }, null, 2)}\n`);
if (differences > 0 || index.max > GOAL_MS) process.exitCode = 1;
