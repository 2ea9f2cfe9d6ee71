/** What a client wrote down about one intent: `ok` with its id, `refused`, or `unknown` when no final answer came. */
interface Intent { readonly key: string; readonly client: string; readonly token: string; readonly fields: Readonly<Record<string, string>>; outcome: 'ok' | 'refused' | 'unknown'; id?: string; cancelled?: boolean; why?: string }
export interface Body { readonly type: string; readonly key?: string; readonly id?: string; readonly message: unknown }

const BTC_USDT = { legal_id: '3', currency_id: '1' };
const PAUSE_MS = 100;

/**
 * Traders who place and cancel against an exchange that is being killed, and their own log of what they were told. Afterwards the log
 * and the exchange must agree: each ok one effect, each refusal none, each open question one answer (invariants I6).
 * The book is compared as a whole, so nobody else may trade BTC/USDT: run it where no house account quotes.
 */
export class TradingLog {
  private readonly log: Intent[] = [];
  private running = false;
  private clients: Promise<void>[] = [];
  private serial = 0;

  private constructor(private readonly url: string, private readonly tokens: readonly [string, string], private readonly name: string) {}

  static async signIn(url: string, name: string): Promise<TradingLog> {
    const token = async (account: string): Promise<string> => {
      const { type, message, key } = await settled(() => call(url, 'POST', '/api/user/login', { user_string: account, password: 'Harbor-2468' }), (answer) => answer.type === 'ok');
      if (type !== 'ok') throw new Error(`sign-in of ${account}: ${key}`);
      return message as string;
    };
    return new TradingLog(url, [await token('trader1@demo.bourse'), await token('trader2@demo.bourse')], name);
  }

  /** Six clients trade until `stop`. */
  start(): void {
    this.running = true;
    this.clients = [1, 2, 3, 4, 5, 6].map((seed) => this.trade(this.tokens[seed % 2 === 0 ? 0 : 1], seed * 7919));
  }

  /** No new intents; waits for the open calls. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.clients);
  }

  /** How many orders were accepted so far. */
  get accepted(): number { return this.log.filter(({ outcome }) => outcome === 'ok').length; }
  /** What was answered, for the message of a failing test. */
  summary(): string { return `${this.accepted} of ${this.log.length} accepted; ${[...new Set(this.log.map(({ outcome, why }) => `${outcome} ${why ?? ''}`))].join(', ')}`; }

  private async trade(token: string, seed: number): Promise<void> {
    let state = seed;
    const random = (below: number): number => { state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff; return (state >> 8) % below; };
    while (this.running) {
      const name = `${this.name}-${seed}-${++this.serial}`;
      const intent: Intent = {
        key: `${name}-intent`, client: name, token, outcome: 'unknown',
        fields: { ...BTC_USDT, type: String(1 + random(2)), target_price: `${56_000 + random(40)}.00`, amount: `0.00${1 + random(9)}`, client_order_id: name },
      };
      this.log.push(intent);
      const answer = await this.attempt('POST', '/api/coin/trade', intent.fields, token, intent.key);
      if (!answer || answer.type === 'pending' || answer.key === 'common.unavailable' || answer.key === 'common.defect') continue;
      intent.outcome = answer.type === 'ok' ? 'ok' : 'refused';
      if (answer.type !== 'ok') intent.why = answer.key ?? answer.type;
      if (answer.id === undefined) continue;
      intent.id = answer.id;
      if (random(3) === 0) intent.cancelled = (await this.attempt('PUT', '/api/coin/trade', { id: answer.id }, token))?.type === 'ok';
    }
  }

  /** Null when no answer came: the exchange is being killed. */
  private async attempt(method: string, path: string, fields: Readonly<Record<string, string>>, token: string, key?: string): Promise<Body | null> {
    try {
      return await call(this.url, method, path, fields, token, key);
    } catch (error) {
      // By name: under Jest these come from another realm.
      if (!['TypeError', 'TimeoutError', 'SyntaxError'].includes((error as Error).name)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return null;
    }
  }

  /** Every disagreement between the log and the exchange, as sentences. Empty: they agree. */
  async disagreements(): Promise<string[]> {
    const found: string[] = [];
    for (const intent of this.log) {
      if (intent.outcome === 'unknown') {
        const answer = await settled(() => call(this.url, 'POST', '/api/coin/trade', intent.fields, intent.token, intent.key), ({ type, key }) => type === 'ok' || (type === 'error' && key !== 'common.unavailable' && key !== 'common.repeated'));
        // `common.expired` is a final no: it reached its writer too late, and nothing was done.
        if (answer.type === 'error' && answer.key === 'common.expired') { intent.outcome = 'refused'; continue; }
        if (answer.type !== 'ok' || answer.id === undefined) { found.push(`${intent.client}: its repeat answered ${answer.type} ${answer.key}`); continue; }
        intent.id = answer.id;
      }
      if (intent.outcome === 'refused') continue;
      const shown = await settled(() => call(this.url, 'GET', '/api/coin/order', { client_order_id: intent.client }, intent.token), ({ type }) => type === 'ok');
      const order = shown.message as { id: string; status: number; cancelled: number };
      if (shown.type !== 'ok' || order.id !== intent.id) found.push(`${intent.client}: now ${JSON.stringify(shown)}, was ${intent.id}`);
      else if (intent.cancelled && !(order.status === 2 && order.cancelled === 1)) found.push(`${intent.client}: its cancel was answered, now ${JSON.stringify(order)}`);
    }
    found.push(...await this.bookDiffers());
    const audit = await settled(() => call(this.url, 'GET', '/dev/audit'), ({ message }) => (message as { ok: number } | undefined)?.ok === 1);
    if ((audit.message as { ok: number } | undefined)?.ok !== 1) found.push(`audit: ${JSON.stringify(audit.message)}`);
    for (const token of this.tokens) {
      const check = await settled(() => call(this.url, 'GET', '/api/statement/check', {}, token), ({ type }) => type === 'ok');
      if ((check.message as { ok: number } | undefined)?.ok !== 1) found.push(`statement: ${JSON.stringify(check)}`);
    }
    return found;
  }

  /** The book is the sum of the two traders' open orders. */
  private async bookDiffers(): Promise<string[]> {
    const levels = new Map<string, bigint>();
    for (const token of this.tokens) {
      for (const path of ['/api/transaction_in', '/api/transaction_out']) {
        for (let page = 1; ; page++) {
          const { message } = await settled(() => call(this.url, 'POST', path, { page: String(page), ...BTC_USDT }, token), ({ type }) => type === 'ok');
          const { list, has_more } = message as { list: { price: string; number: string }[]; has_more: number };
          for (const row of list) levels.set(`${path}@${plain(row.price)}`, (levels.get(`${path}@${plain(row.price)}`) ?? 0n) + lots(row.number));
          if (has_more === 0) break;
        }
      }
    }
    const expected = JSON.stringify([...levels].map(([level, sum]) => [level, String(sum)]).sort());
    const shown = await settled(async () => image((await call(this.url, 'POST', '/api/transaction/deal', { ...BTC_USDT, depth: '100' })).message), (now) => now === expected);
    return shown === expected ? [] : [`book: shown ${shown}, open orders make ${expected}`];
  }

  /** Trading goes on by itself: an order is accepted and cancelled, within the bound. */
  async tradesOn(withinMs: number): Promise<void> {
    const order = await settled(() => call(this.url, 'POST', '/api/coin/trade', { ...BTC_USDT, type: '1', target_price: '50000.00', amount: '0.01' }, this.tokens[0]), ({ type }) => type === 'ok', withinMs);
    if (order.type !== 'ok') throw new Error(`no trading after ${withinMs} ms: ${JSON.stringify(order)}`);
    const cancel = await settled(() => call(this.url, 'PUT', '/api/coin/trade', { id: order.id ?? '' }, this.tokens[0]), ({ type }) => type === 'ok', withinMs);
    if (cancel.type !== 'ok') throw new Error(`no cancel after ${withinMs} ms: ${JSON.stringify(cancel)}`);
  }
}

async function call(url: string, method: string, path: string, fields: Readonly<Record<string, string>> = {}, token?: string, key?: string): Promise<Body> {
  const query = method === 'GET' ? `?${new URLSearchParams(fields).toString()}` : '';
  const response = await fetch(`${url}${path}${query}`, {
    method, signal: AbortSignal.timeout(8_000),
    headers: { ...(token ? { authorization: token } : {}), ...(key ? { 'idempotency-key': key } : {}), ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(method === 'GET' ? {} : { body: new URLSearchParams(fields).toString() }),
  });
  return (await response.json()) as Body;
}

/** Asks until it is good, at most `withinMs`; the last answer otherwise. A call that gets no answer is asked again. */
async function settled<T>(ask: () => Promise<T>, good: (value: T) => boolean, withinMs = 20_000): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      const value = await ask();
      if (good(value) || Date.now() > until) return value;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const plain = (text: string): string => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);
const lots = (text: string): bigint => { const [whole = '0', fraction = ''] = text.split('.'); return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0')); };
function image(message: unknown): string {
  const book = message as { in?: { price: string; number: string }[]; out?: { price: string; number: string }[] } | undefined;
  const side = (path: string, levels: readonly { price: string; number: string }[] = []): [string, string][] => levels.map((level) => [`${path}@${plain(level.price)}`, String(lots(level.number))]);
  return JSON.stringify([...side('/api/transaction_in', book?.in), ...side('/api/transaction_out', book?.out)].sort());
}
