import { formatUnits } from '@bourse/money';
import type { Commodity } from '../currencies.js';

/** Formats of plain-text accounting, each with the program that checks its files: `bean-check`, `hledger check`. */
export const BOOK_FORMATS = ['beancount', 'hledger'] as const;
export type BookFormat = (typeof BOOK_FORMATS)[number];

export interface BookPosting {
  /** Segments joined by colons, each of letters, digits and hyphens, the first one of the five kinds of accounts. */
  readonly account: string;
  readonly currency: number;
  /** Signed, in units of the currency: a debit is positive. */
  readonly units: bigint;
}
export interface BookTransaction {
  readonly at: number;
  /** Id of the journal, as all lists show it. */
  readonly journal: string;
  readonly causeType: string;
  readonly causeId: string;
  readonly postings: readonly BookPosting[];
}

const DAY_MS = 86_400_000;
/** Accounts and commodities are opened before every transaction, even if a clock was set back over midnight. */
const OPENED = '1970-01-01';
/** A symbol that both formats accept; a currency with any other name is written as its number. */
const PLAIN_SYMBOL = /^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/;
const NUMBERED_SYMBOL = /^CURRENCY-\d+$/;
/** Reserved words of beancount. */
const RESERVED: ReadonlySet<string> = new Set(['TRUE', 'FALSE', 'NULL']);

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** In quotation marks, on one line. */
const quote = (text: string): string => `"${lineOf(text).replace(/[\\"]/g, '\\$&')}"`;
const lineOf = (text: string): string => text.replace(/\p{C}+/gu, ' ').trim();
/** A description of hledger ends at a semicolon, and a bar separates the payee from the note. */
const describe = (text: string): string => lineOf(text).replaceAll(';', ',').replaceAll('|', '/');

/**
 * Writes a book of plain-text accounting piece by piece. Accounts and commodities are declared before their first use;
 * every amount has all decimals of its currency.
 */
export class PlainTextBook {
  private readonly symbols = new Map<number, string>();
  private readonly accounts = new Set<string>();
  private lastAt = 0;

  /** @param commodityOf throws for a currency that does not exist */
  constructor(
    private readonly format: BookFormat,
    private readonly commodityOf: (currency: number) => Commodity,
  ) {}

  head(title: string): string {
    return this.format === 'beancount'
      ? `option "title" ${quote(title)}\n\n`
      : `; ${describe(title)}\ndecimal-mark .\n\n`;
  }

  transaction({ at, journal, causeType, causeId, postings }: BookTransaction): string {
    this.lastAt = Math.max(this.lastAt, at);
    const declared = this.declare(postings);
    const time = new Date(at).toISOString();
    const head =
      this.format === 'beancount'
        ? `${dateOf(at)} * ${quote(causeType)} ${quote(causeId)}\n` +
          `  journal: ${quote(journal)}\n  time: ${quote(time)}\n`
        : `${dateOf(at)} * (${journal}) ${describe(causeType)} | ${describe(causeId)}  ; time:${time}\n`;
    const indent = this.format === 'beancount' ? '  ' : '    ';
    const lines = postings.map(
      ({ account, currency, units }) => `${indent}${account}  ${this.amount(units, currency)}\n`,
    );
    return `${declared}${head}${lines.join('')}\n`;
  }

  /** Writes assertions of the balances after the last transaction, dated the day after it. */
  balances(rows: readonly BookPosting[]): string {
    const date = dateOf(this.lastAt + DAY_MS);
    const declared = this.declare(rows);
    const lines = rows.map(({ account, currency, units }) =>
      this.format === 'beancount'
        ? `${date} balance ${account}  ${this.number(units, currency)} ~ 0 ${this.symbol(currency)}\n`
        : `${date} * balance\n    ${account}  ${this.amount(0n, currency)} = ${this.amount(units, currency)}\n\n`,
    );
    return `${declared}${lines.join('')}`;
  }

  private declare(postings: readonly BookPosting[]): string {
    let text = '';
    for (const { account, currency } of postings) {
      if (!this.symbols.has(currency)) text += this.declareCommodity(currency);
      if (this.accounts.has(account)) continue;
      this.accounts.add(account);
      text += this.format === 'beancount' ? `${OPENED} open ${account}\n` : `account ${account}\n`;
    }
    return text;
  }

  private declareCommodity(currency: number): string {
    const { name, scale } = this.commodityOf(currency);
    const isPlain =
      PLAIN_SYMBOL.test(name) &&
      !NUMBERED_SYMBOL.test(name) &&
      !RESERVED.has(name) &&
      ![...this.symbols.values()].includes(name);
    this.symbols.set(currency, isPlain ? name : `CURRENCY-${currency}`);
    if (this.format === 'beancount')
      return `${OPENED} commodity ${this.symbol(currency)}\n  name: ${quote(name)}\n  decimals: ${scale}\n`;
    const sample = formatUnits(10n ** BigInt(scale) * 1_000n, scale);
    // An integer has its decimal mark too: a format without one is ambiguous.
    return `commodity ${sample}${scale === 0 ? '.' : ''} ${this.symbol(currency)}  ; name:${describe(name)}\n`;
  }

  private symbol(currency: number): string {
    const symbol = this.symbols.get(currency) as string;
    return this.format === 'beancount' || /^[A-Z]+$/.test(symbol) ? symbol : `"${symbol}"`;
  }

  private number(units: bigint, currency: number): string {
    return formatUnits(units, this.commodityOf(currency).scale);
  }

  private amount(units: bigint, currency: number): string {
    return `${this.number(units, currency)} ${this.symbol(currency)}`;
  }
}

/** A segment of an account: the words of a name, each with a capital, joined by hyphens. */
export const segmentOf = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('-');
