// Public data: quotations, books, candles and trades, and SOCKETS sockets that watch them. It needs no users and
// changes nothing, so an address is enough on any install, also one in production.
import exec from 'k6/execution';
import { Counter, Rate, Trend } from 'k6/metrics';
import { call } from './lib/calls.js';
import { judge } from './lib/judged.js';
import {
  bookProblems,
  candleProblem,
  candleProblems,
  groupProblems,
  quotationProblems,
  tradeProblems,
} from './lib/looks.js';
import { ALMOST_ALL, optionsOf, P99, paced } from './lib/run.js';
import { number, SECONDS } from './lib/settings.js';
import { socketThresholds, watchStream } from './lib/stream.js';
import { enter, markets, pick, prepare } from './lib/world.js';

export { handleSummary } from './lib/run.js';

/**
 * @typedef {import('./lib/world.js').World} World
 * @typedef {import('./lib/markets.js').Market} Market
 * @typedef {{ ask: (market: Market) => import('./lib/calls.js').Question,
 *   look: (body: any, market: Market) => string[] }} Look
 */

const SOCKETS = number('SOCKETS', 4);
const CHANNELS = /** @type {const} */ (['trades', 'depth', 'daymarket', 'kline']);
const HOUR_SECONDS = 3600;

export const options = optionsOf(
  {
    read: paced(20),
    ...(SOCKETS > 0 && {
      watch: {
        executor: 'per-vu-iterations',
        vus: SOCKETS,
        iterations: 1,
        maxDuration: `${SECONDS + 10}s`,
        exec: 'watch',
      },
    }),
  },
  {
    reconciles: false,
    thresholds: {
      public_ms: [`p(99)<${P99}`],
      reads_ok: ALMOST_ALL,
      wrong_reads: ['count==0'],
      ...(SOCKETS > 0 && socketThresholds(SOCKETS)),
    },
  },
);

const publicMs = new Trend('public_ms', true);
const reads = new Rate('reads_ok');
const wrong = new Counter('wrong_reads');
const pushes = new Counter('pushes_received');

/** @type {Look[]} one after the other: a rate counts each path of an address by itself */
const LOOKS = [
  {
    ask: () => ({ method: 'POST', path: '/api/quotation' }),
    look: ({ message }, { symbol }) => quotationProblems(message.coin_list, symbol),
  },
  {
    ask: () => ({ method: 'GET', path: '/api/quotation_new' }),
    look: ({ message }, { symbol }) => groupProblems(message, symbol),
  },
  {
    ask: ({ legal, currency }) => ({
      method: 'POST',
      path: '/api/transaction/deal',
      fields: { legal_id: legal, currency_id: currency },
    }),
    look: ({ message }) => bookProblems(message),
  },
  {
    ask: ({ symbol }) => {
      const to = Math.floor(Date.now() / 1000);
      return {
        method: 'GET',
        path: '/api/currency/new_timeshar',
        fields: { symbol, period: '1min', from: to - HOUR_SECONDS, to },
      };
    },
    look: ({ data }, { symbol }) => candleProblems(data, symbol),
  },
  {
    ask: ({ symbol }) => {
      const [base, quote] = symbol.split('/');
      return {
        method: 'POST',
        path: '/api/market/get_current',
        fields: { base_currency: base, quote_currency: quote, period: '1min' },
      };
    },
    look: ({ message }, { symbol }) => candleProblem(message, symbol),
  },
  {
    ask: ({ legal, currency }) => ({
      method: 'GET',
      path: '/api/market/trades',
      fields: { legal_id: legal, currency_id: currency },
    }),
    look: ({ message }, { symbol }) => tradeProblems(message.list, symbol),
  },
];

export const setup = () => prepare({ symbols: 'all', nobody: true });

let turn = 0;
/** @param {World} data */
export default function read(data) {
  enter(data);
  const market = pick(markets());
  const { ask, look } = LOOKS[(turn += 1) % LOOKS.length];
  const response = call(ask(market));
  const outcome = judge(response, publicMs, 'a read');
  reads.add(outcome === 'ok');
  if (outcome !== 'ok') return;
  for (const problem of look(response.json(), market)) {
    wrong.add(1);
    console.error(`WRONG: ${problem}`);
  }
}

/**
 * One socket of a guest: the channels one after the other, each of some market.
 * @param {World} data
 */
export function watch(data) {
  enter(data);
  const { symbol } = pick(markets());
  const channel = CHANNELS[exec.scenario.iterationInTest % CHANNELS.length];
  watchStream({ channel, symbol, seconds: SECONDS, onMessage: () => pushes.add(1) });
}
