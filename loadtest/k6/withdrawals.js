// Withdrawals of the least amount on the simulated chain, RATE a second; beyond a day's limit they wait for operators.
// On demo installs only: elsewhere real money would leave, and the fund passwords are not known.
import { Counter, Rate, Trend } from 'k6/metrics';
import { call } from './lib/calls.js';
import { judge } from './lib/judged.js';
import { keep } from './lib/kept.js';
import { idMade } from './lib/outcome.js';
import { withdrawalsPace } from './lib/pace.js';
import { FUND, USDT } from './lib/people.js';
import { settle } from './lib/reconcile.js';
import { ALMOST_ALL, optionsOf, P99, steady } from './lib/run.js';
import { demoOnly, HEADS, number } from './lib/settings.js';
import { enter, people, personOf, prepare } from './lib/world.js';

export { reconcile } from './lib/reconcile.js';
export { handleSummary } from './lib/run.js';

/** @typedef {import('./lib/world.js').World} World */

const TRC20 = 4;
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const AMOUNT = '150';

export const options = optionsOf(
  { withdrawals: steady(number('RATE', withdrawalsPace(HEADS))) },
  { thresholds: { withdrawal_ms: [`p(99)<${P99}`], withdrawals_ok: ['count>0'], withdrawals_granted: ALMOST_ALL } },
);

const withdrawalMs = new Trend('withdrawal_ms', true);
const accepted = new Counter('withdrawals_ok');
const granted = new Rate('withdrawals_granted');

export function setup() {
  demoOnly('Withdrawals');
  return prepare({ symbols: 'BTC/USDT' });
}
export const teardown = settle;

let turn = 0;
/** @param {World} data */
export default function withdraw(data) {
  enter(data);
  const person = personOf((turn += 1));
  const response = call({
    person: people()[person],
    method: 'POST',
    path: '/api/wallet/out',
    fields: { address: ADDRESS, number: AMOUNT, currency: USDT, type: TRC20, pay_password: FUND },
  });
  const outcome = judge(response, withdrawalMs, 'a withdrawal');
  granted.add(outcome === 'ok');
  if (outcome === 'ok') accepted.add(1);
  keep.listed('withdrawal', { person, outcome, id: idMade(outcome, response) });
}
