// Sign-in storm: people of whom each signs in once, as fast as VUS connections go, and then proves that the token is theirs.
import http from 'k6/http';
import exec from 'k6/execution';
import { Counter, Trend } from 'k6/metrics';
import { commonOptions, handleSummary as summary, outcomeOf, URL } from './flow.js';

const VUS = Number(__ENV.VUS);
const PEOPLE = Number(__ENV.USERS);
export const options = {
  ...commonOptions,
  scenarios: { storm: { executor: 'constant-vus', vus: VUS, duration: `${__ENV.SECONDS}s`, gracefulStop: '10s' } },
};

const signInMs = new Trend('signin_ms', true);
const ok = new Counter('signins_ok');
const busy = new Counter('signins_busy');
const refused = new Counter('signins_refused');
const wrongToken = new Counter('tokens_wrong');
const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, timeout: '10s' };

export default function signIn() {
  const person = exec.scenario.iterationInTest % PEOPLE;
  const response = http.post(
    `${URL}/api/user/login`,
    `user_string=load${person + 1}@demo.bourse&password=Harbor-2468`,
    form,
  );
  signInMs.add(response.timings.duration);
  const outcome = outcomeOf(response);
  if (outcome !== 'ok') {
    (response.status === 503 ? busy : refused).add(1);
    return;
  }
  ok.add(1);
  const { message: token, id } = response.json();
  const info = http.get(`${URL}/api/user/info`, { headers: { authorization: token } });
  if (info.status !== 200 || info.json('message.id') !== id) wrongToken.add(1);
}

export const handleSummary = summary;
