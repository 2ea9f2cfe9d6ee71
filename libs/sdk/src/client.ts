import { ApiClient, type Fields } from '@bourse/api-client';
import { ApiError, newIntent } from './errors.js';
import { Stream } from './stream.js';
import { sign } from './sign.js';
import { ONCE, type Calls, type Schemas } from './types.generated.js';

export interface BourseOptions {
  /** Where the exchange is: `https://exchange.example`. */
  url: string;
  /** An API key and its secret; without them only public calls and streams answer. */
  key?: string;
  secret?: string;
  /** Language of texts for people; programs test keys. */
  lang?: string;
  /** Replaced by a test, or to pass a proxy. */
  fetch?: typeof fetch;
}
export type CallName = keyof Calls;
export interface CallOptions {
  /** Idempotency-Key of a call that moves money or orders; one is made when it is absent. Keep it with your order. */
  intent?: string;
  signal?: AbortSignal;
}

/** How long one attempt may take. Ms. */
const ATTEMPT_MS = 8_000;
/** How often a call is sent again that the exchange could not take for the moment: nothing was done. */
const BUSY_TRIES = 4;
const BUSY_MS = 500;
/** The exchange tells its time in whole seconds: only a clock that is really off is corrected. Ms. */
const CLOCK_OFF_MS = 2_000;

/**
 * A Bourse exchange for programs. Refusals are `ApiError` (test its `key`); no answer is `NetworkError`, after the call
 * was repeated under the same Idempotency-Key.
 */
export class Bourse {
  readonly url: string;
  private readonly api: ApiClient;
  private aheadMs = 0;

  constructor(private readonly options: BourseOptions) {
    this.url = options.url.replace(/\/$/, '');
    this.api = new ApiClient({
      token: () => null,
      lang: () => options.lang ?? 'en',
      fetch: (path, init) => this.send(path as string, init ?? {}),
      now: () => this.now(),
    });
  }

  /**
   * Any call by its method and path: `call('POST /api/coin/trade', { … })`. What moves money or orders is carried out
   * once: a lost answer is asked for again under the same key, a pending one until it is final.
   * @throws ApiError when the exchange refuses
   * @throws NetworkError when no answer comes
   */
  async call<N extends CallName>(
    name: N,
    fields: Calls[N]['fields'],
    { intent, signal }: CallOptions = {},
  ): Promise<Calls[N]['answer']> {
    const [method = 'GET', template = ''] = name.split(' ');
    const left = new Map(Object.entries(fields as Fields));
    const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
      const value = String(left.get(field));
      left.delete(field);
      return encodeURIComponent(value);
    });
    const key = intent ?? (ONCE.includes(name) ? newIntent() : undefined);
    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    const once = (): Promise<unknown> =>
      this.api[verb](path, Object.fromEntries(left), {
        ...(key === undefined ? {} : { intent: key }),
        ...(signal ? { signal } : {}),
        quiet: true,
      });
    return (await this.whileBusy(once, method === 'GET' || key !== undefined)) as Calls[N]['answer'];
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

  /** One pair by its symbol. @throws Error when there is none */
  async market(symbol: string): Promise<Schemas['QuotationItem']> {
    const found = (await this.markets()).find((one) => one.symbol === symbol);
    if (!found) throw new Error(`${this.url} has no pair ${symbol}`);
    return found;
  }

  /** A spot order; price and quantity are decimal text, `price` is absent for market orders. */
  async placeOrder(
    order: { symbol: string; side: 'buy' | 'sell'; amount: string; price?: string; clientOrderId?: string },
    options: CallOptions = {},
  ): Promise<Schemas['SpotOrder']> {
    const { legal_id, currency_id } = await this.market(order.symbol);
    const answer = await this.call(
      'POST /api/coin/trade',
      {
        legal_id,
        currency_id,
        type: order.side === 'buy' ? 1 : 2,
        amount: order.amount,
        order_type: order.price === undefined ? 'market' : 'limit',
        ...(order.price === undefined ? {} : { target_price: order.price }),
        ...(order.clientOrderId === undefined ? {} : { client_order_id: order.clientOrderId }),
      },
      options,
    );
    return answer.order;
  }

  async cancelOrder(id: string, options: CallOptions = {}): Promise<Schemas['SpotOrder']> {
    return (await this.call('PUT /api/coin/trade', { id }, options)).order;
  }

  async order(id: string): Promise<Schemas['SpotOrder']> {
    return (await this.call('GET /api/coin/order', { id })).message;
  }

  async openOrders(): Promise<Schemas['SpotOrder'][]> {
    return (await this.call('GET /api/coin/list', { status: 1, limit: 100 })).message.data;
  }

  /** Live prices, books, trades and, with a key, what happens to one's own orders and balances. */
  stream(onError: (error: Error) => void = () => undefined): Stream {
    return new Stream({
      url: this.url,
      onError,
      lang: () => this.options.lang ?? 'en',
      key: this.options.key ?? null,
      handshake: () => this.handshake(),
      since: async (user_seq) => (await this.call('GET /api/stream/since', { user_seq })).message as never,
    });
  }

  /** Learns how far the exchange's clock is ahead: a signature is good for 5 s around its real time. Ms. */
  async syncClock(): Promise<number> {
    const sent = Date.now();
    const { headers } = await this.plainFetch(`${this.url}/api/time`, { signal: AbortSignal.timeout(ATTEMPT_MS) });
    const ahead = Date.parse(headers.get('date') ?? '') + 500 - (sent + Date.now()) / 2;
    this.aheadMs = Math.abs(ahead) > CLOCK_OFF_MS ? Math.round(ahead) : 0;
    return this.aheadMs;
  }

  /** What cannot be taken for the moment was not done: it is sent again, under the same key if it has one. */
  private async whileBusy<T>(once: () => Promise<T>, again: boolean): Promise<T> {
    for (let turn = 1; ; turn += 1)
      try {
        return await once();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const drifted = error.key === 'apikey.signature' && turn === 1 && (await this.syncClock()) !== 0;
        const busy = again && error.status === 503 && turn < BUSY_TRIES;
        if (!drifted && !busy) throw error;
        if (busy) await new Promise((resolve) => setTimeout(resolve, BUSY_MS * turn));
      }
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
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
