// A client of the exchange's HTTP API for programs: Node 24, no dependencies. docs/api-keys.md explains it.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Time limit of one attempt, and how long an outcome is queried before giving up (the exchange settles every command
 * within 15 s). Ms.
 */
const ATTEMPT_MS = 8_000;
const OUTCOME_MS = 30_000;
const PAUSE_MS = { first: 250, most: 2_000 };
/**
 * Refusals by token and gates. The exchange does not store them under the Idempotency-Key (docs/contract/api.md,
 * api §6.8), so they say nothing about an earlier attempt whose answer was lost.
 */
const GATE_KEYS = [
  'apikey.signature',
  'auth.expired',
  'auth.frozen',
  'common.forbidden',
  'common.noPermission',
  'fund.mustReset',
  'fund.notSet',
  'kyc.required',
  'noopen',
  'pay.missing',
];

/** Parts of the paths of commands about orders, and commands about several orders. */
const MARKETS = { coin: 'spot', transaction: 'spot', transaction_del: 'spot', lever: 'lever' };
const MASS = ['/api/coin/batch', '/api/coin/cancel', '/api/coin/cancel_all', '/api/lever/batch_close'];

/** The exchange has refused: `key` is stable, what programs test; the message is for people. Nothing was done. */
export class Refused extends Error {
  constructor({ type, key, message, params = {} }, status) {
    super(`${key}: ${message}`);
    Object.assign(this, { type, key, params, status });
  }
}

/**
 * No final answer came: the command may or may not have been carried out. Call `command(idempotencyKey)` later, or the
 * same call with the same key.
 */
export class Unknown extends Error {
  constructor(idempotencyKey, cause) {
    super(`the outcome of ${idempotencyKey} is not known`, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/**
 * Lower-case hex HMAC-SHA256 of method, path with query, timestamp and the hex SHA-256 of the body's bytes, joined by
 * line feeds.
 */
export function sign(secret, method, path, timestamp, body = '') {
  const digest = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', secret).update([method, path, timestamp, digest].join('\n')).digest('hex');
}

export class Bourse {
  #aheadMs = 0;
  /** The commands that have no outcome yet, each with the orders that it is about. */
  #open = new Set();

  /** `fetch` may be replaced, by a test or to pass a proxy. */
  constructor({ url, key, secret, fetch = globalThis.fetch }) {
    Object.assign(this, { url: url.replace(/\/$/, ''), key, secret, fetch });
  }

  /** Measures how far the exchange's clock is ahead: a signature is valid for 5 s around the exchange's real time. */
  async syncClock() {
    const sent = Date.now();
    const { headers } = await this.fetch(`${this.url}/api/time`, { signal: AbortSignal.timeout(ATTEMPT_MS) });
    const received = Date.now();
    const told = Date.parse(headers.get('date') ?? '');
    // The header has whole seconds: only a clock that is really off is corrected.
    const ahead = told + 500 - (sent + received) / 2;
    this.#aheadMs = Math.abs(ahead) > 2_000 ? Math.round(ahead) : 0;
    return this.#aheadMs;
  }

  /** A read. */
  get(path, fields = {}) {
    const query = new URLSearchParams(fields).toString();
    return this.#once('GET', query ? `${path}?${query}` : path);
  }

  /** A read that the contract has as POST. */
  post(path, fields = {}) {
    return this.#once('POST', path, fields);
  }

  /**
   * Sends a command that moves money or orders, which takes effect exactly once: as long as no final answer has come,
   * it is retried under the same Idempotency-Key with a new signature. Keep the key with your order, and pass it again
   * after a crash. It waits for the earlier commands that may be about the same order: a cancel would overtake an order
   * that is sent again.
   */
  async command(method, path, fields, idempotencyKey = randomUUID()) {
    const command = { claim: claimOf(path, fields) };
    const before = [...this.#open].filter(({ claim }) => overlap(claim, command.claim)).map(({ ended }) => ended);
    const outcome = Promise.all(before).then(() => this.#sendUntilFinal(method, path, fields, idempotencyKey));
    const leave = () => this.#open.delete(command);
    command.ended = outcome.then(leave, leave);
    this.#open.add(command);
    return outcome;
  }

  async #sendUntilFinal(method, path, fields, idempotencyKey) {
    const until = Date.now() + OUTCOME_MS;
    let isOpen = false;
    for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.most)) {
      let last;
      try {
        return await this.#once(method, path, fields, { 'idempotency-key': idempotencyKey });
      } catch (error) {
        // A defect of the exchange (500) does not say what became of a command.
        const isUndecided =
          !(error instanceof Refused) ||
          error.type === 'pending' ||
          error.key === 'common.repeated' ||
          error.status === 500;
        if (isOpen && GATE_KEYS.includes(error.key)) throw new Unknown(idempotencyKey, error);
        isOpen ||= isUndecided;
        // A paused market is not waited for, unless an earlier attempt may have been accepted.
        const isBusy = [429, 503].includes(error.status) && (isOpen || error.key !== 'market.paused');
        if (!isUndecided && !isBusy) throw error;
        last = error;
      }
      if (Date.now() > until) throw isOpen ? new Unknown(idempotencyKey, last) : last;
      await sleep(pause);
    }
  }

  /**
   * The final answer of an earlier command, by its key; throws `Refused` with `common.notFound` when it was never
   * accepted.
   */
  outcome(idempotencyKey) {
    return this.get('/api/command', { key: idempotencyKey });
  }

  balances() {
    return this.get('/api/wallet/list').then(({ message }) =>
      message.change_wallet.balance.filter(
        ({ change_balance: free, lock_change_balance: held }) => Number(free) > 0 || Number(held) > 0,
      ),
    );
  }
  /** A limit order; prices and amounts are decimal text. `side` is `buy` or `sell`. */
  async placeLimit({ legalId, currencyId, side, price, amount, ...unknown }, idempotencyKey) {
    // Unknown parameters are never dropped: a stop order without its stop would be executed at once.
    if (Object.keys(unknown).length > 0) throw new TypeError(`a limit order has no ${Object.keys(unknown).join(', ')}`);
    if (!['buy', 'sell'].includes(side)) throw new TypeError(`an order has no side ${side}`);
    return this.command(
      'POST',
      '/api/coin/trade',
      { legal_id: legalId, currency_id: currencyId, type: side === 'buy' ? 1 : 2, target_price: price, amount },
      idempotencyKey,
    );
  }
  cancel(id, idempotencyKey) {
    return this.command('PUT', '/api/coin/trade', { id }, idempotencyKey);
  }
  openOrders() {
    return this.get('/api/coin/list', { status: 1, limit: 100 }).then(({ message }) => message.data);
  }

  async #once(method, path, fields, headers = {}) {
    // Exactly the signed bytes are sent.
    const body = fields === undefined ? undefined : new URLSearchParams(fields).toString();
    const timestamp = String(Date.now() + this.#aheadMs);
    const response = await this.fetch(`${this.url}${path}`, {
      method,
      body,
      signal: AbortSignal.timeout(ATTEMPT_MS),
      headers: {
        'x-api-key': this.key,
        'x-api-timestamp': timestamp,
        'x-api-signature': sign(this.secret, method, path, timestamp, body),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
    });
    const answer = await response.json();
    // An answer of a proxy says nothing about the call.
    if (answer?.type === undefined) throw new Error(`status ${response.status} is no answer of the exchange`);
    if (answer.type !== 'ok') throw new Refused(answer, response.status);
    return answer;
  }
}

/** The orders that a command is about. Without a pair they may be those of all pairs. */
function claimOf(path, { id, client_order_id: name, legal_id: quote, currency_id: base } = {}) {
  const isMass = MASS.includes(path);
  const pair = quote === undefined || base === undefined ? undefined : `${quote} ${base}`;
  return { market: MARKETS[path.split('/')[2]], isMass, isNew: pair !== undefined && !isMass, id, name, pair };
}
/** Whether two commands may be about the same order. */
function overlap(one, other) {
  if (one.market === undefined || one.market !== other.market) return false;
  if (one.isMass || other.isMass) return !one.pair || !other.pair || one.pair === other.pair;
  for (const name of ['id', 'name'])
    if (one[name] !== undefined && other[name] !== undefined) return String(one[name]) === String(other[name]);
  // One may name by its id what the other names by its client id.
  return !one.isNew && !other.isNew;
}
