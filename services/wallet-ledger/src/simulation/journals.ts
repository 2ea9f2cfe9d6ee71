import type { SimulatedEnd } from '@bourse/ledger-client';
import type { Currencies } from '../ledger/application/currencies.js';
import type { JournalRow } from '../ledger/application/ports.js';
import { hashOf, signedUnits, type PackedEntry } from '../ledger/application/writer/entries.js';
import { accountOf } from './writer-store.js';
import type { AccountState } from '../ledger/domain/journal.js';

interface Line {
  readonly sequence: number;
  readonly balance: bigint;
}

/** I4: numbered, chained, balanced, and summing to the balances; no journal twice. */
export function checkJournals({ server, config }: SimulatedEnd, currencies: Currencies): string[] {
  const problems: string[] = [];
  const rows = [...server.rows<JournalRow>('ledger.journal')].sort(
    (a, b) => a.partition - b.partition || a.number - b.number || a.part - b.part,
  );
  const lines = new Map<string, Line>();
  const seen = new Map<string, string>();
  for (let partition = 0; partition < config.ledgerPartitions; partition++) {
    const ofPartition = rows.filter((one) => one.partition === partition);
    problems.push(...checkPartition(partition, ofPartition, currencies, lines, seen));
  }
  for (const row of server.rows<AccountState>('ledger.balance')) {
    const [available, held] = [lines.get(`${accountOf(row)}a`), lines.get(`${accountOf(row)}h`)];
    if (
      (available?.balance ?? 0n) !== row.available ||
      (available?.sequence ?? 0) !== row.availableSequence ||
      (held?.balance ?? 0n) !== row.held ||
      (held?.sequence ?? 0) !== row.heldSequence
    )
      problems.push(`I4 ${accountOf(row)} is not the sum of its lines`);
  }
  return problems;
}

/** The journals of one partition in order; adds to the lines of the accounts and to the journals seen. */
function checkPartition(
  partition: number,
  rows: readonly JournalRow[],
  currencies: Currencies,
  lines: Map<string, Line>,
  seen: Map<string, string>,
): string[] {
  const problems: string[] = [];
  let before = { number: 0, part: -1, hash: '' };
  let sums = new Map<number, bigint>();
  const mustBalance = (journal: string): void => {
    for (const [currency, sum] of sums)
      if (sum !== 0n) problems.push(`I4 ${journal} of partition ${partition} sums to ${sum} in currency ${currency}`);
    sums = new Map();
  };
  for (const row of rows) {
    const where = `journal ${row.number}.${row.part} of partition ${partition} (${row.id})`;
    const follows =
      row.number === before.number ? row.part === before.part + 1 : row.number === before.number + 1 && row.part === 0;
    if (!follows) problems.push(`I4 ${where} follows ${before.number}.${before.part}`);
    if (row.number !== before.number) {
      mustBalance(`journal ${before.number}`);
      const known = seen.get(row.id);
      if (known !== undefined) problems.push(`I5 journal ${row.id} was posted twice: ${known} and ${where}`);
      seen.set(row.id, where);
    }
    if (row.previousHash !== before.hash || hashOf(row.previousHash, row) !== row.hash)
      problems.push(`I4 ${where} is not chained to the one before it`);
    before = { number: row.number, part: row.part, hash: row.hash };
    for (const [account, currency, state, amount, after, sequence] of JSON.parse(row.entries) as PackedEntry[]) {
      const scale = currencies.scaleOf(currency) ?? 0;
      const key = `${row.owner}.${account}.${currency}${state}`;
      const last = lines.get(key) ?? { sequence: 0, balance: 0n };
      const units = signedUnits(amount, scale);
      const balance = last.balance + units;
      sums.set(currency, (sums.get(currency) ?? 0n) + units);
      if (sequence !== last.sequence + 1) problems.push(`I4 ${key} has line ${sequence} after ${last.sequence}`);
      if (signedUnits(after, scale) !== balance)
        problems.push(`I4 ${key} has ${after} after line ${sequence}, its lines make ${balance}`);
      lines.set(key, { sequence, balance });
    }
  }
  mustBalance('the last journal');
  return problems;
}
