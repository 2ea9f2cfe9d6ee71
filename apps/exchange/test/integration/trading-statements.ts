/* Terms of savings and exchanges of points of the traders of `TradingLog`, with their statement lines. */
import { call, settled } from './trading-log.js';

const USDT = '3';
const PTS = '900001';
const HAP = '8';
/** Lines of one page. */
const PAGE = 50;
const AGREE_MS_MAX = 90_000;

/** A term as its owner wrote it down. */
interface Term {
  readonly id: string;
  readonly amount: string;
  /** Its cancel was answered. */
  readonly cancelled: boolean;
}
/** An exchange as its owner wrote it down. */
interface Exchange {
  readonly id: string;
  readonly points: string;
}
interface Line {
  readonly value: string;
  readonly account: string;
  readonly currency_id: number;
  readonly cause_type: string;
  readonly cause_id: string;
}
interface ListedTerm {
  readonly id: string;
  readonly amount: string;
  readonly profit: string;
  readonly status: 1 | 2 | 3;
}
interface ListedExchange {
  readonly id: string;
  readonly exchange_num: string;
  readonly integral: string;
}
interface Listed<T> {
  readonly data: readonly T[];
  readonly has_more: number;
}

/**
 * Checks the statement lines of each term and each exchange: the principal taken and reserved, the amount returned, the
 * points used and the coins received, each once, independent of retries and kills.
 */
export class TradingStatements {
  constructor(
    private readonly url: string,
    private readonly tokens: readonly string[],
  ) {}

  /** Binds an account of the simulated third party for each trader without one. @throws if it is refused. */
  async bindPoints(): Promise<void> {
    for (const [index, token] of this.tokens.entries()) {
      const bound = await settled(
        () =>
          call(this.url, 'POST', '/api/jc/bind', { user_name: `jcdemo${9_001 + index}`, password: 'jcdemo1' }, token),
        ({ type, key }) => type === 'ok' || key === 'jc.bound',
      );
      if (bound.type !== 'ok' && bound.key !== 'jc.bound') throw new Error(`a binding: ${bound.key}`);
      const { type, key } = await settled(
        () => call(this.url, 'GET', '/api/jc/info', {}, token),
        (answer) => answer.type === 'ok' && Number((answer.message as { jc_integral: string }).jc_integral) > 0,
      );
      if (type !== 'ok') throw new Error(`points: ${key}`);
    }
  }

  /** Every term of the log that its list or the statement shows otherwise, as sentences. */
  async termsDiffer(token: string, terms: readonly Term[]): Promise<string[]> {
    const ids = new Set(terms.map(({ id }) => id));
    let found: string[] = [];
    await settled(
      async () => {
        const [listed, lines] = await Promise.all([
          this.listed<ListedTerm>('/api/currency/deposit/lhDepositOrderList', token, ids),
          this.lines('savings', token, ids),
        ]);
        found = [
          ...unexplained('term', lines, listed),
          ...terms.flatMap((term) => termDiffers(term, listed.get(term.id), lines.get(term.id) ?? [])),
        ];
      },
      () => found.length === 0,
      AGREE_MS_MAX,
    );
    return found;
  }

  /** Every exchange of the log that its list or the statement shows otherwise, as sentences. */
  async exchangesDiffer(token: string, exchanges: readonly Exchange[]): Promise<string[]> {
    const ids = new Set(exchanges.map(({ id }) => id));
    let found: string[] = [];
    await settled(
      async () => {
        const [listed, lines] = await Promise.all([
          this.listed<ListedExchange>('/api/jc/exchange', token, ids),
          this.lines('points_exchange', token, ids),
        ]);
        found = [
          ...unexplained('exchange', lines, listed),
          ...exchanges.flatMap((one) => exchangeDiffers(one, listed.get(one.id), lines.get(one.id) ?? [])),
        ];
      },
      () => found.length === 0,
      AGREE_MS_MAX,
    );
    return found;
  }

  /** Returns the rows of this run in a list, by id: it is newest first, so ours end at a page without any of them. */
  private async listed<T extends { readonly id: string }>(
    path: string,
    token: string,
    ids: ReadonlySet<string>,
  ): Promise<Map<string, T>> {
    const rows = new Map<string, T>();
    for (let page = 1; ; page++) {
      const { data, has_more: more } = await this.page<T>(path, { page: String(page) }, token);
      for (const row of data) rows.set(row.id, row);
      if (more === 0 || !data.some(({ id }) => ids.has(id))) return rows;
    }
  }

  /**
   * Lines of a statement with this cause, by what caused them, as `account currency value`: those of this run, and what
   * moved since its first one.
   */
  private async lines(cause: string, token: string, ids: ReadonlySet<string>): Promise<Map<string, string[]>> {
    const rows: Line[] = [];
    for (let page = 1; ; page++) {
      const fields = { cause_type: cause, page: String(page), limit: String(PAGE) };
      const { data, has_more: more } = await this.page<Line>('/api/statement/list', fields, token);
      rows.push(...data);
      if (more === 0 || !data.some(({ cause_id: id }) => ids.has(id))) break;
    }
    const first = rows.findLastIndex(({ cause_id: id }) => ids.has(id));
    const lines = new Map<string, string[]>();
    for (const { cause_id: id, account, currency_id: currency, value } of rows.slice(0, first + 1))
      lines.set(id, [...(lines.get(id) ?? []), `${account} ${currency} ${plain(value)}`]);
    return lines;
  }

  private async page<T>(path: string, fields: Readonly<Record<string, string>>, token: string): Promise<Listed<T>> {
    const { type, key, message } = await call(this.url, 'GET', path, fields, token);
    if (type !== 'ok') throw new Error(`${path}: ${key}`);
    return message as Listed<T>;
  }
}

function termDiffers(
  { id, amount, cancelled }: Term,
  listed: ListedTerm | undefined,
  lines: readonly string[],
): string[] {
  if (!listed) return [`term ${id}: accepted, and not listed`];
  const { status, profit } = listed;
  const principal = plain(amount);
  const taken = [`change ${USDT} -${principal}`, `savings ${USDT} ${principal}`];
  const given = [`savings ${USDT} -${principal}`, `change ${USDT} ${principal}`];
  const expected = {
    1: taken,
    2: [...taken, ...given, `change ${USDT} ${plain(profit)}`],
    3: [...taken, ...given],
  }[status];
  return [
    ...(plain(listed.amount) === principal
      ? []
      : [`term ${id}: ${principal} was put aside, listed is ${listed.amount}`]),
    ...(cancelled && status !== 3 ? [`term ${id}: its cancel was answered, and its status is ${status}`] : []),
    ...linesDiffer(`term ${id}, status ${status}`, lines, expected),
  ];
}

function exchangeDiffers(
  { id, points }: Exchange,
  listed: ListedExchange | undefined,
  lines: readonly string[],
): string[] {
  if (!listed) return [`exchange ${id}: accepted, and not listed`];
  return [
    ...(plain(listed.integral) === plain(points)
      ? []
      : [`exchange ${id}: ${points} points, listed ${listed.integral}`]),
    ...linesDiffer(`exchange ${id}`, lines, [
      `points ${PTS} -${plain(points)}`,
      `change ${HAP} ${plain(listed.exchange_num)}`,
    ]),
  ];
}

function linesDiffer(what: string, lines: readonly string[], expected: readonly string[]): string[] {
  const [is, must] = [[...lines].sort().join(', '), [...expected].sort().join(', ')];
  return is === must ? [] : [`${what}: the statement has ${is || 'nothing'}, it must be ${must}`];
}

/** Money that moved for something that no list shows. */
const unexplained = (
  what: string,
  lines: ReadonlyMap<string, readonly string[]>,
  listed: ReadonlyMap<string, unknown>,
): string[] =>
  [...lines.keys()].filter((id) => !listed.has(id)).map((id) => `${what} ${id}: money moved, and it is not listed`);

const plain = (text: string): string => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);
