import { testTimeoutMs } from '@bourse/testing/eventually';
import { TradingDeals, type DealEnd, type Helpers } from './trading-deals.js';
import { CALLS, LISTS, pageOf, PRICES, type Fields, type Kind, type Movement, type Random } from './trading-kinds.js';
import { TradingStatements } from './trading-statements.js';
import { TradingTeam } from './trading-team.js';

/** A client's record of one intent: `ok` with its id, `refused`, or `unknown` without a final answer. */
interface Intent {
  readonly kind: Kind;
  readonly key: string;
  readonly client: string;
  readonly token: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  outcome: 'ok' | 'refused' | 'unknown';
  id?: string;
  cancelled?: boolean;
  why?: string;
  /** How an unknown one was resolved: by its id, or by the same call again. */
  resolved?: 'command' | 'repeat';
}
export interface Body {
  readonly type: string;
  readonly key?: string;
  readonly id?: string;
  /** The answer of a subscription or an exchange. */
  readonly order?: { readonly id: string };
  readonly exchange?: { readonly id: string };
  readonly appeal?: unknown;
  /** Of a change that waits for others. */
  readonly approval_id?: number;
  readonly message: unknown;
}
export interface Tally {
  readonly ok: number;
  readonly refused: number;
  readonly resolved: number;
  readonly slowestMs: number;
  readonly slowestCall: string;
  readonly unanswered: readonly string[];
  /** Calls whose connection broke before an answer came. */
  readonly broken: readonly string[];
  /** Calls sent again because their kept connection was closed as they were sent (`resends`). */
  readonly resent: number;
  readonly why: Readonly<Record<string, number>>;
}
export interface TradingOptions {
  /** Each client waits this long between two intents. */
  readonly paceMs?: number;
  /** One in this number of intents is a transfer between accounts; 0: none. */
  readonly transferEvery?: number;
  /** One in this number of the other intents is a withdrawal by a simulated chain; 0: none. */
  readonly withdrawEvery?: number;
  /** One in this number of the other intents is a leveraged position, half of which are closed again; 0: none. */
  readonly positionEvery?: number;
  /** One in this number of the other intents is a seconds contract; 0: none. */
  readonly contractEvery?: number;
  /** One in this number of the other intents is a deal on an ad, with every possible end; 0: none. */
  readonly dealEvery?: number;
  /** One in this number of the other intents is a deposit with an acceptor, half of which are cancelled; 0: none. */
  readonly depositEvery?: number;
  /** One in this number of the other intents is a term of savings, half of which are cancelled again; 0: none. */
  readonly termEvery?: number;
  /** One in this number of the other intents is an exchange of points; 0: none. */
  readonly exchangeEvery?: number;
  /** Before one in this number of intents a user registers below the last one; 0: none. */
  readonly memberEvery?: number;
  readonly seed?: number;
  /** How often the time of an answer is waited for one, before a call is given up. */
  readonly patience?: number;
  /** Every call is made twice at once and once more after its answer, all with one key. */
  readonly again?: boolean;
  /**
   * As browsers and balancers do: a call on a keep-alive connection that the server closed at the same moment is resent
   * once, under its key. HTTP/1.1 has no other way to close an idle connection (RFC 9112, section 9.3.1).
   */
  readonly resends?: boolean;
}

interface Level {
  readonly price: string;
  readonly number: string;
}

const BTC_USDT = { legal_id: '3', currency_id: '1' };
const FUND = 'fund66';
const PAUSE_MS = 100;
/** The exchange answers within 5 s; a call without an answer by this time is given up. */
export const ANSWER_MS_MAX = 8_000;
const MOVEMENTS = Object.keys(LISTS) as Movement[];
/** Maximum number of concurrent queries when all intents are compared. */
const AT_ONCE = 8;

/**
 * Traders who place, cancel and move money on an exchange that is being killed, and their own log of the answers.
 * Afterwards the log and the exchange must agree: each ok one effect, each refusal none, each open command one answer
 * (invariants I6). The book is compared as a whole, so no other client may trade BTC/USDT meanwhile: run it without
 * house quotes.
 */
export class TradingLog {
  private readonly log: Intent[] = [];
  private running = false;
  private clients: Promise<void>[] = [];
  private serial = 0;
  private slowestMs = 0;
  private slowestCall = '';
  private readonly unanswered: string[] = [];
  private resent = 0;
  private readonly broken: string[] = [];
  private paused = false;
  private readonly contradictions: string[] = [];
  private readonly before = new Map<string, ReadonlySet<string>>();
  private others: ReadonlyMap<string, bigint> = new Map();
  private readonly deals: TradingDeals;
  private readonly statements: TradingStatements;
  private readonly team: TradingTeam;

  private constructor(
    private readonly url: string,
    private readonly tokens: readonly [string, string],
    private readonly name: string,
    private readonly options: TradingOptions,
    helpers: Helpers,
  ) {
    this.deals = new TradingDeals((...one) => this.attempt(...one), tokens, helpers);
    this.statements = new TradingStatements(url, tokens);
    this.team = new TradingTeam(url, (...one) => this.attempt(...one), tokens[0], name);
  }

  static async signIn(url: string, name: string, options: TradingOptions = {}): Promise<TradingLog> {
    const token = async (account: string): Promise<string> => {
      const { type, message, key } = await settled(
        () => call(url, 'POST', '/api/user/login', { user_string: account, password: 'Harbor-2468' }),
        (answer) => answer.type === 'ok',
      );
      if (type !== 'ok') throw new Error(`sign-in of ${account}: ${key}`);
      return message as string;
    };
    const operator = async (username: string): Promise<string> => {
      const { type, message, key } = await settled(
        () => call(url, 'POST', '/api/admin/login', { username, password: 'Harbor-2468' }),
        (answer) => answer.type === 'ok',
      );
      if (type !== 'ok') throw new Error(`sign-in of ${username}: ${key}`);
      return message as string;
    };
    const deals = (options.dealEvery ?? 0) > 0 || (options.depositEvery ?? 0) > 0;
    const helpers = async (): Promise<Helpers> => ({
      seller: await token('seller@demo.bourse'),
      acceptor: await token('acceptor@demo.bourse'),
      finance: await operator('finance1'),
      admins: [await operator('operator'), await operator('operator2'), await operator('operator3')],
    });
    const log = new TradingLog(
      url,
      [await token('trader1@demo.bourse'), await token('trader2@demo.bourse')],
      name,
      options,
      deals ? await helpers() : { seller: '', acceptor: '', finance: '', admins: ['', '', ''] },
    );
    if (deals) await log.deals.publish();
    if (log.every('exchange') > 0) await log.statements.bindPoints();
    if (options.memberEvery) await log.team.begin();
    for (const kind of log.moved())
      for (const one of log.tokens)
        log.before.set(`${kind} ${one}`, new Set((await log.movementsOf(kind, one, null)).map(({ id }) => String(id))));
    log.others = await log.levelsOfOthers();
    return log;
  }

  /** Six clients trade until `stop`. */
  start(): void {
    this.running = true;
    this.clients = [1, 2, 3, 4, 5, 6].map((seed) =>
      this.trade(this.tokens[seed % 2 === 0 ? 0 : 1], seed * 7919 + (this.options.seed ?? 0)),
    );
  }

  /** No new intents until `resume`. */
  async pause(): Promise<void> {
    this.paused = true;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  resume(): void {
    this.paused = false;
  }

  /** No new intents; waits for the open calls. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.clients);
  }

  /** How many intents were accepted so far. */
  get accepted(): number {
    return this.log.filter(({ outcome }) => outcome === 'ok').length;
  }
  /** Summary of the answers, for the message of a failing test. */
  summary(): string {
    const outcomes = new Set(this.log.map(({ outcome, why }) => `${outcome} ${why ?? ''}`));
    return `${this.accepted} of ${this.log.length} accepted; ${[...outcomes].join(', ')}`;
  }
  /** Counts of the answers. `unanswered`: calls without an answer in time, although their connection was open. */
  tally(): Tally {
    const why: Record<string, number> = {};
    for (const one of this.log) if (one.why !== undefined) why[one.why] = (why[one.why] ?? 0) + 1;
    return {
      ok: this.log.filter(({ outcome }) => outcome === 'ok').length,
      refused: this.log.filter(({ outcome }) => outcome === 'refused').length,
      resolved: this.log.filter(({ resolved }) => resolved !== undefined).length,
      slowestMs: this.slowestMs,
      slowestCall: this.slowestCall,
      unanswered: this.unanswered,
      broken: this.broken,
      resent: this.resent,
      why,
    };
  }
  /** Names of the orders that must exist, and of those that must not. */
  names(): { readonly placed: readonly string[]; readonly refused: readonly string[]; readonly prefix: string } {
    const orders = this.log.filter(({ kind }) => kind === 'order');
    return {
      prefix: `${this.name}-`,
      placed: orders.filter(({ outcome }) => outcome === 'ok').map(({ client }) => client),
      refused: orders.filter(({ outcome }) => outcome === 'refused').map(({ client }) => client),
    };
  }

  private async trade(token: string, seed: number): Promise<void> {
    let state = seed;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >> 8) % below;
    };
    while (this.running) {
      if (this.paused) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        continue;
      }
      if (this.options.memberEvery && random(this.options.memberEvery) === 0) await this.team.register();
      const client = `${this.name}-${seed}-${++this.serial}`;
      const kind = this.kind(random);
      const intent: Intent = {
        kind,
        key: `${client}-intent`,
        client,
        token,
        outcome: 'unknown',
        ...this.callOf(kind, random, client, token),
      };
      this.log.push(intent);
      const ask = (): Promise<Body | null> => this.attempt('POST', intent.path, intent.fields, token, intent.key);
      const answers = this.options.again ? [...(await Promise.all([ask(), ask()])), await ask()] : [await ask()];
      for (const answer of answers) this.note(intent, answer);
      const ids = new Set(answers.flatMap((answer) => (answer?.type === 'ok' ? [idOf(answer)] : [])));
      if (ids.size > 1) this.contradictions.push(`${client}: one intent was answered with ${[...ids].join(' and ')}`);
      if (intent.kind === 'order' && intent.id !== undefined && random(3) === 0)
        intent.cancelled = (await this.attempt('PUT', '/api/coin/trade', { id: intent.id }, token))?.type === 'ok';
      if (intent.kind === 'position' && intent.id !== undefined && random(2) === 0)
        intent.cancelled = (await this.attempt('POST', '/api/lever/close', { id: intent.id }, token))?.type === 'ok';
      if (intent.kind === 'term' && intent.id !== undefined && random(2) === 0)
        intent.cancelled =
          (await this.attempt('POST', '/api/currency/deposit/cancel', { id: intent.id, password: FUND }, token))
            ?.type === 'ok';
      if (intent.kind === 'deal' || intent.kind === 'deposit') await this.deals.continueDeals(token);
      if (this.options.paceMs)
        await new Promise((resolve) => setTimeout(resolve, random(2 * (this.options.paceMs ?? 0))));
    }
  }

  private callOf(
    kind: Kind,
    random: Random,
    client: string,
    token: string,
  ): { readonly path: string; readonly fields: Fields } {
    if (kind === 'deal') return this.deals.deal(random, token);
    if (kind === 'deposit') return { path: '/api/acceptor/deal', fields: this.deals.deposit(random) };
    return { path: CALLS[kind].path, fields: CALLS[kind].fields(random, client) };
  }

  /** Draws the next kind of intent: mostly orders, now and then another. */
  private kind(random: (below: number) => number): Kind {
    for (const kind of MOVEMENTS) {
      const every = this.every(kind);
      if (every > 0 && random(every) === 0) return kind;
    }
    return 'order';
  }
  private every(kind: Movement): number {
    const { transferEvery, withdrawEvery, positionEvery, contractEvery, dealEvery, depositEvery } = this.options;
    const { termEvery, exchangeEvery } = this.options;
    const every = {
      transfer: transferEvery,
      withdrawal: withdrawEvery,
      position: positionEvery,
      contract: contractEvery,
      deal: dealEvery,
      deposit: depositEvery,
      term: termEvery,
      exchange: exchangeEvery,
    };
    return every[kind] ?? 0;
  }

  /** An intent that stays open after this answer is resolved by its id at the end. 503 means that nothing was done. */
  private note(intent: Intent, answer: Body | null): void {
    if (!answer || answer.type === 'pending' || answer.key === 'common.defect' || answer.key === 'common.repeated')
      return;
    if (intent.outcome === 'ok' && answer.type !== 'ok')
      this.contradictions.push(`${intent.client}: accepted, and then ${answer.type} ${answer.key}`);
    intent.outcome = answer.type === 'ok' ? 'ok' : 'refused';
    if (answer.type !== 'ok') intent.why = answer.key ?? answer.type;
    const id = answer.type === 'ok' ? idOf(answer) : undefined;
    if (id !== undefined) intent.id = id;
  }

  /** Null when no answer came: the exchange is being killed. */
  private async attempt(
    method: string,
    path: string,
    fields: Readonly<Record<string, string>>,
    token: string,
    key?: string,
  ): Promise<Body | null> {
    const from = performance.now();
    try {
      const givenUpMs = ANSWER_MS_MAX * (this.options.patience ?? 1);
      const ask = (): Promise<Body> => call(this.url, method, path, fields, token, key, givenUpMs);
      const answer = await ask().catch((error: Error & { cause?: { code?: string } }) => {
        if (!this.options.resends || error.cause?.code !== 'UND_ERR_SOCKET') throw error;
        this.resent += 1;
        return ask();
      });
      const tookMs = Math.round(performance.now() - from);
      if (tookMs > this.slowestMs) {
        this.slowestMs = tookMs;
        this.slowestCall = `${method} ${path}: ${answer.type} ${answer.key ?? ''}`;
      }
      return answer;
    } catch (error) {
      // By name: under Jest these come from another realm.
      if (!['TypeError', 'TimeoutError', 'SyntaxError'].includes((error as Error).name)) throw error;
      const why = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
      if ((error as Error).name === 'TimeoutError') this.unanswered.push(`${method} ${path}`);
      else this.broken.push(`${method} ${path} (${why})`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return null;
    }
  }

  /** Resolves open intents: half of them by their id alone, half by the same call again. */
  private async resolve(intent: Intent, serial: number): Promise<string | null> {
    if (serial % 2 === 0) {
      const answer = await settled(
        () => call(this.url, 'GET', '/api/command', { key: intent.key }, intent.token),
        isFinal,
        30_000,
      );
      if (!isFinal(answer)) return `${intent.kind} ${intent.client}: its id answers ${answer.type} ${answer.key}`;
      intent.resolved = 'command';
      // Not found is final: it never happened and never will.
      intent.outcome = answer.type === 'ok' ? 'ok' : 'refused';
      const id = answer.type === 'ok' ? idOf(answer) : undefined;
      if (id === undefined) intent.why = `resolved: ${answer.key}`;
      else intent.id = id;
      return null;
    }
    const answer = await settled(
      () => call(this.url, 'POST', intent.path, intent.fields, intent.token, intent.key),
      (found) => isFinal(found) && found.key !== 'common.repeated',
      30_000,
    );
    intent.resolved = 'repeat';
    // A refusal is final too: too late, too little money.
    if (answer.type === 'error' && isFinal(answer)) {
      intent.outcome = 'refused';
      intent.why = `repeated: ${answer.key}`;
      return null;
    }
    const id = answer.type === 'ok' ? idOf(answer) : undefined;
    if (id === undefined) return `${intent.kind} ${intent.client}: its repeat answered ${answer.type} ${answer.key}`;
    intent.outcome = 'ok';
    intent.id = id;
    return null;
  }

  /** Every disagreement between the log and the exchange, as sentences. Empty: they agree. */
  async disagreements(): Promise<string[]> {
    const found: string[] = [...this.contradictions];
    const open = this.log.filter(({ outcome }) => outcome === 'unknown');
    await eachAtOnce(open, async (intent, serial) => {
      const wrong = await this.resolve(intent, serial);
      if (wrong !== null) found.push(wrong);
    });
    await eachAtOnce(
      this.log.filter(({ kind, outcome }) => kind === 'order' && outcome !== 'unknown'),
      async (intent) => {
        const shown = await settled(
          () => call(this.url, 'GET', '/api/coin/order', { client_order_id: intent.client }, intent.token),
          ({ type, key }) => (intent.outcome === 'ok' ? type === 'ok' : type === 'ok' || key === 'common.notFound'),
        );
        if (intent.outcome === 'refused') {
          if (shown.type === 'ok')
            found.push(`${intent.client}: was refused (${intent.why}), now ${JSON.stringify(shown)}`);
          return;
        }
        const order = shown.message as { id: string; status: number; cancelled: number };
        if (shown.type !== 'ok' || order.id !== intent.id)
          found.push(`${intent.client}: now ${JSON.stringify(shown)}, was ${intent.id}`);
        else if (intent.cancelled && !(order.status === 2 && order.cancelled === 1))
          found.push(`${intent.client}: its cancel was answered, now ${JSON.stringify(order)}`);
      },
    );
    found.push(...(await this.movementsDiffer()), ...(await this.endsDiffer()), ...(await this.bookDiffers()));
    // The alarm of forged records stays raised for 30 s after the last one.
    const audit = await settled(
      () => call(this.url, 'GET', '/dev/audit', {}, undefined, undefined, 30_000),
      ({ message }) => (message as { ok: number } | undefined)?.ok === 1,
      testTimeoutMs(32_000),
    );
    if ((audit.message as { ok: number } | undefined)?.ok !== 1) found.push(`audit: ${JSON.stringify(audit.message)}`);
    for (const token of this.tokens) {
      const check = await settled(
        () => call(this.url, 'GET', '/api/statement/check', {}, token, undefined, 30_000),
        ({ type }) => type === 'ok',
      );
      if ((check.message as { ok: number } | undefined)?.ok !== 1) found.push(`statement: ${JSON.stringify(check)}`);
    }
    return found;
  }

  private moved(): readonly Movement[] {
    return MOVEMENTS.filter((kind) => this.every(kind) > 0);
  }

  /** Checks that the lists contain exactly the accepted operations: none lost, none twice. */
  private async movementsDiffer(): Promise<string[]> {
    const found: string[] = [];
    for (const kind of this.moved()) {
      for (const token of this.tokens) {
        const expected = this.log
          .filter((one) => one.kind === kind && one.outcome === 'ok' && one.token === token)
          .map(({ id }) => String(id))
          .sort();
        const mine = (rows: readonly { id: string | number }[]): string[] =>
          rows
            .map(({ id }) => String(id))
            .filter((id) => !this.before.get(`${kind} ${token}`)?.has(id))
            .sort();
        const shown = await settled(
          async () => mine(await this.movementsOf(kind, token, expected.length)),
          (ids) => ids.join() === expected.join(),
        );
        const [lost, extra] = [
          expected.filter((id) => !shown.includes(id)),
          shown.filter((id, index) => !expected.includes(id) || shown.indexOf(id) !== index),
        ];
        if (lost.length + extra.length > 0) found.push(`${kind}: lost ${lost.join()}, unexplained ${extra.join()}`);
      }
    }
    return found;
  }

  /** Checks that objects answered as closed or released still are. */
  private async endsDiffer(): Promise<string[]> {
    const found = [
      ...(await this.closesDiffer()),
      ...(await this.moneyDiffers()),
      ...(await this.team.disagreements()),
    ];
    await eachAtOnce(this.deals.ends, async (end) => {
      const isSure = await settled(
        () => this.shownEnd(end),
        (shown) => shown === end.isSure,
      );
      if (isSure !== end.isSure)
        found.push(`deal ${end.id}: its end was answered as ${end.isSure}, now it is ${isSure}`);
    });
    return found;
  }

  private async shownEnd({ path, id, token }: DealEnd): Promise<number | undefined> {
    if (path === '/api/c2c_deal') {
      const { message } = await call(this.url, 'GET', path, { id }, token);
      return (message as { is_sure?: number }).is_sure;
    }
    const rows = (await this.movementsOf('deposit', token, null)) as { id: string | number; is_sure?: number }[];
    return rows.find((row) => String(row.id) === id)?.is_sure;
  }

  /** Of each term and each exchange the statement of its owner has the lines that it must have, each once. */
  private async moneyDiffers(): Promise<string[]> {
    const found: string[] = [];
    for (const token of this.tokens) {
      const mine = (kind: Kind): Intent[] =>
        this.log.filter((one) => one.kind === kind && one.outcome === 'ok' && one.token === token);
      const terms = mine('term').map(({ id, fields, cancelled }) => ({
        id: String(id),
        amount: fields['amount'] ?? '',
        cancelled: cancelled === true,
      }));
      const exchanges = mine('exchange').map(({ id, fields }) => ({
        id: String(id),
        points: fields['use_number'] ?? '',
      }));
      if (terms.length > 0) found.push(...(await this.statements.termsDiffer(token, terms)));
      if (exchanges.length > 0) found.push(...(await this.statements.exchangesDiffer(token, exchanges)));
    }
    return found;
  }

  private async closesDiffer(): Promise<string[]> {
    const found: string[] = [];
    for (const token of this.tokens) {
      const closed = this.log.filter((one) => one.kind === 'position' && one.cancelled === true && one.token === token);
      if (closed.length === 0) continue;
      const open = await settled(
        async () => (await this.openPositions(token)).map(({ id }) => String(id)),
        (ids) => closed.every(({ id }) => !ids.includes(String(id))),
      );
      for (const { id, client } of closed)
        if (open.includes(String(id))) found.push(`position ${client}: its close was answered, and it is open`);
    }
    return found;
  }

  private async openPositions(token: string): Promise<{ id: string | number }[]> {
    const rows: { id: string | number }[] = [];
    for (let page = 1; ; page++) {
      const { message } = await call(
        this.url,
        'POST',
        '/api/lever/my_trade',
        { status: '1', page: String(page) },
        token,
      );
      const { data, has_more } = pageOf(message);
      rows.push(...data);
      if (has_more === 0) return rows;
    }
  }

  /** Movements of a client, newest first: all, or enough pages for the last `count` of ours. */
  private async movementsOf(kind: Movement, token: string, count: number | null): Promise<{ id: string | number }[]> {
    const rows: { id: string | number }[] = [];
    for (let page = 1; count === null || rows.length < count + 60; page++) {
      const { message, type } = await settled(
        () => call(this.url, LISTS[kind].method, LISTS[kind].path, { page: String(page) }, token),
        (answer) => answer.type === 'ok',
      );
      if (type !== 'ok') throw new Error(`list of ${kind}s: ${JSON.stringify(message)}`);
      const { data, has_more } = pageOf(message);
      rows.push(...data);
      if (has_more === 0) break;
    }
    return rows;
  }

  /** Ends every open order, position, deal and ad of the clients, so that the next test finds their money free. */
  async cancelAll(): Promise<void> {
    await this.deals.finish();
    for (const token of this.tokens) {
      if (this.every('position') > 0)
        await settled(
          () => call(this.url, 'POST', '/api/lever/batch_close', { type: '0' }, token),
          ({ type }) => type === 'ok',
        );
      for (let more = true; more;) {
        const answer = await settled(
          () => call(this.url, 'POST', '/api/coin/cancel_all', {}, token),
          ({ type }) => type === 'ok',
        );
        more = ((answer as { ids?: readonly string[] }).ids?.length ?? 0) >= 1_000;
      }
    }
  }

  /** The book is the sum of the two traders' open orders, and of orders that others left in it before. */
  private async bookDiffers(): Promise<string[]> {
    const levels = await this.ownLevels();
    for (const [level, sum] of this.others) levels.set(level, (levels.get(level) ?? 0n) + sum);
    const expected = image(levels);
    const shown = await settled(
      async () => image(await this.shownLevels()),
      (now) => now === expected,
    );
    return shown === expected ? [] : [`book: shown ${shown}, open orders make ${expected}`];
  }

  /** Returns other users' levels in the book. In the traders' price range there must be none: they would be taken. */
  private async levelsOfOthers(): Promise<ReadonlyMap<string, bigint>> {
    const left = await settled(
      async () => {
        const [shown, own] = [await this.shownLevels(), await this.ownLevels()];
        for (const [level, sum] of own) shown.set(level, (shown.get(level) ?? 0n) - sum);
        return new Map([...shown].filter(([, sum]) => sum !== 0n));
      },
      (levels) => [...levels.values()].every((sum) => sum > 0n),
    );
    const near = [...left.keys()].filter((level) => {
      const price = Number(level.split('@')[1]);
      return level.includes('transaction_in') ? price >= PRICES.from : price <= PRICES.to;
    });
    if (near.length > 0) throw new Error(`others trade here: ${near.join(', ')}`);
    return left;
  }

  /** Levels of the two traders' open orders. */
  private async ownLevels(): Promise<Map<string, bigint>> {
    const levels = new Map<string, bigint>();
    for (const token of this.tokens) {
      for (const path of ['/api/transaction_in', '/api/transaction_out']) {
        for (let page = 1; ; page++) {
          const { message } = await settled(
            () => call(this.url, 'POST', path, { page: String(page), ...BTC_USDT }, token),
            ({ type }) => type === 'ok',
          );
          const { list, has_more } = message as { list: { price: string; number: string }[]; has_more: number };
          for (const row of list)
            levels.set(
              `${path}@${plain(row.price)}`,
              (levels.get(`${path}@${plain(row.price)}`) ?? 0n) + lots(row.number),
            );
          if (has_more === 0) break;
        }
      }
    }
    return levels;
  }

  /** Levels of the book as everybody sees it. */
  private async shownLevels(): Promise<Map<string, bigint>> {
    const { message } = await call(this.url, 'POST', '/api/transaction/deal', { ...BTC_USDT, depth: '100' });
    const { in: bids = [], out: asks = [] } = message as { in?: readonly Level[]; out?: readonly Level[] };
    return new Map(
      [...bids.map((level) => ['in', level] as const), ...asks.map((level) => ['out', level] as const)].map(
        ([side, { price, number }]) => [`/api/transaction_${side}@${plain(price)}`, lots(number)],
      ),
    );
  }

  /** Checks that trading continues: an order is accepted and cancelled within the bound. */
  async tradesOn(withinMs: number): Promise<void> {
    const order = await settled(
      () =>
        call(
          this.url,
          'POST',
          '/api/coin/trade',
          { ...BTC_USDT, type: '1', target_price: '50000.00', amount: '0.01' },
          this.tokens[0],
        ),
      ({ type }) => type === 'ok',
      withinMs,
    );
    if (order.type !== 'ok') throw new Error(`no trading after ${withinMs} ms: ${JSON.stringify(order)}`);
    const cancel = await settled(
      () => call(this.url, 'PUT', '/api/coin/trade', { id: order.id ?? '' }, this.tokens[0]),
      ({ type }) => type === 'ok',
      withinMs,
    );
    if (cancel.type !== 'ok') throw new Error(`no cancel after ${withinMs} ms: ${JSON.stringify(cancel)}`);
  }
}

/** One call in the name of a client. */
export async function call(
  url: string,
  method: string,
  path: string,
  fields: Readonly<Record<string, string>> = {},
  token?: string,
  key?: string,
  timeoutMs = ANSWER_MS_MAX,
): Promise<Body> {
  const query = method === 'GET' ? `?${new URLSearchParams(fields).toString()}` : '';
  const response = await fetch(`${url}${path}${query}`, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...(token ? { authorization: token } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(method === 'GET' ? {} : { body: new URLSearchParams(fields).toString() }),
  });
  return (await response.json()) as Body;
}

/** The id of the created object: most calls return the id, terms and exchanges the whole object. */
const idOf = ({ id, order, exchange }: Body): string | undefined => id ?? order?.id ?? exchange?.id;

/** A final answer: neither open nor "ask again". */
const isFinal = ({ type, key }: Body): boolean =>
  type === 'ok' ||
  (type === 'error' && key !== 'common.unavailable' && key !== 'common.defect' && key !== 'common.paused');

async function eachAtOnce<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let at = next++; at < items.length; at = next++) await work(items[at] as T, at);
    }),
  );
}

/**
 * Repeats a query until it is good, at most `withinMs`; returns the last answer otherwise. A call without an answer is
 * retried.
 */
export async function settled<T>(
  ask: () => Promise<T>,
  good: (value: T) => boolean,
  withinMs = testTimeoutMs(4_000),
): Promise<T> {
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
const lots = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
};
const image = (levels: ReadonlyMap<string, bigint>): string =>
  JSON.stringify([...levels].map(([level, sum]) => [level, String(sum)]).sort());
