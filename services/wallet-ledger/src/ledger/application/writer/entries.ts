import { chainHash } from '@bourse/persistence';
import { formatUnits, toUnits } from '@bourse/money';
import type { ChainHead, JournalRow } from '../ports.js';
import type { Entry, Owner } from '../../domain/journal.js';

/**
 * One line as it is packed into a journal row: [account, currency, state, amount, balance after, sequence, fee, hold,
 * place in the journal].
 */
export type PackedEntry = readonly [
  account: string,
  currency: number,
  state: 'a' | 'h',
  amount: string,
  after: string,
  sequence: number,
  fee: 0 | 1,
  hold: string | null,
  place: number,
];

/** Units of a signed decimal text, as packed entries contain it. */
export const signedUnits = (text: string, scale: number): bigint =>
  text.startsWith('-') ? -toUnits(text.slice(1), scale) : toUnits(text, scale);

export interface NamedJournal {
  readonly id: string;
  readonly causeType: string;
  readonly causeId: string;
}

/** The end of a partition's journal in memory: numbers each journal and chains its rows. */
export class JournalChain {
  private head: ChainHead;

  constructor(
    private readonly partition: number,
    start: ChainHead,
    private readonly scaleOf: (currency: number) => number,
  ) {
    this.head = start;
  }

  mark(): ChainHead {
    return this.head;
  }
  rollBack(mark: ChainHead): void {
    this.head = mark;
  }

  /**
   * Rows of one journal, one per owner, in the order in which its legs touch them. A journal that moved nothing has
   * none.
   */
  append(journal: NamedJournal, entries: readonly Entry[], at: number): JournalRow[] {
    if (entries.length === 0) return [];
    const byOwner = new Map<Owner, PackedEntry[]>();
    for (const [place, entry] of entries.entries()) {
      const packed = byOwner.get(entry.owner) ?? [];
      if (packed.length === 0) byOwner.set(entry.owner, packed);
      const scale = this.scaleOf(entry.currency);
      packed.push([
        entry.account,
        entry.currency,
        entry.hold === null ? 'a' : 'h',
        formatUnits(entry.amount, scale),
        formatUnits(entry.after, scale),
        entry.sequence,
        entry.fee ? 1 : 0,
        entry.hold,
        place,
      ]);
    }
    const number = this.head.number + 1;
    let part = 0;
    const rows: JournalRow[] = [];
    for (const [owner, packed] of byOwner) {
      const content = {
        partition: this.partition,
        number,
        part,
        owner,
        id: journal.id,
        causeType: journal.causeType,
        causeId: journal.causeId,
        entries: JSON.stringify(packed),
        at,
      };
      const previousHash = this.head.hash;
      const hash = hashOf(previousHash, content);
      rows.push({ ...content, previousHash, hash });
      this.head = { number, hash };
      part += 1;
    }
    return rows;
  }
}

/** Hash of a journal row: of the hash before it and the full content of the row. */
export function hashOf(previousHash: string, row: Omit<JournalRow, 'previousHash' | 'hash'>): string {
  return chainHash(
    previousHash,
    JSON.stringify([
      row.partition,
      row.number,
      row.part,
      row.owner,
      row.id,
      row.causeType,
      row.causeId,
      row.at,
      row.entries,
    ]),
  );
}
