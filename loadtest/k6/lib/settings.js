// Settings of a run from its environment, read once. The README beside the scenarios lists every name.
import { SharedArray } from 'k6/data';
import { instanceOf, shareOf, vusFor } from './pace.js';

const env = __ENV;

/** Address of the exchange, without a slash at its end. */
export const BASE_URL = (env.BASE_URL || 'http://localhost:8080').replace(/\/+$/, '');
/** Whether the harness of `npm run loadtest` runs this: it brings people and markets, and compares afterwards by itself. */
export const UNDER_HARNESS = Boolean(env.TOKENS);

/**
 * A setting that is a whole number.
 * @param {string} name
 * @param {number} fallback
 */
export function number(name, fallback) {
  const given = env[name];
  if (given === undefined || given === '') return fallback;
  if (!/^\d+(\.\d+)?$/.test(given)) throw new Error(`${name} must be a number, not ${given}`);
  return Number(given);
}

/** The longest that 99 % of answers may take unless `P99` says another, ms. */
export const P99 = number('P99', 1000);
/** Number of processes of k6 that share the run, and the number of this one, from 1 on: each has people of its own. */
export const INSTANCES = number('INSTANCES', 1);
export const INSTANCE = instanceOf(env.INSTANCE, INSTANCES);
const VUS_LEAST = 10;
/** Connections of the whole run: as many as its rate needs, unless `VUS` says how many. */
export let VUS = shareable('VUS', number('VUS', Math.max(VUS_LEAST, INSTANCES)));
export const SECONDS = number('SECONDS', 30);
export const PEOPLE = shareable('PEOPLE', number('PEOPLE', Math.max(10, INSTANCES)));

/**
 * A number that all processes share equally.
 * @param {string} name
 * @param {number} value
 */
function shareable(name, value) {
  if (env[name] && value % INSTANCES !== 0) throw new Error(`${name} must be a multiple of INSTANCES, ${INSTANCES}`);
  return Math.ceil(value / INSTANCES) * INSTANCES;
}

/**
 * Provides the connections that so many turns a second need, unless `VUS` names a number.
 * @param {number} rate
 */
export function provideVus(rate) {
  if (env.VUS || UNDER_HARNESS) return;
  VUS = shareable('VUS', Math.min(vusMost, Math.max(VUS, vusFor(rate, P99))));
}
let vusMost = Infinity;
/** As many virtual users as there are users, so that none calls twice at once; unless `VUS` is set. */
export function provideOneEach() {
  vusMost = HEADS * INSTANCES;
  if (!env.VUS && !UNDER_HARNESS) VUS = vusMost;
}
/** Connections of this process. */
export const ownVus = () => VUS / INSTANCES;
/** Whether each command carries an `Idempotency-Key` of its own, as those of the terminal and of programs do. */
export const IDEMPOTENT = (env.IDEMPOTENT || (UNDER_HARNESS ? '0' : '1')) === '1';
/** How long an answer is waited for. */
export const ANSWER_TIMEOUT = '10s';

/**
 * Lines of a file as lists of fields; empty lines and those that begin with # do not count.
 * @param {string | undefined} file
 * @param {number} least how many fields a line has at least
 * @returns {string[][]}
 */
function rowsOf(file, least) {
  if (!file) return [];
  return open(file)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line, index) => {
      const fields = line.split(',').map((field) => field.trim());
      if (fields.length < least || fields.slice(0, least).includes(''))
        throw new Error(`${file}, line ${index + 1}: ${least} fields with commas between them are needed`);
      return fields;
    });
}

/** `account,password` of existing users. */
export const ACCOUNTS = new SharedArray('accounts', () =>
  shareOf(rowsOf(env.ACCOUNTS, 2), INSTANCE, INSTANCES).map(([account, password]) => ({ account, password })),
);
/** `key,secret` of API keys that may trade. */
export const KEYS = new SharedArray('keys', () =>
  shareOf(rowsOf(env.KEYS, 2), INSTANCE, INSTANCES).map(([key, secret]) => ({ key, secret })),
);
/** Sessions that the harness has opened. */
export const TOKENS = new SharedArray('tokens', () =>
  env.TOKENS ? JSON.parse(open(env.TOKENS)).map((/** @type {{ token: string }} */ { token }) => ({ token })) : [],
);

/**
 * Ends a run that needs fund passwords but was given users whose fund passwords are unknown.
 * @param {string} what
 */
export function demoOnly(what) {
  if (KEYS.length > 0 || ACCOUNTS.length > 0)
    throw new Error(`${what} are for demo installs: leave out KEYS and ACCOUNTS.`);
}

/** The number of users of this process; known before the first call. */
export const HEADS = UNDER_HARNESS
  ? number('USERS', TOKENS.length)
  : KEYS.length || ACCOUNTS.length || PEOPLE / INSTANCES;
