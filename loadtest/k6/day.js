// A mixed day: most people look, some trade, few move money, and all of it at once.
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import {
  commonOptions,
  handleSummary as summary,
  markets,
  outcomeOf,
  personOf,
  post,
  read,
  step,
  URL,
} from './flow.js';
import { deal } from './deals.js';
import { leverage, seconds } from './house.js';

const VUS = Number(__ENV.VUS);
export const options = {
  ...commonOptions,
  scenarios: { day: { executor: 'constant-vus', vus: VUS, duration: `${__ENV.SECONDS}s`, gracefulStop: '10s' } },
};

const readMs = new Trend('read_ms', true);
const publicMs = new Trend('public_ms', true);
const transferMs = new Trend('transfer_ms', true);
const reads = new Counter('reads_ok');
const readsRefused = new Counter('reads_refused');
const transfers = new Counter('transfers_ok');
const OWN = [
  ['/api/wallet/list'],
  ['/api/coin/list?page=1'],
  ['/api/user/info'],
  ['/api/coin/fills?page=1'],
  ['/api/wallet/hzhistory?page=1'],
  ['/api/statement/check'],
];

function look(turn) {
  const person = personOf(turn);
  const market = markets[Math.floor(Math.random() * markets.length)];
  let response;
  if (Math.random() < 0.6) {
    const body = `legal_id=${market.legal}&currency_id=${market.currency}`;
    response =
      Math.random() < 0.5
        ? http.post(`${URL}/api/transaction/deal`, body, {
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          })
        : http.post(`${URL}/api/quotation`, null);
    publicMs.add(response.timings.duration);
  } else {
    const [path] = OWN[Math.floor(Math.random() * OWN.length)];
    response = read(path, person, readMs);
  }
  (outcomeOf(response) === 'ok' ? reads : readsRefused).add(1);
}

let turn = 0;
/**
 * 57 % reads, 30 % orders and cancels, 4 % leverage, 3 % seconds contracts, 1 % C2C deals from taking to release, 5 %
 * transfers. Transfers are noted as
 * `transfer <person> <outcome> <id>`.
 */
export default function day() {
  turn += 1;
  const draw = Math.random();
  if (draw < 0.57) look(turn);
  else if (draw < 0.58) deal(turn);
  else if (draw < 0.88) step(turn);
  else if (draw < 0.92) leverage(turn);
  else if (draw < 0.95) seconds(turn);
  else {
    const person = personOf(turn);
    const [from, to] = Math.random() < 0.5 ? ['change', 'legal'] : ['change', 'micro'];
    const response = post(
      '/api/wallet/change',
      `currency_id=3&number=0.${String(1 + Math.floor(Math.random() * 999_999)).padStart(6, '0')}&from_field=${from}&to_field=${to}`,
      person,
    );
    transferMs.add(response.timings.duration);
    const outcome = outcomeOf(response);
    if (outcome === 'ok') transfers.add(1);
    console.log(`transfer ${person} ${outcome} ${/"id":"(\d+)"/.exec(response.body ?? '')?.[1] ?? '-'}`);
  }
}

export const handleSummary = summary;
