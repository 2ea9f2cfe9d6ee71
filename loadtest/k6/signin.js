// Sign-ins: RATE a second, or with SHAPE=most a storm, as fast as VUS connections go. Each then checks that the token
// is its own. The users are those of a demo install, or of ACCOUNTS; API keys cannot sign in.
import { check } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { judge } from './lib/judged.js';
import { isTakenUp, ownerOf } from './lib/outcome.js';
import { signInPace } from './lib/pace.js';
import { optionsOf, P99, paced } from './lib/run.js';
import { ACCOUNTS, BASE_URL, HEADS, KEYS, number, UNDER_HARNESS } from './lib/settings.js';
import { prepare } from './lib/world.js';

export { handleSummary } from './lib/run.js';

/** @typedef {import('./lib/world.js').World} World */

const PASSWORD = 'Harbor-2468';
/** How many people the harness has seeded. */
const SEEDED = number('USERS', 1);

export const options = optionsOf(
  { storm: paced(signInPace(HEADS)) },
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
/** @type {import('k6/http').RefinedParams<'text'>} */
const form = {
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  timeout: '10s',
  responseType: 'text',
};

export function setup() {
  if (KEYS.length > 0) throw new Error('API keys do not sign in: give -e ACCOUNTS=<file of account,password>.');
  // Accounts that are named sign in when their turn comes: each time counts against the rate of this address.
  return prepare(ACCOUNTS.length > 0 ? { nobody: true } : { poor: true });
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
  const outcome = judge(response, signInMs, 'a sign-in');
  if (outcome !== 'ok') {
    // 429: this account or address has signed in often enough for now.
    (isTakenUp(response) ? refused : busy).add(1);
    return;
  }
  ok.add(1);
  const { message: token, id } = /** @type {any} */ (response.json());
  const info = http.get(`${BASE_URL}/api/user/info`, {
    headers: { authorization: token },
    timeout: '10s',
    responseType: 'text',
  });
  const owner = ownerOf(info, id);
  if (owner === 'other') wrongToken.add(1);
  check(info, { 'the token is that of who signed in': () => owner === 'own' || owner === 'unasked' });
}
