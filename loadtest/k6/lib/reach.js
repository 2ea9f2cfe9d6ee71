// Checks before anything else that an exchange answers at the address, so that a wrong one ends the run at once.
import exec from 'k6/execution';
import http from 'k6/http';
import { sleep } from 'k6';
import { whyNoExchange } from './outcome.js';
import { BASE_URL } from './settings.js';

const TRIES = 3;
const PAUSE = 1;

/** Ends the run with one sentence where nothing answers at `BASE_URL`, or something that is no exchange. */
export function reach() {
  let why;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    why = whyNoExchange(http.get(`${BASE_URL}/api/config`, { timeout: '5s', responseType: 'text' }));
    if (why === undefined) return;
    if (tries < TRIES) sleep(PAUSE);
  }
  exec.test.abort(`${BASE_URL} ${why}`);
}
