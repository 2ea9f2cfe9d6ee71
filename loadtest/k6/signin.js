// Sign-in storm: people sign in as fast as VUS connections go, and each then proves that the token is theirs. The people
// are those of a demo install, or of ACCOUNTS; with API keys nobody signs in.
import { check } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { outcomeOf } from './lib/calls.js';
import { most, optionsOf, P99 } from './lib/run.js';
import { ACCOUNTS, BASE_URL, KEYS, number, UNDER_HARNESS } from './lib/settings.js';
import { prepare } from './lib/world.js';

export { handleSummary } from './lib/run.js';

/** @typedef {import('./lib/world.js').World} World */

const PASSWORD = 'Harbor-2468';
/** How many people the harness has seeded. */
const SEEDED = number('USERS', 1);

export const options = optionsOf(
  { storm: most() },
  {
    thresholds: { signin_ms: [`p(99)<${P99}`], signins_ok: ['count>0'], tokens_wrong: ['count==0'] },
    reconciles: false,
  },
);

const signInMs = new Trend('signin_ms', true);
const ok = new Counter('signins_ok');
const busy = new Counter('signins_busy');
const refused = new Counter('signins_refused');
const wrongToken = new Counter('tokens_wrong');
const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, timeout: '10s' };

export function setup() {
  if (KEYS.length > 0) throw new Error('API keys do not sign in: give -e ACCOUNTS=<file of account,password>.');
  return prepare({ poor: true });
}

/**
 * @param {World} data
 * @returns {{ account: string, password: string }}
 */
function someone({ people }) {
  const turn = exec.scenario.iterationInTest;
  if (UNDER_HARNESS) return { account: `load${(turn % SEEDED) + 1}@demo.bourse`, password: PASSWORD };
  if (ACCOUNTS.length > 0) return ACCOUNTS[turn % ACCOUNTS.length];
  return { account: String(people[turn % people.length].account), password: PASSWORD };
}

/** @param {World} data */
export default function signIn(data) {
  const { account, password } = someone(data);
  const response = http.post(
    `${BASE_URL}/api/user/login`,
    `user_string=${encodeURIComponent(account)}&password=${encodeURIComponent(password)}`,
    form,
  );
  signInMs.add(response.timings.duration);
  const outcome = outcomeOf(response);
  check(response, { 'a sign-in has a final answer': () => outcome !== 'unknown' });
  if (outcome !== 'ok') {
    // 429: this account or address has signed in often enough for now.
    (response.status === 503 || response.status === 429 ? busy : refused).add(1);
    return;
  }
  ok.add(1);
  const { message: token, id } = /** @type {any} */ (response.json());
  const info = http.get(`${BASE_URL}/api/user/info`, { headers: { authorization: token }, timeout: '10s' });
  if (info.status === 200 && info.json('message.id') !== id) wrongToken.add(1);
  check(info, { 'the token is that of who signed in': () => info.status !== 200 || info.json('message.id') === id });
}
