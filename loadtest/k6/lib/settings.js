// What a run is told by its environment, read once. Every name stands in the README beside the scenarios.
import { SharedArray } from 'k6/data';

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

export const VUS = number('VUS', 10);
export const SECONDS = number('SECONDS', 30);
export const PEOPLE = number('PEOPLE', 10);
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

/** `account,password` of people who exist. */
export const ACCOUNTS = new SharedArray('accounts', () =>
  rowsOf(env.ACCOUNTS, 2).map(([account, password]) => ({ account, password })),
);
/** `key,secret` of API keys that may trade. */
export const KEYS = new SharedArray('keys', () => rowsOf(env.KEYS, 2).map(([key, secret]) => ({ key, secret })));
/** Sessions that the harness has opened. */
export const TOKENS = new SharedArray('tokens', () =>
  env.TOKENS ? JSON.parse(open(env.TOKENS)).map((/** @type {{ token: string }} */ { token }) => ({ token })) : [],
);

/** How many people take part; known before anybody is asked. */
export const HEADS = UNDER_HARNESS ? number('USERS', TOKENS.length) : KEYS.length || ACCOUNTS.length || PEOPLE;
