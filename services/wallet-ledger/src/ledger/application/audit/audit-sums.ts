import type { MovedSums } from '@bourse/messaging';
import type { AuditedRow } from '../ports.js';
import type { PackedEntry } from '../writer/entries.js';

/** Decimals of the audit's units: finer than any currency, so amounts compare exactly whatever the catalog says. */
export const AUDIT_SCALE = 18;
/** Trades per block, the same in all services that compare them. */
const BLOCK = 1_000;
/** Blocks of a market whose trades are still kept one by one, because the caller may lag a little. */
const DETAILED_BLOCKS = 3;

/**
 * Sums per side of some trades in one currency: net, without sign, weighted by owner, weighted by place in the block.
 */
interface Sums {
  net: bigint;
  size: bigint;
  byOwner: bigint;
  byPlace: bigint;
}
interface Trade {
  sides: number;
  readonly sums: Map<number, Sums>;
}
/** A block of trades; `spans` are the journal numbers it was found in, by partition. */
interface Block extends Trade {
  readonly spans: Map<number, { first: number; last: number }>;
  details: Map<number, Trade> | null;
}

/** Weight of an owner, in sums that must detect money at the wrong owner. */
const weightOf = (owner: number): bigint => BigInt((((owner % 10_007) + 10_007) % 10_007) + 1);

/**
 * The trades in the journals, folded into blocks as they are read: how often each was settled, and the amounts of each
 * side.
 */
export class Settlements {
  private readonly blocks = new Map<string, Map<number, Block>>();

  clear(): void {
    this.blocks.clear();
  }

  /** Adds a row of a trade's journal; ignores other rows and those of the house. */
  add(row: AuditedRow, amounts: readonly { readonly currency: number; readonly amount: bigint }[]): void {
    if (row.causeType !== 'trade' || row.owner < 0) return;
    const named = tradeOf(row.causeId);
    if (!named) return;
    const blocks = this.blocks.get(named.symbol) ?? new Map<number, Block>();
    this.blocks.set(named.symbol, blocks);
    const number = Math.floor((named.sequence - 1) / BLOCK);
    let block = blocks.get(number);
    if (!block) {
      blocks.set(number, (block = { sides: 0, sums: new Map(), spans: new Map(), details: new Map() }));
      this.shorten(blocks, number);
    }
    const span = block.spans.get(row.partition);
    block.spans.set(
      row.partition,
      span
        ? { first: Math.min(span.first, row.number), last: Math.max(span.last, row.number) }
        : { first: row.number, last: row.number },
    );
    let trade = block.details?.get(named.sequence);
    if (block.details && !trade) block.details.set(named.sequence, (trade = { sides: 0, sums: new Map() }));
    const nets = new Map<number, bigint>();
    for (const { currency, amount } of amounts) nets.set(currency, (nets.get(currency) ?? 0n) + amount);
    for (const one of trade ? [block, trade] : [block]) {
      one.sides += 1;
      for (const [currency, net] of nets) addTo(one.sums, currency, net, row.owner, named.sequence);
    }
  }

  /**
   * Sums of a span of trades, by block; the span begins with a block and ends anywhere. For a part of a block whose
   * trades are no longer kept one by one: where to read them again.
   */
  of(
    symbol: string,
    from: number,
    to: number,
  ): (
    | MovedSums
    | { readonly from: number; readonly spans: ReadonlyMap<number, { readonly first: number; readonly last: number }> }
  )[] {
    const blocks = this.blocks.get(symbol);
    const found = [];
    for (let number = Math.floor((from - 1) / BLOCK); number * BLOCK < to; number += 1) {
      const block = blocks?.get(number);
      const [first, last] = [number * BLOCK + 1, Math.min(to, (number + 1) * BLOCK)];
      if (!block) continue;
      if (last === (number + 1) * BLOCK) found.push(shown(first, block));
      else if (block.details)
        found.push(
          shown(first, folded([...block.details].filter(([sequence]) => sequence <= last).map(([, trade]) => trade))),
        );
      else found.push({ from: first, spans: block.spans });
    }
    return found;
  }

  /** The journal numbers in which the trades of a block are. */
  spansOf(symbol: string, sequence: number): ReadonlyMap<number, { readonly first: number; readonly last: number }> {
    return this.blocks.get(symbol)?.get(Math.floor((sequence - 1) / BLOCK))?.spans ?? new Map();
  }

  private shorten(blocks: Map<number, Block>, newest: number): void {
    const old = blocks.get(newest - DETAILED_BLOCKS);
    if (old) old.details = null;
  }
}

type Read = {
  readonly row: AuditedRow;
  readonly amounts: readonly { readonly currency: number; readonly amount: bigint }[];
};

/** Trades one by one, read again from rows of the journal. */
export function eachTrade(rows: readonly Read[], symbol: string, from: number, to: number): MovedSums[] {
  return [...tradesOf(rows, symbol, from, to)]
    .sort(([a], [b]) => a - b)
    .map(([sequence, trade]) => shown(sequence, trade));
}

/**
 * The same trades as one block. The result equals that of `Settlements.of` for trades that are still kept one by one,
 * because the caller compares both.
 */
export function blockAgain(rows: readonly Read[], symbol: string, from: number, to: number): MovedSums {
  return shown(from, folded([...tradesOf(rows, symbol, from, to).values()]));
}

function tradesOf(rows: readonly Read[], symbol: string, from: number, to: number): Map<number, Trade> {
  const trades = new Map<number, Trade>();
  for (const { row, amounts } of rows) {
    const named = row.causeType === 'trade' && row.owner >= 0 ? tradeOf(row.causeId) : null;
    if (!named || named.symbol !== symbol || named.sequence < from || named.sequence > to) continue;
    const trade = trades.get(named.sequence) ?? { sides: 0, sums: new Map<number, Sums>() };
    trades.set(named.sequence, trade);
    trade.sides += 1;
    const nets = new Map<number, bigint>();
    for (const { currency, amount } of amounts) nets.set(currency, (nets.get(currency) ?? 0n) + amount);
    for (const [currency, net] of nets) addTo(trade.sums, currency, net, row.owner, named.sequence);
  }
  return trades;
}

/** Parses a cause id: `BTC/USDT-7` is trade 7 of BTC/USDT. */
function tradeOf(causeId: string): { symbol: string; sequence: number } | null {
  const dash = causeId.lastIndexOf('-');
  const sequence = Number(causeId.slice(dash + 1));
  return dash > 0 && Number.isSafeInteger(sequence) && sequence > 0
    ? { symbol: causeId.slice(0, dash), sequence }
    : null;
}

function addTo(sums: Map<number, Sums>, currency: number, net: bigint, owner: number, sequence: number): void {
  let of = sums.get(currency);
  if (!of) sums.set(currency, (of = { net: 0n, size: 0n, byOwner: 0n, byPlace: 0n }));
  const size = net < 0n ? -net : net;
  of.net += net;
  of.size += size;
  of.byOwner += net * weightOf(owner);
  of.byPlace += size * BigInt(sequence % BLOCK);
}

function folded(trades: readonly Trade[]): Trade {
  const all: Trade = { sides: 0, sums: new Map() };
  for (const trade of trades) {
    all.sides += trade.sides;
    for (const [currency, { net, size, byOwner, byPlace }] of trade.sums) {
      const of = all.sums.get(currency) ?? { net: 0n, size: 0n, byOwner: 0n, byPlace: 0n };
      all.sums.set(currency, {
        net: of.net + net,
        size: of.size + size,
        byOwner: of.byOwner + byOwner,
        byPlace: of.byPlace + byPlace,
      });
    }
  }
  return all;
}

const shown = (from: number, { sides, sums }: Trade): MovedSums => ({
  from,
  sides,
  sums: Object.fromEntries(
    [...sums].map(([currency, { net, size, byOwner, byPlace }]) => [
      String(currency),
      [net, size, byOwner, byPlace].map(String),
    ]),
  ),
});

/**
 * Sums over all lines of all journals by currency, compared with the same sums over all balances: a wrong unit in any
 * row makes them differ.
 */
export class LineSums {
  private readonly sums = new Map<
    number,
    { available: bigint; held: bigint; lines: [number, number]; byName: bigint }
  >();

  clear(): void {
    this.sums.clear();
  }

  add(owner: number, account: string, currency: number, state: 'a' | 'h', amount: bigint): void {
    let of = this.sums.get(currency);
    if (!of) this.sums.set(currency, (of = { available: 0n, held: 0n, lines: [0, 0], byName: 0n }));
    if (state === 'a') {
      of.available += amount;
      of.lines[0] += 1;
    } else {
      of.held += amount;
      of.lines[1] += 1;
    }
    of.byName += amount * nameWeight(owner, account) * (state === 'a' ? 1n : 3n);
  }

  /** By currency: available, held, lines of each state, weighted sum. */
  image(): Map<number, string> {
    return new Map(
      [...this.sums].map(([currency, { available, held, lines, byName }]) => [
        currency,
        [available, held, ...lines, byName].join(' '),
      ]),
    );
  }
}

/** The same weight as in SQL, from the owner and the account's name. */
const nameWeight = (owner: number, account: string): bigint =>
  weightOf(owner) + 10_007n * BigInt(account.charCodeAt(0) + 3 * (account.charCodeAt(2) || 0) + account.length);

/** The amounts of the lines in a packed row. */
export function amountsOf(
  entries: readonly PackedEntry[],
  units: (text: string) => bigint,
): { currency: number; amount: bigint }[] {
  return entries.map(([, currency, , amount]) => ({ currency, amount: units(amount) }));
}
