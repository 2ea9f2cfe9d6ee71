// Calls: their credentials, signatures, and the interpretation of answers.
import crypto from 'k6/crypto';
import http from 'k6/http';
import { sleep } from 'k6';
import { AT_ONCE, nextBatch } from './pace.js';
import { ANSWER_TIMEOUT, BASE_URL } from './settings.js';

/**
 * A caller: by a session (`token`) or by an API key (`key` and `secret`).
 * @typedef {{ token?: string, key?: string, secret?: string, account?: string, id?: number }} Person
 * @typedef {Record<string, string | number | undefined>} Fields
 * @typedef {{ person?: Person, method: string, path: string, fields?: Fields, key?: string }} Question `key`: an
 *   Idempotency-Key
 * @typedef {{ type: string, message: any, key?: string, [extra: string]: any }} Body
 */

/** How long calls to an exchange that does not answer at all are retried. */
const PATIENCE_MS = 120_000;
/** Shortest pause before a retry, seconds. */
const PAUSE = 0.25;

/** @param {Fields} fields */
function encode(fields) {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

/**
 * Headers of a call that is ready to be sent: a token, or the three of a signature.
 * @param {Person | undefined} person
 * @param {string} method
 * @param {string} path with its query
 * @param {string} body
 * @returns {Record<string, string>}
 */
export function headersOf(person, method, path, body) {
  /** @type {Record<string, string>} */
  const headers = method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  if (person?.token) headers.authorization = person.token;
  if (!person?.key || !person.secret) return headers;
  const timestamp = String(Date.now());
  const text = [method, path, timestamp, crypto.sha256(body, 'hex')].join('\n');
  headers['x-api-key'] = person.key;
  headers['x-api-timestamp'] = timestamp;
  headers['x-api-signature'] = crypto.hmac('sha256', person.secret, text, 'hex');
  return headers;
}

/** @param {Question} question */
function prepare({ person, method, path, fields = {}, key }) {
  const text = encode(fields);
  const isRead = method === 'GET';
  const whole = isRead && text ? `${path}?${text}` : path;
  const body = isRead ? '' : text;
  const headers = headersOf(person, method, whole, body);
  if (key) headers['idempotency-key'] = key;
  // Addresses with ids in them would each be a line of their own in every output.
  return {
    method,
    url: `${BASE_URL}${whole}`,
    body,
    params: { headers, timeout: ANSWER_TIMEOUT, tags: { name: path } },
  };
}

/**
 * One call, sent once.
 * @param {Question} question
 * @returns {import('k6/http').RefinedResponse<'text'>}
 */
export function call(question) {
  const { method, url, body, params } = prepare(question);
  return http.request(method, url, body === '' ? null : body, { ...params, responseType: 'text' });
}

/**
 * How long to wait before a retry, seconds: as long as the exchange says, and by chance a little longer, so that not
 * all virtual users come back at once.
 * @param {import('k6/http').Response} response
 */
const pauseOf = ({ headers }) => Math.max(PAUSE, Number(headers['Retry-After']) || 0) * (1 + Math.random() / 4);

/**
 * Returns the answers to calls before and after the load, in the order of the calls. A call that is told to wait is
 * retried later, with fewer at once; a refusal is an answer. Retries end only when nothing at all has been answered for
 * two minutes.
 * @param {Question[]} questions
 * @returns {Body[]}
 */
export function answers(questions) {
  /** @type {Body[]} */
  const found = [];
  const open = questions.map((_, index) => index);
  let until = Date.now() + PATIENCE_MS;
  let size = AT_ONCE;
  while (open.length > 0) {
    const part = open.splice(0, size);
    const sent = http.batch(part.map((index) => prepare(questions[index])));
    let pause = 0;
    part.forEach((index, at) => {
      const response = sent[at];
      const body = bodyOf(response);
      if (body && !isBusy(response)) {
        found[index] = body;
        until = Date.now() + PATIENCE_MS;
        return;
      }
      pause = Math.max(pause, pauseOf(response));
      open.push(index);
      if (Date.now() + pause * 1000 > until)
        throw new Error(
          `${questions[index].path} had no answer within ${PATIENCE_MS / 1000} s: ${response.status} ${response.error || response.body}`,
        );
    });
    size = nextBatch(size, pause > 0);
    if (pause > 0) sleep(pause);
  }
  return found;
}

/**
 * Sends a request that `answers` cannot send, and retries while the exchange says to wait.
 * @template {import('k6/http').Response} R
 * @param {() => R} send
 */
export function patiently(send) {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const response = send();
    if (!isBusy(response) || Date.now() > until) return response;
    sleep(pauseOf(response));
  }
}

/** @param {import('k6/http').Response} response */
const isBusy = ({ status }) => [0, 202, 429, 500, 503].includes(status);

/**
 * Answers that must all be `ok`.
 * @param {Question[]} questions
 */
export function granted(questions) {
  const found = answers(questions);
  found.forEach((body, index) => {
    if (body.type !== 'ok')
      throw new Error(
        `${questions[index].method} ${questions[index].path}: ${body.key}, ${JSON.stringify(body.message)}`,
      );
  });
  return found;
}

/**
 * Sends one call that must succeed, and returns its answer.
 * @param {Question} question
 */
export const ask = (question) => granted([question])[0];

/**
 * @param {import('k6/http').Response} response
 * @returns {Body | undefined}
 */
function bodyOf(response) {
  try {
    return /** @type {any} */ (response.json());
  } catch {
    return undefined;
  }
}
