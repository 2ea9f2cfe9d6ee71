// What the scenarios of k6 share: people with tokens, markets, and orders whose outcome is written down line by line, so that afterwards the
// exchange can be compared with what its clients were told.
import http from 'k6/http';
import exec from 'k6/execution';
import { SharedArray } from 'k6/data';
import { Counter, Trend } from 'k6/metrics';

export const URL = __ENV.URL;
const RUN = __ENV.RUN;
const PEOPLE = Number(__ENV.USERS);
const ANSWER_TIMEOUT = '10s';

export const tokens = new SharedArray('tokens', () => JSON.parse(open(__ENV.TOKENS)).map(({ token }) => token));
/** Markets as [{ legal, currency, mid, priceScale, numberScale, lots }]: first price in ticks, an order's size in lots. */
export const markets = JSON.parse(__ENV.MARKETS);

export const orderMs = new Trend('order_ms', true);
export const cancelMs = new Trend('cancel_ms', true);
export const accepted = new Counter('orders_ok');
export const refused = new Counter('orders_refused');
export const unknown = new Counter('orders_unknown');
export const cancelled = new Counter('cancels_ok');

const headers = (token) => ({
  headers: { authorization: token, 'content-type': 'application/x-www-form-urlencoded' },
  timeout: ANSWER_TIMEOUT,
});
const parameters = [];
const parametersOf = (person) => (parameters[person] ??= headers(tokens[person]));
/** With KEYS=1 each command carries a key of its own, as those of the terminal do: its answer is kept, and given again to who repeats it. */
const keyed = (person, key) => {
  const plain = parametersOf(person);
  return __ENV.KEYS === '1' ? { ...plain, headers: { ...plain.headers, 'idempotency-key': key } } : plain;
};

/** The person of this turn: the virtual users share all people among them, so that none of them waits for another's limit. */
export function personOf(turn) {
  const vus = Number(__ENV.VUS);
  const own = Math.max(1, Math.floor(PEOPLE / vus));
  return (((exec.vu.idInTest - 1) % vus) + vus * (turn % own)) % PEOPLE;
}

const KEY = /"key":"([^"]+)"/;
const ID = /"id":"(\d+)"/;
/** How an answer is to be understood: `ok`, `refused:<key>`, or `unknown` when nothing final was said. */
export function outcomeOf(response) {
  if (response.status === 200 && response.body.includes('"type":"ok"')) return 'ok';
  const key = response.body ? (KEY.exec(response.body)?.[1] ?? 'none') : 'none';
  // 503 says that nothing was done; pending, a defect and silence say nothing.
  if (
    (response.status === 200 && key !== 'common.processing') ||
    response.status === 503 ||
    response.status === 429 ||
    (response.status >= 400 && response.status < 500)
  )
    return `refused:${key}`;
  return 'unknown';
}

const decimal = (units, scale) => {
  const text = String(units).padStart(scale + 1, '0');
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
};
const expo = (mean) => -Math.log(1 - Math.random()) * mean;

let serial = 0;
/** Places an order and notes it: `order <name> <outcome> <id>`. Returns its id, or undefined. */
export function place(person, market, side, kind, ticks, lots) {
  const name = `${RUN}-${exec.vu.idInTest}-${(serial += 1)}`;
  const price = kind === 'market' ? '' : `&target_price=${decimal(ticks, market.priceScale)}`;
  const response = http.post(
    `${URL}/api/coin/trade`,
    `legal_id=${market.legal}&currency_id=${market.currency}&type=${side}&amount=${decimal(lots, market.numberScale)}&client_order_id=${name}${price}${kind === 'market' ? '&order_type=market' : ''}`,
    keyed(person, name),
  );
  orderMs.add(response.timings.duration);
  const outcome = outcomeOf(response);
  const id = outcome === 'ok' ? ID.exec(response.body)?.[1] : undefined;
  (outcome === 'ok' ? accepted : outcome === 'unknown' ? unknown : refused).add(1);
  console.log(`order ${name} ${outcome} ${id ?? '-'}`);
  return id;
}

/** Cancels an order and notes it: `cancel <id> <outcome>`. */
export function cancel(person, id) {
  const response = http.put(`${URL}/api/coin/trade`, `id=${id}`, keyed(person, `cancel-${id}`));
  cancelMs.add(response.timings.duration);
  const outcome = outcomeOf(response);
  if (outcome === 'ok') cancelled.add(1);
  console.log(`cancel ${id} ${outcome}`);
}

const open_ = [];
/** One step of the mix of the book's benchmark: 45 % resting adds, 35 % cancels, 10 % crossing limits, 10 % market orders. */
export function step(turn) {
  const person = personOf(turn);
  const market = markets[Math.floor(Math.random() * markets.length)];
  const side = Math.random() < 0.5 ? 1 : 2;
  const draw = Math.random();
  const size = sizeIn(market);
  if (draw >= 0.45 && draw < 0.8 && open_.length > 0) {
    const at = Math.floor(Math.random() * open_.length);
    const [owner, id] = open_[at];
    open_[at] = open_[open_.length - 1];
    open_.pop();
    cancel(owner, id);
  } else if (draw < 0.8) {
    rest(person, market, side, size);
  } else {
    const away = side === 1 ? 200 : -200;
    place(person, market, side, draw < 0.9 ? 'limit' : 'market', market.mid + away, size);
  }
}

/** From a fifth to twice of the market's usual size: never below the least value of an order. */
export const sizeIn = (market) => Math.ceil(market.lots * (0.2 + Math.random() * 1.8));

/** An order that rests up to 500 ticks from the middle. */
export function rest(person, market, side, size) {
  const away = 1 + Math.min(499, Math.floor(expo(90)));
  const id = place(person, market, side, 'limit', market.mid + (side === 1 ? -away : away), size);
  if (id !== undefined) open_.push([person, id]);
}

/** Reads a path as a signed-in person and notes how long it took. */
export function read(path, person, trend, method = 'GET', body = null) {
  const response = http.request(method, `${URL}${path}`, body, parametersOf(person));
  trend.add(response.timings.duration);
  return response;
}

export const post = (path, body, person) => http.post(`${URL}${path}`, body, parametersOf(person));

export const commonOptions = {
  summaryTrendStats: ['min', 'med', 'p(95)', 'p(99)', 'max', 'count'],
  systemTags: ['status', 'scenario'],
  discardResponseBodies: false,
  noUsageReport: true,
  setupTimeout: '60s',
};
/** Writes the summary where the runner wants it. */
export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data.metrics) };
}
