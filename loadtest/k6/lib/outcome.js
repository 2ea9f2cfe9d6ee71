// How an answer is to be understood. Nothing of k6 is used here: unit tests import it.

/** @typedef {{ status: number, body?: string | null, error?: string }} Answer as k6 gives it */

const KEY = /"key":"([^"]+)"/;
const TOO_MANY = 429;
const UNAVAILABLE = 503;

/**
 * How an answer is to be understood: `ok`, `refused:<key>`, or `unknown` when nothing final was said.
 * @param {Answer} response
 */
export function outcomeOf({ status, body }) {
  const text = body ?? '';
  if (status === 200 && text.includes('"type":"ok"')) return 'ok';
  const key = KEY.exec(text)?.[1] ?? 'none';
  // 503 says that nothing was done; pending, a defect and silence say nothing.
  if ((status === 200 && key !== 'common.processing') || status === UNAVAILABLE || (status >= 400 && status < 500))
    return `refused:${key}`;
  return 'unknown';
}

const ID = /"id":"(\d+)"/;
/**
 * Id of what an accepted call has made; nothing where the call was not accepted.
 * @param {string} outcome
 * @param {Answer} response
 */
export const idMade = (outcome, { body }) => (outcome === 'ok' ? ID.exec(body ?? '')?.[1] : undefined);

/**
 * Why an answer to `GET /api/config` is not that of an exchange; nothing where it is. An exchange that is busy or
 * starting answers 429 or 503.
 * @param {Answer} response
 */
export function whyNoExchange({ status, body, error }) {
  if (status === 0) return `does not answer${error ? `: ${error}` : ''}`;
  try {
    if (typeof JSON.parse(body ?? '').type === 'string') return undefined;
  } catch {
    // An exchange answers with JSON.
  }
  return `answers, but is no exchange: status ${status} for /api/config`;
}

/**
 * Whether a rate limit has refused the call. Rate limits are checked before anything else of a call, and a refused call
 * is not stored under its key (api §1.4, §6.8): it had no effect.
 * @param {Answer} response
 */
export const isLimited = ({ status }) => status === TOO_MANY;

/**
 * Whether the exchange has processed the call: it was refused neither by a rate limit nor because a part is down. Only
 * such an answer measures the latency of the exchange.
 * @param {Answer} response
 */
export const isTakenUp = ({ status }) => status !== TOO_MANY && status !== UNAVAILABLE;

/**
 * Whose token it was that asked for its own person: `own`, `other`, `unproved` where that was not said, `unasked` where
 * a rate limit has refused the call.
 * @param {Answer} response to `GET /api/user/info`
 * @param {unknown} id of who signed in
 */
export function ownerOf(response, id) {
  if (isLimited(response)) return 'unasked';
  if (outcomeOf(response) !== 'ok') return 'unproved';
  return JSON.parse(response.body ?? '').message?.id === id ? 'own' : 'other';
}

/** Why an order can be refused (api §1.5, §2.3), as the summary counts it; whatever else there is, is `other`. */
export const REASONS = [
  'common.tooMany',
  'common.unavailable',
  'common.keyReused',
  'common.repeated',
  'common.fieldInvalid',
  'common.forbidden',
  'apikey.signature',
  'auth.expired',
  'auth.frozen',
  'balance.insufficient',
  'fund.notSet',
  'kyc.required',
  'market.paused',
  'market.stale',
  'pair.delisted',
  'quantity.rule',
  'trade.bookEmpty',
  'trade.numberScale',
  'trade.priceScale',
  'other',
];

/**
 * The reason of a refusal as it is counted.
 * @param {string} outcome
 */
export function reasonOf(outcome) {
  const key = outcome.replace(/^refused:/, '');
  return REASONS.includes(key) ? key : 'other';
}
