import { toUnits } from '@bourse/money';
import { accountKey, mayGoNegative } from '../domain/index.js';
import { hashOf, type PackedEntry } from './entries.js';
import type { AuditedAccount, AuditReads, AuditedRow, Snapshot } from './ports.js';

export interface Check { readonly name: string; readonly ok: boolean; readonly detail: string }

/** Finer than any currency: balances are compared exactly, whatever the catalog says. */
const AUDIT_SCALE = 18;
// Few enough that the process answers calls between two pieces.
const ROWS_AT_ONCE = 500;
const NUMBER = /^-?\d+(\.\d+)?$/;

interface Verified { sequence: number; balance: bigint }
interface Reached { number: number; part: number; hash: string }

/**
 * Checks all money of the ledger in one snapshot (invariants I1 to I4). What was verified is remembered: the next round reads the new
 * journals only, after a fault everything again. Each check names the first wrong account.
 */
export class LedgerAudit {
  private lines = new Map<string, Verified>();
  private reached = new Map<number, Reached>();
  private lastClearing = '';
  private running: Promise<Check[]> | null = null;

  constructor(private readonly reads: AuditReads, private readonly partitions: number) {}

  /** Runs a round; who asks while one is under way gets the next one. */
  async run(): Promise<Check[]> {
    if (this.running) await this.running.catch(() => undefined); // its own caller hears of that failure
    this.running ??= this.round().finally(() => { this.running = null; });
    return this.running;
  }

  private async round(): Promise<Check[]> {
    const checks = await this.reads.inSnapshot(async (snapshot) => {
      const chain = await this.readJournals(snapshot);
      const accounts = await snapshot.accounts();
      const stray = await snapshot.strayHolds();
      return [conservation(accounts), overdraft(accounts), holds(accounts, stray), check('chain', chain, 'every journal is chained to the one before it'), this.sums(accounts), this.clearing(accounts)];
    });
    if (checks.some(({ ok }) => !ok)) {
      this.lines = new Map();
      this.reached = new Map();
    }
    return checks;
  }

  /** Follows each partition's journal from where the last round ended. Tells the first fault. */
  private async readJournals(snapshot: Snapshot): Promise<string | null> {
    for (let partition = 0; partition < this.partitions; partition++) {
      for (;;) {
        const from = this.reached.get(partition) ?? { number: 0, part: -1, hash: '' };
        const rows = await snapshot.journals(partition, from, ROWS_AT_ONCE);
        for (const row of rows) {
          const fault = this.follow(row, this.reached.get(partition));
          if (fault !== null) return `journal ${row.number} of partition ${partition} (${row.id}): ${fault}`;
          this.reached.set(partition, { number: row.number, part: row.part, hash: row.hash });
        }
        if (rows.length < ROWS_AT_ONCE) break;
      }
    }
    return null;
  }

  private follow(row: AuditedRow, before: Reached | undefined): string | null {
    // The first row that is kept has nothing before it: older ones may have been put away.
    if (before) {
      if (row.previousHash !== before.hash) return 'it is not chained to the one before it';
      const follows = row.number === before.number ? row.part === before.part + 1 : row.number === before.number + 1 && row.part === 0;
      if (!follows) return `it follows ${before.number}.${before.part}`;
    }
    if (hashOf(row.previousHash, row) !== row.hash) return 'it does not have its hash';
    for (const [account, currency, state, amount, after, sequence] of JSON.parse(row.entries) as PackedEntry[]) {
      const key = `${accountKey(row.owner, account, currency)}${state === 'h' ? '*' : ''}`;
      const last = this.lines.get(key) ?? { sequence: 0, balance: 0n };
      if (!NUMBER.test(amount) || !NUMBER.test(after)) return `${key} has a line that is no amount`;
      const balance = last.balance + toUnits(amount, AUDIT_SCALE);
      if (sequence !== last.sequence + 1) return `${key} has line ${sequence} after line ${last.sequence}`;
      if (balance !== toUnits(after, AUDIT_SCALE)) return `${key} has ${after} after line ${sequence}, its lines make another sum`;
      this.lines.set(key, { sequence, balance });
    }
    return null;
  }

  private sums(accounts: readonly AuditedAccount[]): Check {
    const seen = new Set<string>();
    let fault: string | null = null;
    for (const row of accounts) {
      const key = accountKey(row.owner, row.account, row.currency);
      for (const [name, balance, sequence] of [[key, row.available, row.availableSequence], [`${key}*`, row.held, row.heldSequence]] as const) {
        const verified = this.lines.get(name) ?? { sequence: 0, balance: 0n };
        seen.add(name);
        if (verified.sequence !== sequence) fault ??= `${name} counts ${sequence} lines, its journals have ${verified.sequence}`;
        else if (!NUMBER.test(balance) || toUnits(balance, AUDIT_SCALE) !== verified.balance) fault ??= `${name} has ${balance}, its lines make another sum`;
      }
    }
    for (const name of this.lines.keys()) if (!seen.has(name)) fault ??= `${name} has lines and no balance`;
    return check('sums', fault, 'every balance is the sum of its lines');
  }

  /** Clearing is zero when the system is quiet: a difference counts when nothing has moved since the last round. */
  private clearing(accounts: readonly AuditedAccount[]): Check {
    const rows = accounts.filter(({ account }) => account === 'h.clearing');
    const image = JSON.stringify(rows.map(({ owner, currency, available, availableSequence }) => [owner, currency, available, availableSequence]));
    const sums = sumsOf(rows);
    const quiet = image === this.lastClearing;
    this.lastClearing = image;
    const wrong = [...sums].find(([, sum]) => sum !== 0n);
    return check('clearing', wrong && quiet ? `h.clearing of currency ${wrong[0]} does not sum to zero over the partitions` : null, wrong ? 'settlements between partitions are under way' : 'clearing sums to zero');
  }
}

const check = (name: string, fault: string | null, fine: string): Check => ({ name, ok: fault === null, detail: fault ?? fine });

function conservation(accounts: readonly AuditedAccount[]): Check {
  const wrong = [...sumsOf(accounts)].find(([, sum]) => sum !== 0n);
  return check('conservation', wrong ? `all accounts of currency ${wrong[0]} together have ${wrong[1]} of its units of 1e-${AUDIT_SCALE}` : null, 'every currency sums to zero');
}

function overdraft(accounts: readonly AuditedAccount[]): Check {
  const wrong = accounts.find(({ account, available, held }) => !NUMBER.test(available) || !NUMBER.test(held) || held.startsWith('-') || (available.startsWith('-') && !mayGoNegative(account)));
  return check('overdraft', wrong ? `${accountKey(wrong.owner, wrong.account, wrong.currency)} has ${wrong.available} available and ${wrong.held} held` : null, 'nothing is overdrawn');
}

function holds(accounts: readonly AuditedAccount[], stray: readonly string[]): Check {
  const wrong = accounts.find((row) => !NUMBER.test(row.held) || !NUMBER.test(row.holds) || toUnits(row.held, AUDIT_SCALE) !== toUnits(row.holds, AUDIT_SCALE));
  const fault = wrong ? `${accountKey(wrong.owner, wrong.account, wrong.currency)} holds ${wrong.held}, its holds keep ${wrong.holds}` : stray[0] ? `hold ${stray[0]} has no account` : null;
  return check('holds', fault, 'what is held is the sum of the holds');
}

function sumsOf(accounts: readonly AuditedAccount[]): Map<number, bigint> {
  const sums = new Map<number, bigint>();
  for (const { currency, available, held } of accounts) {
    // What is no number is the overdraft check's to name.
    if (NUMBER.test(available) && NUMBER.test(held)) sums.set(currency, (sums.get(currency) ?? 0n) + toUnits(available, AUDIT_SCALE) + toUnits(held, AUDIT_SCALE));
  }
  return sums;
}
