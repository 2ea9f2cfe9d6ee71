// Calls: who makes them, how they are signed, and how an answer is to be understood.
import crypto from 'k6/crypto';
import http from 'k6/http';
import { sleep } from 'k6';
import { ANSWER_TIMEOUT, BASE_URL } from './settings.js';

/**
 * Somebody who calls: by a session (`token`) or by an API key (`key` and `secret`).
 * @typedef {{ token?: string, key?: string, secret?: string, account?: string, id?: number }} Person
 * @typedef {Record<string, string | number | undefined>} Fields
 * @typedef {{ person?: Person, method: string, path: string, fields?: Fields, key?: string }} Question `key`: an
 *   Idempotency-Key
 * @typedef {{ type: string, message: any, key?: string, [extra: string]: any }} Body
 */

const KEY = /"key":"([^"]+)"/;
/** A busy exchange is asked again for so long. */
const PATIENCE_MS = 120_000;
const AT_ONCE = 20;

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
function headersOf(person, method, path, body) {
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
 * How an answer is to be understood: `ok`, `refused:<key>`, or `unknown` when nothing final was said.
 * @param {import('k6/http').RefinedResponse<'text'>} response
 */
export function outcomeOf(response) {
  const body = response.body ?? '';
  if (response.status === 200 && body.includes('"type":"ok"')) return 'ok';
  const key = KEY.exec(body)?.[1] ?? 'none';
  // 503 says that nothing was done; pending, a defect and silence say nothing.
  if (
    (response.status === 200 && key !== 'common.processing') ||
    response.status === 503 ||
    (response.status >= 400 && response.status < 500)
  )
    return `refused:${key}`;
  return 'unknown';
}

/**
 * Answers to questions that are asked before and after the load, in the order of the questions. Who is told to wait
 * waits and asks again; a refusal is an answer.
 * @param {Question[]} questions
 * @returns {Body[]}
 */
export function answers(questions) {
  const until = Date.now() + PATIENCE_MS;
  /** @type {Body[]} */
  const found = [];
  let open = questions.map((_, index) => index);
  while (open.length > 0) {
    /** @type {number[]} */
    const busy = [];
    let pause = 0.25;
    for (let from = 0; from < open.length; from += AT_ONCE) {
      const part = open.slice(from, from + AT_ONCE);
      const sent = http.batch(part.map((index) => prepare(questions[index])));
      part.forEach((index, at) => {
        const response = sent[at];
        const body = bodyOf(response);
        if (body && ![0, 202, 429, 500, 503].includes(response.status)) {
          found[index] = body;
          return;
        }
        if (Date.now() > until)
          throw new Error(
            `${questions[index].path} had no answer: ${response.status} ${response.error || response.body}`,
          );
        pause = Math.max(pause, Number(response.headers['Retry-After'] ?? 0));
        busy.push(index);
      });
    }
    if (busy.length > 0) sleep(pause);
    open = busy;
  }
  return found;
}

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
 * What one question must be answered.
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
