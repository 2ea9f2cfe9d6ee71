// A mixed day: most users read, some trade, few move money, all at the same time.
import { Counter, Trend } from 'k6/metrics';
import { call } from './lib/calls.js';
import { deal, takeBack } from './lib/deals.js';
import { leverage, seconds } from './lib/house.js';
import { judge } from './lib/judged.js';
import { keep } from './lib/kept.js';
import { step, write } from './lib/orders.js';
import { idMade } from './lib/outcome.js';
import { dayPace, readAndTradePace } from './lib/pace.js';
import { USDT } from './lib/people.js';
import { reconcile as compare, settle } from './lib/reconcile.js';
import { ACCEPTED, optionsOf, P99, paced } from './lib/run.js';
import { ACCOUNTS, HEADS, KEYS, UNDER_HARNESS } from './lib/settings.js';
import { enter, markets, people, personOf, pick, prepare } from './lib/world.js';

export { handleSummary } from './lib/run.js';

/** @typedef {import('./lib/world.js').World} World */

/** Users that this run created have all rights; of others only the rights of a key are assumed. */
const hasRights = KEYS.length === 0 && ACCOUNTS.length === 0;

export const options = optionsOf(
  { day: paced((hasRights ? dayPace : readAndTradePace)(HEADS)) },
  {
    thresholds: {
      order_ms: [`p(99)<${P99}`],
      read_ms: [`p(99)<${P99}`],
      public_ms: [`p(99)<${P99}`],
      reads_ok: ['count>0'],
      orders_accepted: ACCEPTED,
    },
  },
);

const readMs = new Trend('read_ms', true);
const publicMs = new Trend('public_ms', true);
const transferMs = new Trend('transfer_ms', true);
const reads = new Counter('reads_ok');
const readsRefused = new Counter('reads_refused');
const transfers = new Counter('transfers_ok');
const OWN = [
  ['/api/wallet/list'],
  ['/api/coin/list', { page: 1 }],
  ['/api/coin/fills', { page: 1 }],
  ['/api/wallet/hzhistory', { page: 1 }],
  ['/api/statement/check'],
  // Paths that an API key may not read are last.
  ['/api/user/info'],
];
const own = KEYS.length > 0 ? OWN.slice(0, -1) : OWN;

export const setup = () => prepare({ symbols: 'all', pay: true });
export const teardown = settle;

/** @param {number} turn */
function look(turn) {
  let outcome;
  if (Math.random() < 0.6) {
    const market = pick(markets());
    const response = call(
      Math.random() < 0.5
        ? {
            method: 'POST',
            path: '/api/transaction/deal',
            fields: { legal_id: market.legal, currency_id: market.currency },
          }
        : { method: 'POST', path: '/api/quotation' },
    );
    outcome = judge(response, publicMs, 'a read');
  } else {
    const [path, fields] = /** @type {[string, import('./lib/calls.js').Fields?]} */ (pick(own));
    outcome = judge(call({ person: people()[personOf(turn)], method: 'GET', path, fields }), readMs, 'a read');
  }
  (outcome === 'ok' ? reads : readsRefused).add(1);
}

/**
 * Between two accounts of one person: `transfer <person> <outcome> <id>`.
 * @param {number} turn
 */
function transfer(turn) {
  const person = personOf(turn);
  const response = call({
    person: people()[person],
    method: 'POST',
    path: '/api/wallet/change',
    fields: {
      currency_id: USDT,
      number: `0.${String(1 + Math.floor(Math.random() * 999_999)).padStart(6, '0')}`,
      from_field: 'change',
      to_field: Math.random() < 0.5 ? 'legal' : 'micro',
    },
  });
  const outcome = judge(response, transferMs, 'a transfer');
  const id = idMade(outcome, response);
  if (outcome === 'ok') transfers.add(1);
  keep.listed('transfer', { person, outcome, id });
  write(`transfer ${person} ${outcome} ${id ?? '-'}`);
}

let turn = 0;
/**
 * 57 % reads, 30 % orders and cancels, 4 % leverage, 3 % seconds contracts, 1 % C2C deals from taking to release, 5 %
 * transfers. Outside the harness orders take the place of leverage and seconds contracts; with given accounts or keys
 * they take the place of everything but reads.
 * @param {World} data
 */
export default function day(data) {
  enter(data);
  turn += 1;
  const draw = Math.random();
  if (draw < 0.57) look(turn);
  else if (draw < 0.58 && hasRights && HEADS > 1) deal(turn);
  else if (draw < 0.88 || !hasRights) step(turn);
  else if (draw < 0.92 && UNDER_HARNESS) leverage(turn);
  else if (draw < 0.95 && UNDER_HARNESS) seconds(turn);
  else if (draw < 0.95) step(turn);
  else transfer(turn);
}

/** @param {World} data */
export function reconcile(data) {
  enter(data);
  takeBack();
  compare(data);
}
