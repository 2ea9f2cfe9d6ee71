import { ApiClient, NetworkError as Silence, type Fields } from '@bourse/api-client';
import { Turns } from '@bourse/platform/turns';
import { ApiError, GATE_KEYS, NetworkError, newIntent } from './errors.js';
import { claimOf, overlap, type OrderClaim } from './order-claim.js';
import { Stream } from './stream.js';
import { sign } from './sign.js';
import type { Calls, Schemas } from '@bourse/contract/calls';
import { FIELDS, ONCE } from './types.generated.js';
import { checkFields, isFlag, isSide, isText, type Checks } from './wishes.js';

export interface BourseOptions {
  /** Address of the exchange: `https://exchange.example`. */
  url: string;
  /** An API key and its secret; without them only public calls and streams answer. */
  key?: string;
  secret?: string;
  /**
   * How long the client queries the outcome of a call that moves money or orders and has no final answer. Ms; 30 s when
   * absent: the exchange settles every command within 15 s.
   */
  patienceMs?: number;
  /** Language of texts for people; programs test keys. */
  lang?: string;
  /** Replaced by a test, or to pass a proxy. */
  fetch?: typeof fetch;
}
export type CallName = keyof Calls;
/** The fields of a call as they are given, and no other ones. */
type Only<Known, Given> = Given & Record<Exclude<keyof Given, keyof Known>, never>;
export interface CallOptions {
  /** Idempotency-Key of a call that moves money or orders; one is made when it is absent. Keep it with your order. */
  intent?: string;
  /** As `patienceMs` of the client, for this call. 0: it is sent once. */
  patienceMs?: number;
  /** Ends the call. Pass your own `intent` if you need its outcome afterwards. */
  signal?: AbortSignal;
}

/** An existing order, by its id or its client order id. */
export type OrderName = string | { readonly clientOrderId: string };
export interface NewOrder {
  symbol: string;
  side: 'buy' | 'sell';
  amount: string;
  /** Of a limit order. */
  price?: string;
  /** The order waits until a trade reaches this price. */
  stopPrice?: string;
  /** `mark`: the mark (index price) starts it instead of a trade. */
  triggerBy?: 'last' | 'mark';
  /** A trailing stop keeps this distance from the best price, in percent or in quote money: one of the two. */
  trailPercent?: string;
  trailAmount?: string;
  /** The price that activates a trailing stop; absent: it is active at once. */
  activationPrice?: string;
  timeInForce?: 'GTC' | 'IOC' | 'FOK';
  /** Post only: cancelled instead of filled at once. */
  postOnly?: boolean;
  /** The action when it would trade with an order of the same user: by default the new one is cancelled. */
  selfTrade?: 'cancel_newest' | 'cancel_oldest' | 'cancel_both';
  /** The caller's own name: a repeat within 7 days places nothing and returns the first order (`repeated: 1`). */
  clientOrderId?: string;
}

const ORDER: Checks<NewOrder> = {
  symbol: isText,
  side: isSide,
  amount: isText,
  price: isText,
  stopPrice: isText,
  triggerBy: isText,
  trailPercent: isText,
  trailAmount: isText,
  activationPrice: isText,
  timeInForce: isText,
  postOnly: isFlag,
  selfTrade: isText,
  clientOrderId: isText,
};
const TERMS: Checks<{ price: string; amount: string }> = { price: isText, amount: isText };
const CANCELLED: Checks<{ symbol: string; side: string }> = { symbol: isText, side: isSide };
const FILLS: Checks<{ orderId: string; symbol: string; limit: number }> = {
  orderId: isText,
  symbol: isText,
  limit: (value) => Number.isSafeInteger(value) && Number(value) > 0,
};
const NAME: Checks<{ clientOrderId: string }> = { clientOrderId: isText };
const CALL: Checks<CallOptions> = {
  intent: isText,
  patienceMs: (value) => typeof value === 'number' && value >= 0,
  signal: (value) => value instanceof AbortSignal,
};
const CLIENT: Checks<BourseOptions> = {
  url: isText,
  key: isText,
  secret: isText,
  patienceMs: CALL.patienceMs,
  lang: isText,
  fetch: (value) => typeof value === 'function',
};

/** How long one attempt may take. Ms. */
const ATTEMPT_MS = 8_000;
/** How often a call is repeated that the exchange could not accept at the moment; such a call had no effect. */
const BUSY_TRIES = 4;
const COMMAND_TIMEOUT_MS = 30_000;
/** Most rows of a page, and most pages, that the exchange answers. */
const PAGE = 100;
const PAGES = 1_000;
/** How often a list that moves while it is read is read again. */
const TURNS = 3;
/** How old the known pairs may be. Ms. */
const PAIRS_AGE_MS = 60_000;
/** Pauses between the tries of a call: doubled each time, up to the limit. Ms. */
const PAUSE_MS = { first: 250, most: 2_000 };
type PairIds = Readonly<Record<'legal_id' | 'currency_id', number>>;
/** The longest wait that an answer may demand (`Retry-After`). Ms. */
const WAIT_MS_MAX = 10_000;
/** The exchange reports its time in whole seconds: only a clock that is further off than this is corrected. Ms. */
const CLOCK_OFF_MS = 2_000;

/**
 * A Bourse exchange for programs. Refusals are `ApiError` (test its `key`; `retryAfter` says how long to wait); no
 * answer is `NetworkError`, after the call was repeated under the same Idempotency-Key, which both carry as `intent`.
 */
export class Bourse {
  readonly url: string;
  private readonly api: ApiClient;
  private aheadMs = 0;
  private pairs: ReadonlyMap<string, PairIds> = new Map();
  private pairsAt = -Infinity;
  private pairsRead: Promise<void> | undefined;
  /** Commands about one order are sent one after another: a later one would overtake one that is sent again. */
  private readonly turns = new Turns<OrderClaim>(overlap);

  constructor(private readonly options: BourseOptions) {
    checkFields('new Bourse', options, CLIENT);
    this.url = options.url.replace(/\/$/, '');
    this.api = new ApiClient({
      token: () => null,
      lang: () => options.lang ?? 'en',
      fetch: (path, init) => this.sendOnce(path as string, init ?? {}),
      now: () => this.now(),
      once: true,
    });
  }

  /**
   * Any call by its method and path: `call('POST /api/coin/trade', { … })`. A call that moves money or orders is
   * carried out once: while its answer is lost or not final, it is sent again under the same key, for `patienceMs`. A
   * command about an order waits for the earlier ones about it that have no outcome yet, before its patience begins.
   * @throws TypeError before anything is sent, for a field that the call does not take
   * @throws ApiError when the exchange refuses; of type `pending` when the outcome is not known yet
   * @throws NetworkError when no answer comes: the outcome is not known
   */
  async call<N extends CallName, F extends Calls[N]['fields'] = Calls[N]['fields']>(
    name: N,
    fields: Only<Calls[N]['fields'], F>,
    options: CallOptions = {},
  ): Promise<Calls[N]['answer']> {
    checkFields(`${name} with options`, options, CALL);
    checkNames(name, fields);
    return this.inTurn(claimOf(name, fields), options, () => this.send(name, fields, options));
  }

  /** Runs work in its turn. A call that its caller ends while it waits is not sent. */
  private inTurn<T>(claim: OrderClaim | undefined, { signal }: CallOptions, work: () => Promise<T>): Promise<T> {
    if (claim === undefined) return work();
    if (signal === undefined) return this.turns.run(claim, work);
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      const start = async (): Promise<T> => {
        signal.removeEventListener('abort', onAbort);
        signal.throwIfAborted();
        return work();
      };
      this.turns.run(claim, start).then(resolve, reject);
    });
  }

  private async send<N extends CallName>(
    name: N,
    fields: Calls[N]['fields'],
    { intent, patienceMs, signal }: CallOptions,
  ): Promise<Calls[N]['answer']> {
    const [method = 'GET', template = ''] = name.split(' ');
    // A form has lists as JSON text.
    const left = new Map(
      Object.entries(fields as Fields).map(([field, value]) => [
        field,
        Array.isArray(value) ? JSON.stringify(value) : value,
      ]),
    );
    const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
      const value = String(left.get(field));
      left.delete(field);
      return encodeURIComponent(value);
    });
    const key = intent ?? (ONCE.includes(name) ? newIntent() : undefined);
    const once = (): Promise<unknown> =>
      this.api.call(method as 'GET' | 'POST' | 'PUT' | 'DELETE', path, Object.fromEntries(left), {
        ...(key === undefined ? {} : { intent: key }),
        ...(signal ? { signal } : {}),
        quiet: true,
      });
    const patience = key === undefined ? 0 : (patienceMs ?? this.options.patienceMs ?? COMMAND_TIMEOUT_MS);
    const isSafe = method === 'GET' || key !== undefined;
    return (await this.repeated(once, {
      patience,
      isSafe,
      isCommand: key !== undefined,
      signal,
    })) as Calls[N]['answer'];
  }

  /** Balances of the spot account that are not empty. */
  async balances(): Promise<Schemas['WalletList']['change_wallet']['balance']> {
    const { message } = await this.call('GET /api/wallet/list', {});
    return message.change_wallet.balance.filter(
      (one) => /[1-9]/.test(one.change_balance) || /[1-9]/.test(one.lock_change_balance),
    );
  }

  /** All pairs with their last prices, scales, limits and fees. */
  async markets(): Promise<Schemas['QuotationItem'][]> {
    const { message } = await this.call('GET /api/quotation_new', {});
    return message.flatMap((group) => group.quotation);
  }

  /** One pair by its symbol. @throws Error for an unknown symbol */
  async market(symbol: string): Promise<Schemas['QuotationItem']> {
    const found = (await this.markets()).find((one) => one.symbol === symbol);
    if (!found) throw new Error(`${this.url} has no pair ${symbol}`);
    return found;
  }

  /**
   * A spot order; prices and quantity are decimal text. Without `price` it is a market order; with `stopPrice` it waits
   * until a trade reaches that, or the mark with `triggerBy`; with `trailPercent` or `trailAmount` it waits until one
   * reaches a price that follows the best.
   * @returns the order; with `repeated` it is an earlier one that has this `clientOrderId`, on its own terms
   * @throws TypeError before anything is sent, for a field that an order does not have, or one without its value
   */
  async placeOrder(
    order: NewOrder,
    options: CallOptions = {},
  ): Promise<Schemas['SpotOrder'] & { readonly repeated?: 1 }> {
    checkFields('placeOrder', order, ORDER, ['price', 'stopPrice', 'trailPercent', 'trailAmount']);
    checkFields('placeOrder with options', options, CALL);
    const kind = order.price === undefined ? 'market' : 'limit';
    const { price, stopPrice, trailPercent, trailAmount, activationPrice, timeInForce, postOnly, selfTrade } = order;
    const { clientOrderId, triggerBy } = order;
    const isTrailing = trailPercent !== undefined || trailAmount !== undefined;
    // The claim is made before the ids of the pair are read, so that a command called meanwhile waits for this one.
    const claim = this.claimOfPair('POST /api/coin/trade', order.symbol, { client_order_id: clientOrderId });
    const answer = await this.inTurn(claim, options, async () =>
      this.send(
        'POST /api/coin/trade',
        {
          ...(await this.pair(order.symbol)),
          type: order.side === 'buy' ? 1 : 2,
          amount: order.amount,
          order_type: isTrailing ? 'trailing_stop' : stopPrice === undefined ? kind : `stop_${kind}`,
          ...(price === undefined ? {} : { target_price: price }),
          ...(stopPrice === undefined ? {} : { stop_price: stopPrice }),
          ...(triggerBy === undefined ? {} : { trigger_by: triggerBy }),
          ...(trailPercent === undefined ? {} : { trail_percent: trailPercent }),
          ...(trailAmount === undefined ? {} : { trail_amount: trailAmount }),
          ...(activationPrice === undefined ? {} : { activation_price: activationPrice }),
          ...(timeInForce === undefined ? {} : { time_in_force: timeInForce }),
          ...(postOnly === undefined ? {} : { post_only: postOnly ? 1 : 0 }),
          ...(selfTrade === undefined ? {} : { stp: selfTrade }),
          ...(clientOrderId === undefined ? {} : { client_order_id: clientOrderId }),
        },
        options,
      ),
    );
    return answer.repeated === undefined ? answer.order : { ...answer.order, repeated: answer.repeated };
  }

  /**
   * Changes price or amount of an open order in place; the amount includes the filled part. The order keeps its place
   * in the queue if only the amount shrinks.
   */
  async amendOrder(
    order: OrderName,
    terms: { price?: string; amount?: string },
    options: CallOptions = {},
  ): Promise<Schemas['SpotOrder']> {
    checkFields('amendOrder', terms, TERMS);
    checkFields('amendOrder with options', options, CALL);
    const { price, amount } = terms;
    const fields = {
      ...nameOf(order),
      ...(price === undefined ? {} : { target_price: price }),
      ...(amount === undefined ? {} : { amount }),
    };
    return (await this.call('PUT /api/coin/order', fields, options)).order;
  }

  /** Cancels up to 20 orders at once. @returns the outcome of each, in the same order */
  async cancelOrders(ids: readonly string[], options: CallOptions = {}): Promise<Schemas['OrderOutcome'][]> {
    checkFields('cancelOrders with options', options, CALL);
    return (await this.call('POST /api/coin/cancel', { ids: [...ids] }, options)).message;
  }

  /** Cancels an open order, by its id or by the name that one gave it. */
  async cancelOrder(order: OrderName, options: CallOptions = {}): Promise<Schemas['SpotOrder']> {
    return (await this.call('PUT /api/coin/trade', nameOf(order), options)).order;
  }

  /** Cancels all open orders, or those of a pair or side. @returns the ids of those that this call has ended */
  async cancelAll(
    which: { symbol?: string; side?: 'buy' | 'sell' } = {},
    options: CallOptions = {},
  ): Promise<readonly string[]> {
    // Without a value a filter would let everything through.
    checkFields('cancelAll', which, CANCELLED, ['symbol', 'side']);
    checkFields('cancelAll with options', options, CALL);
    const { symbol, side } = which;
    const type = side === undefined ? {} : { type: side === 'buy' ? (1 as const) : (2 as const) };
    const claim = this.claimOfPair('POST /api/coin/cancel_all', symbol);
    const answer = await this.inTurn(claim, options, async () => {
      const pair = symbol === undefined ? {} : await this.pair(symbol);
      return this.send('POST /api/coin/cancel_all', { ...pair, ...type }, options);
    });
    return answer.ids;
  }

  /** The claim of a command for a pair. Without known ids it is one for all pairs. */
  private claimOfPair(name: CallName, symbol: string | undefined, fields: object = {}): OrderClaim | undefined {
    return claimOf(name, { ...(symbol === undefined ? {} : this.pairs.get(symbol)), ...fields });
  }

  async order(order: OrderName): Promise<Schemas['SpotOrder']> {
    return (await this.call('GET /api/coin/order', nameOf(order))).message;
  }

  /** All open orders, or those of a pair, newest first. */
  async openOrders(symbol?: string): Promise<Schemas['SpotOrder'][]> {
    const pair = symbol === undefined ? undefined : await this.pair(symbol);
    const filter = pair === undefined ? {} : { currency: pair.currency_id, legal_id: pair.legal_id };
    const read = async (page: number) =>
      (await this.call('GET /api/coin/list', { status: 1, ...filter, page, limit: PAGE })).message;
    for (let turn = 1; ; turn += 1) {
      const { rows, isMoved } = await allPages(read);
      // An order that ended meanwhile has moved those behind it, and one of them may be on a page that was read
      // already.
      if (!isMoved || turn === TURNS) return rows;
    }
  }

  /** Own fills, newest first: of an order, a pair or all; 100 at most unless `limit` says more. */
  async fills(which: { orderId?: string; symbol?: string; limit?: number } = {}): Promise<Schemas['SpotFill'][]> {
    checkFields('fills', which, FILLS);
    const { orderId, symbol, limit = PAGE } = which;
    const pair = symbol === undefined ? {} : await this.pair(symbol);
    const order = orderId === undefined ? {} : { order_id: orderId };
    const read = async (page: number) =>
      (await this.call('GET /api/coin/fills', { ...pair, ...order, page, limit: PAGE })).message;
    return (await allPages(read, limit)).rows.slice(0, limit);
  }

  /** Live prices, books, trades and, with a key, events of one's own orders and balances. */
  stream(onError: (error: Error) => void = () => undefined): Stream {
    let signedAheadMs = 0;
    return new Stream({
      url: this.url,
      onError,
      lang: () => this.options.lang ?? 'en',
      key: this.options.key ?? null,
      handshake: () => {
        signedAheadMs = this.aheadMs;
        return this.handshake();
      },
      correctClock: () => this.correctedFrom(signedAheadMs),
      since: async (user_seq) => (await this.call('GET /api/stream/since', { user_seq })).message as never,
    });
  }

  /**
   * Ids of a pair. They never change, so known ones are used at once and no order waits for the markets, which are
   * reloaded from time to time.
   */
  private async pair(symbol: string): Promise<PairIds> {
    const known = this.pairs.get(symbol);
    if (!known) await this.readPairs();
    else if (performance.now() - this.pairsAt > PAIRS_AGE_MS) this.readPairs().catch(() => undefined);
    const found = known ?? this.pairs.get(symbol);
    if (!found) throw new Error(`${this.url} has no pair ${symbol}`);
    return found;
  }

  private readPairs(): Promise<void> {
    this.pairsAt = performance.now();
    this.pairsRead ??= this.markets()
      .then((all) => {
        this.pairs = new Map(all.map(({ symbol, legal_id, currency_id }) => [symbol, { legal_id, currency_id }]));
      })
      .finally(() => (this.pairsRead = undefined));
    return this.pairsRead;
  }

  /**
   * Measures how far the exchange's clock is ahead: a signature is valid for 5 s around the exchange's real time. Ms.
   */
  async syncClock(): Promise<number> {
    const sent = Date.now();
    const { headers } = await this.plainFetch(`${this.url}/api/time`, { signal: AbortSignal.timeout(ATTEMPT_MS) });
    const ahead = Date.parse(headers.get('date') ?? '') + 500 - (sent + Date.now()) / 2;
    this.aheadMs = Math.abs(ahead) > CLOCK_OFF_MS ? Math.round(ahead) : 0;
    return this.aheadMs;
  }

  /** Reads the exchange's clock. Returns whether a signature made with `aheadMs` had a wrong time. */
  private async correctedFrom(aheadMs: number): Promise<boolean> {
    return Math.abs((await this.syncClock()) - aheadMs) > CLOCK_OFF_MS;
  }

  /**
   * Sends a call until its outcome is known or its patience has run out. A call that the exchange could not take at the
   * moment was not done and is sent again, too, if that is safe; but after a lost answer neither such a refusal nor one
   * of a gate settles the first attempt. A defect (500) does not say what became of a command.
   */
  private async repeated<T>(
    once: () => Promise<T>,
    {
      patience,
      isSafe,
      isCommand,
      signal,
    }: { patience: number; isSafe: boolean; isCommand: boolean; signal: AbortSignal | undefined },
  ): Promise<T> {
    const until = performance.now() + patience;
    let isOpen = false;
    let isCorrected = false;
    for (let turn = 1, pause = PAUSE_MS.first; ; turn += 1, pause = Math.min(pause * 2, PAUSE_MS.most)) {
      const { aheadMs } = this;
      try {
        return await once();
      } catch (error) {
        const refusal = error instanceof ApiError ? error : undefined;
        if (!refusal && !(error instanceof NetworkError)) throw error;
        if (isClockOff(refusal) && !isCorrected && (await this.correctedFrom(aheadMs))) {
          isCorrected = true;
          continue;
        }
        const isDefect = isCommand && refusal?.status === 500;
        const isUndecided = isDefect || isNotFinal(refusal);
        isOpen ||= isUndecided;
        const isBusy = refusal !== undefined && [429, 503].includes(refusal.status);
        // If the server names a waiting time, the next try waits for it.
        const waitMs = Math.max(pause, Math.min((refusal?.retryAfter ?? 0) * 1_000, WAIT_MS_MAX));
        const mayRepeat = isOpen
          ? patience > 0 && performance.now() + waitMs <= until && (isBusy || isUndecided)
          : isSafe && refusal?.status === 503 && turn < BUSY_TRIES;
        const isUnread = refusal !== undefined && (isBusy || isDefect || GATE_KEYS.includes(refusal.key));
        if (!mayRepeat) throw isOpen && isUnread ? unknownAfter(refusal) : error;
        await sleep(waitMs, signal);
      }
    }
  }

  private async sendOnce(path: string, init: RequestInit): Promise<Response> {
    const timeout = AbortSignal.timeout(ATTEMPT_MS);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? init.body : '';
    return this.plainFetch(`${this.url}${path}`, {
      ...init,
      signal,
      headers: { ...(init.headers as Record<string, string>), ...(await this.signature(method, path, body)) },
    });
  }

  private async signature(method: string, path: string, body: string): Promise<Record<string, string>> {
    const { key, secret } = this.options;
    if (key === undefined || secret === undefined) return {};
    const timestamp = String(this.now());
    return {
      'X-Api-Key': key,
      'X-Api-Timestamp': timestamp,
      'X-Api-Signature': await sign(secret, { method, path, timestamp, body }),
    };
  }

  private async handshake(): Promise<object> {
    const { key, secret, lang = 'en' } = this.options;
    if (key === undefined || secret === undefined) return { lang };
    const timestamp = String(this.now());
    return { key, timestamp, signature: await sign(secret, { method: 'GET', path: '/socket.io', timestamp }), lang };
  }

  private get plainFetch(): typeof fetch {
    return this.options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  private now(): number {
    return Date.now() + this.aheadMs;
  }
}

function nameOf(order: OrderName): { id: string } | { client_order_id: string } {
  if (typeof order === 'string') return { id: order };
  checkFields('an order', order, NAME, ['clientOrderId']);
  return { client_order_id: order.clientOrderId };
}
/** @throws TypeError for a call that there is not, or a field that it does not take */
function checkNames(name: CallName, fields: object): void {
  const known = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (known === undefined) throw new TypeError(`the exchange has no call ${name}`);
  const unknown = Object.keys(fields).filter((field) => !known.includes(field));
  if (unknown.length > 0) throw new TypeError(`${name} takes no ${unknown.join(', ')}`);
}
/** Whether the refusal of a signature may be due to its time. */
const isClockOff = (refusal: ApiError | undefined): boolean =>
  refusal?.key === 'apikey.signature' && ['time', undefined].includes(refusal.params['reason'] as string | undefined);
/**
 * Reads a list page by page, until there is no more or there are `enough`. Rows that come twice count once; `isMoved`
 * when the list became shorter meanwhile.
 */
async function allPages<T extends { id: string }>(
  read: (page: number) => Promise<{ data: T[]; total: number; has_more: 0 | 1 }>,
  enough = Infinity,
): Promise<{ rows: T[]; isMoved: boolean }> {
  const rows = new Map<string, T>();
  let isMoved = false;
  let known = 0;
  for (let page = 1; page <= PAGES; page += 1) {
    const { data, total, has_more: more } = await read(page);
    isMoved ||= total < known;
    known = total;
    for (const row of data) rows.set(row.id, row);
    if (more !== 1 || rows.size >= enough) break;
  }
  return { rows: [...rows.values()], isMoved };
}
/** Whether an outcome is open: no answer came, or one that is not final. */
const isNotFinal = (refusal: ApiError | undefined): boolean =>
  refusal === undefined || refusal.type === 'pending' || refusal.key === 'common.repeated';
/** The last try was refused, and the outcome of the earlier ones is unknown. */
function unknownAfter(refusal: ApiError): NetworkError {
  const error = new Silence(`the outcome is not known: ${refusal.message}`, { cause: refusal });
  error.intent = refusal.intent;
  return error;
}
/** @throws the signal's reason when it ends the wait */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
