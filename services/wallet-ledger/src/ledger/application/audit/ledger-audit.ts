import { performance } from 'node:perf_hooks';
import {
  AuditPace,
  hasRead,
  type AuditCheck,
  type AuditFlow,
  type MovedSums,
  type NeededHold,
  type TradeSpan,
} from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { Rounds } from '@bourse/platform';
import { mayGoNegative } from '../../domain/index.js';
import { amountsOf, AUDIT_SCALE, blockAgain, eachTrade, LineSums, Settlements } from './audit-sums.js';
import { hashOf, type PackedEntry } from '../writer/entries.js';
import type { AuditedAccount, AuditReads, AuditedRow, CurrencyTotals, JournalSpan, Snapshot } from '../ports.js';
import { accountKey } from '../../domain/journal.js';

export type Check = AuditCheck;

// Journals per piece: few enough that the process answers calls between two pieces.
const JOURNALS_AT_ONCE = 250;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** Verified journals are compressed into one fingerprint per this many numbers. */
const SPAN = 2_000;
/** Time per round for comparing the fingerprints of journals verified earlier. */
const REVERIFY_MS = 150;
/** Names of journals other than trades that are remembered, to find duplicates; they are few. */
const NAMES_KEPT = 50_000;

interface Verified {
  sequence: number;
  balance: bigint;
}
interface Reached {
  number: number;
  part: number;
  hash: string;
}

/**
 * Checks all money of the ledger in one snapshot (invariants I1 to I4, I6). New journals are read line by line;
 * journals verified earlier are compared by fingerprints and by sums over all accounts, and are read again from the
 * start when these differ. Each check names the first wrong account.
 */
export class LedgerAudit {
  private lines = new Map<string, Verified>();
  private reached = new Map<number, Reached>();
  private readonly total = new LineSums();
  private readonly settlements = new Settlements();
  private spans: { readonly span: JournalSpan; readonly print: string }[] = [];
  private spanCursor = 0;
  /** By partition: verified journals that do not yet fill a span. */
  private tails = new Map<number, { readonly span: JournalSpan; readonly print: string }>();
  private names = new Set<string>();
  private lastClearing = '';
  private readonly rounds = new Rounds(() => this.round());
  private open: { key: string; sums: Map<number, bigint> } | null = null;
  /** Stream positions up to the journals that the last round verified; null: none. */
  private settled: AuditFlow | null = null;
  /** Heads and positions of the streams in the last snapshot. */
  flow: AuditFlow = { heads: {}, positions: {}, deadLetters: 0 };

  constructor(
    private readonly reads: AuditReads,
    private readonly partitions: number,
  ) {}

  /** Runs a round; a call during a round gets the result of the next one. */
  run(): Promise<Check[]> {
    return this.rounds.next();
  }

  /**
   * The settlements of a market's trades in the journals, by block or trade by trade. `until`: the stream positions of
   * the instance that reported these trades as settled; another instance reads up to them before it answers
   * [AUDIT-027].
   * @throws when the journals cannot be verified so far
   */
  async trades({ symbol, from, to, each = false, until = {} }: TradeSpan): Promise<MovedSums[]> {
    if (!this.knows(until)) await this.run();
    if (!this.knows(until)) throw new Error('the journals are not verified up to the requested positions');
    if (each) return eachTrade(await this.tradeRows(symbol, from), symbol, from, to);
    const moved: MovedSums[] = [];
    for (const block of this.settlements.of(symbol, from, to)) {
      if ('sides' in block) moved.push(block);
      // A part of a block that was completed long ago is read again from the journals.
      else moved.push(blockAgain(await this.tradeRows(symbol, block.from), symbol, block.from, to));
    }
    return moved;
  }

  private knows(heads: AuditFlow['heads']): boolean {
    return this.settled !== null && hasRead(this.settled, heads);
  }

  holdDigests(prefix: string): Promise<readonly string[]> {
    return this.reads.holdDigests(prefix);
  }
  holdLines(prefix: string, buckets: readonly number[]): Promise<{ lines: readonly NeededHold[]; flow: AuditFlow }> {
    return this.reads.inSnapshot(async (snapshot) => ({
      lines: await snapshot.holdLines(prefix, buckets),
      flow: await snapshot.flow(),
    }));
  }

  private async round(): Promise<Check[]> {
    const checks = await this.reads.inSnapshot(async (snapshot) => {
      this.flow = await snapshot.flow();
      const totals = await snapshot.totals();
      // Must run before new journals extend the tails.
      let altered = await this.tailsDiffer(snapshot);
      let chain = await this.readJournals(snapshot);
      let sums = chain === null ? this.sumsDiffer(totals) : 'the journals are broken';
      if (altered === null && chain === null && sums === null) altered = await this.reverify(snapshot);
      if (altered !== null || (chain === null && sums !== null)) {
        // A row that was verified earlier has changed: all journals are read again to name it.
        this.forget();
        chain = await this.readJournals(snapshot);
        sums = chain === null ? this.sumsDiffer(totals) : sums;
        if (chain === null && sums === null && altered !== null) chain = altered;
      }
      const overdrawn = await snapshot.overdrawn();
      const unheld = await snapshot.holdMismatch();
      const accounts = sums !== null || overdrawn ? await snapshot.accounts() : null;
      return [
        conservation(totals),
        overdraft(accounts, overdrawn),
        check('holds', unheld, 'what is held is the sum of the holds'),
        check('chain', chain, 'every journal is chained to the one before it, balanced, and there once'),
        accounts && sums !== null ? this.sums(accounts) : check('sums', null, 'every balance is the sum of its lines'),
        this.clearing(await snapshot.clearing()),
      ];
    });
    if (checks.some(({ ok }) => !ok)) this.forget();
    else this.settled = this.flow;
    return checks;
  }

  private forget(): void {
    this.settled = null;
    this.lines = new Map();
    this.reached = new Map();
    this.total.clear();
    this.settlements.clear();
    this.spans = [];
    this.spanCursor = 0;
    this.tails = new Map();
    this.names = new Set();
    this.open = null;
  }

  /** Verifies each partition's journal from where the last round ended. Returns the first fault. */
  private async readJournals(snapshot: Snapshot): Promise<string | null> {
    const pace = new AuditPace();
    for (let partition = 0; partition < this.partitions; partition++) {
      let spanFrom = this.spans.findLast(({ span }) => span.partition === partition)?.span.to ?? -1;
      const { first, last } = await snapshot.bounds(partition);
      if (spanFrom < 0) spanFrom = Math.max(0, first - 1);
      let number = this.reached.get(partition)?.number ?? Math.max(0, first - 1);
      if (number > last) return `journals ${last + 1} to ${number} of partition ${partition} are gone`;
      while (number < last) {
        const to = Math.min(last, number + JOURNALS_AT_ONCE);
        for (const row of await snapshot.journals({ partition, from: number, to })) {
          const fault = this.follow(row, this.reached.get(partition));
          if (fault !== null) return `journal ${row.number} of partition ${partition} (${row.id}): ${fault}`;
          this.reached.set(partition, { number: row.number, part: row.part, hash: row.hash });
        }
        number = to;
        await pace.rest();
        while (number - spanFrom >= SPAN) {
          const span = { partition, from: spanFrom, to: spanFrom + SPAN };
          this.spans.push({ span, print: await snapshot.fingerprint(span) });
          spanFrom = span.to;
        }
      }
      const tail = { partition, from: spanFrom, to: number };
      this.tails.set(partition, { span: tail, print: await snapshot.fingerprint(tail) });
      const unbalanced = this.endJournal();
      if (unbalanced !== null) return unbalanced;
    }
    return null;
  }

  private follow(row: AuditedRow, before: Reached | undefined): string | null {
    // The first row that is kept has no predecessor: older rows may have been dropped.
    if (before) {
      if (row.previousHash !== before.hash) return 'it is not chained to the one before it';
      const follows =
        row.number === before.number
          ? row.part === before.part + 1
          : row.number === before.number + 1 && row.part === 0;
      if (!follows) return `it follows ${before.number}.${before.part}`;
    }
    if (hashOf(row.previousHash, row) !== row.hash) return 'it does not have its hash';
    const entries = JSON.parse(row.entries) as PackedEntry[];
    for (const [account, currency, state, amount, after, sequence] of entries) {
      const key = `${accountKey(row.owner, account, currency)}${state === 'h' ? '*' : ''}`;
      const last = this.lines.get(key) ?? { sequence: 0, balance: 0n };
      if (!NUMBER.test(amount) || !NUMBER.test(after)) return `${key} has a line that is no amount`;
      const units = toUnits(amount, AUDIT_SCALE);
      const balance = last.balance + units;
      if (sequence !== last.sequence + 1) return `${key} has line ${sequence} after line ${last.sequence}`;
      if (balance !== toUnits(after, AUDIT_SCALE))
        return `${key} has ${after} after line ${sequence}, its lines make another sum`;
      this.lines.set(key, { sequence, balance });
      this.total.add(row.owner, account, currency, state, units);
    }
    const amounts = amountsOf(entries, (text) => toUnits(text, AUDIT_SCALE));
    this.settlements.add(row, amounts);
    return this.balanced(row, amounts);
  }

  /** The rows of a journal sum to zero in each currency, and no journal occurs twice. */
  private balanced(row: AuditedRow, amounts: readonly { currency: number; amount: bigint }[]): string | null {
    const key = `${row.partition}/${row.number}`;
    if (this.open?.key !== key) {
      const fault = this.endJournal();
      if (fault !== null) return fault;
      this.open = { key, sums: new Map() };
      if (row.causeType !== 'trade') {
        if (this.names.has(row.id)) return 'it is there twice';
        if (this.names.size >= NAMES_KEPT) this.names = new Set([...this.names].slice(NAMES_KEPT / 2));
        this.names.add(row.id);
      }
    }
    for (const { currency, amount } of amounts)
      this.open.sums.set(currency, (this.open.sums.get(currency) ?? 0n) + amount);
    return null;
  }

  private endJournal(): string | null {
    const wrong = this.open && [...this.open.sums].find(([, sum]) => sum !== 0n);
    const fault =
      wrong && this.open
        ? `journal ${this.open.key} moves ${wrong[1]} units of 1e-${AUDIT_SCALE} of currency ${wrong[0]} out of nowhere`
        : null;
    this.open = null;
    return fault;
  }

  /** Compares the fingerprints of journals verified earlier, in rotation, as many as the time allows. */
  private async reverify(snapshot: Snapshot): Promise<string | null> {
    const until = performance.now() + REVERIFY_MS;
    for (let looked = 0; looked < this.spans.length && performance.now() < until; looked += 1) {
      const { span, print } = this.spans[this.spanCursor % this.spans.length]!;
      this.spanCursor = (this.spanCursor + 1) % this.spans.length;
      if ((await snapshot.fingerprint(span)) !== print) return changed(span);
    }
    return null;
  }

  private async tailsDiffer(snapshot: Snapshot): Promise<string | null> {
    for (const { span, print } of this.tails.values())
      if ((await snapshot.fingerprint(span)) !== print) return changed(span);
    return null;
  }

  /** Compares all balances with all lines by their sums; null: equal. */
  private sumsDiffer(totals: readonly CurrencyTotals[]): string | null {
    const lines = this.total.image();
    const balances = new Map(
      totals.map(({ currency, available, held, lines: [a, h], byName }) => [
        currency,
        [available, held, a, h, byName].join(' '),
      ]),
    );
    for (const currency of new Set([...lines.keys(), ...balances.keys()])) {
      // An account that was opened and never used has no line.
      if ((lines.get(currency) ?? '0 0 0 0 0') !== (balances.get(currency) ?? '0 0 0 0 0'))
        return `balances of currency ${currency} are not the sums of their lines`;
    }
    return null;
  }

  /** The journal rows that contain the trades of a block. */
  private async tradeRows(
    symbol: string,
    from: number,
  ): Promise<{ row: AuditedRow; amounts: { currency: number; amount: bigint }[] }[]> {
    const spans = this.settlements.spansOf(symbol, from);
    const rows = await this.reads.inSnapshot(async (snapshot) => {
      const found: AuditedRow[] = [];
      for (const [partition, { first, last }] of spans) {
        for (let from = first - 1; from < last; from += JOURNALS_AT_ONCE)
          found.push(...(await snapshot.journals({ partition, from, to: Math.min(last, from + JOURNALS_AT_ONCE) })));
      }
      return found;
    });
    return rows.map((row) => ({
      row,
      amounts: amountsOf(JSON.parse(row.entries) as PackedEntry[], (text) => toUnits(text, AUDIT_SCALE)),
    }));
  }

  private sums(accounts: readonly AuditedAccount[]): Check {
    const seen = new Set<string>();
    let fault: string | null = null;
    for (const row of accounts) {
      const key = accountKey(row.owner, row.account, row.currency);
      for (const [name, balance, sequence] of [
        [key, row.available, row.availableSequence],
        [`${key}*`, row.held, row.heldSequence],
      ] as const) {
        const verified = this.lines.get(name) ?? { sequence: 0, balance: 0n };
        seen.add(name);
        if (verified.sequence !== sequence)
          fault ??= `${name} counts ${sequence} lines, its journals have ${verified.sequence}`;
        else if (!NUMBER.test(balance) || toUnits(balance, AUDIT_SCALE) !== verified.balance)
          fault ??= `${name} has ${balance}, its lines make another sum`;
      }
    }
    for (const name of this.lines.keys()) if (!seen.has(name)) fault ??= `${name} has lines and no balance`;
    return check('sums', fault, 'every balance is the sum of its lines');
  }

  /** Clearing is zero when the system is quiet: a difference counts if nothing has moved since the last round. */
  private clearing(rows: readonly AuditedAccount[]): Check {
    const image = JSON.stringify(
      rows.map(({ owner, currency, available, availableSequence }) => [owner, currency, available, availableSequence]),
    );
    const sums = new Map<number, bigint>();
    for (const { currency, available, held } of rows) {
      if (NUMBER.test(available) && NUMBER.test(held))
        sums.set(currency, (sums.get(currency) ?? 0n) + toUnits(available, AUDIT_SCALE) + toUnits(held, AUDIT_SCALE));
    }
    const quiet = image === this.lastClearing;
    this.lastClearing = image;
    const wrong = [...sums].find(([, sum]) => sum !== 0n);
    return check(
      'clearing',
      wrong && quiet ? `h.clearing of currency ${wrong[0]} does not sum to zero over the partitions` : null,
      wrong ? 'settlements between partitions are under way' : 'clearing sums to zero',
    );
  }
}

const changed = ({ partition, from, to }: JournalSpan): string =>
  `journals ${from + 1} to ${to} of partition ${partition} were changed after they were verified`;
const check = (name: string, fault: string | null, fine: string): Check => ({
  name,
  ok: fault === null,
  detail: fault ?? fine,
});

function conservation(
  totals: readonly { readonly currency: number; readonly available: string; readonly held: string }[],
): Check {
  // The overdraft check reports values that are no numbers.
  const wrong = totals.find(
    ({ available, held }) =>
      /^-?\d+$/.test(available) && /^-?\d+$/.test(held) && BigInt(available) + BigInt(held) !== 0n,
  );
  return check(
    'conservation',
    wrong
      ? `all accounts of currency ${wrong.currency} together have ` +
          `${BigInt(wrong.available) + BigInt(wrong.held)} of its units of 1e-${AUDIT_SCALE}`
      : null,
    'every currency sums to zero',
  );
}

function overdraft(accounts: readonly AuditedAccount[] | null, suspected: boolean): Check {
  const wrong = suspected
    ? accounts?.find(
        ({ account, currency, available, held }) =>
          !NUMBER.test(available) ||
          !NUMBER.test(held) ||
          held.startsWith('-') ||
          (available.startsWith('-') && !mayGoNegative(account, currency)),
      )
    : undefined;
  return check(
    'overdraft',
    wrong
      ? `${accountKey(wrong.owner, wrong.account, wrong.currency)} has ` +
          `${wrong.available} available and ${wrong.held} held`
      : null,
    'nothing is overdrawn',
  );
}
