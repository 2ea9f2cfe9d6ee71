import type { Database, Tx } from '@bourse/persistence';
import { AuditReads, type AuditedAccount, type AuditedRow, type HeldFor, type Snapshot } from '../../application/ports.js';

export class PostgresAuditReads extends AuditReads {
  constructor(private readonly database: Database) { super(); }

  inSnapshot<T>(look: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.database.transaction((tx) => look(snapshotOf(tx)), { isolation: 'repeatable read' });
  }

  holds(): Promise<HeldFor[]> {
    return this.database.query<{ hold: string; currency: number; amount: string }>('select name as hold, currency, sum(remaining)::text as amount from hold group by 1, 2');
  }
}

function snapshotOf(tx: Tx): Snapshot {
  return {
    async accounts() {
      const rows = await tx.query<{ owner: string; account: string; currency: number; available: string; held: string; available_sequence: string; held_sequence: string; holds: string }>(
        `select b.owner, b.product as account, b.currency, b.available::text, b.held::text, b.available_sequence, b.held_sequence, coalesce(h.sum, 0)::text as holds
         from balance b left join (select owner, product, currency, sum(remaining) as sum from hold group by 1, 2, 3) h using (owner, product, currency)
         order by b.owner, b.product, b.currency`);
      return rows.map((row): AuditedAccount => ({
        owner: Number(row.owner), account: row.account, currency: row.currency, available: row.available, held: row.held,
        availableSequence: Number(row.available_sequence), heldSequence: Number(row.held_sequence), holds: row.holds,
      }));
    },
    async journals(partition, after, limit) {
      const rows = await tx.query<{ number: string; part: number; owner: string; id: string; cause_type: string; cause_id: string; entries: string; previous_hash: string; hash: string; at: string }>(
        `select number, part, owner, id, cause_type, cause_id, entries::text, previous_hash, hash, floor(extract(epoch from created_at) * 1000)::bigint as at
         from journal where partition = $1 and (number, part) > ($2::bigint, $3::smallint) order by number, part limit ${limit}`, [partition, after.number, after.part]);
      return rows.map((row): AuditedRow => ({
        partition, number: Number(row.number), part: row.part, owner: Number(row.owner), id: row.id, causeType: row.cause_type, causeId: row.cause_id, entries: row.entries,
        previousHash: row.previous_hash, hash: row.hash, at: Number(row.at),
      }));
    },
    async strayHolds() {
      const rows = await tx.query<{ name: string }>(
        `select h.owner || '.' || h.product || '.' || h.currency || '#' || h.name as name from hold h left join balance b using (owner, product, currency) where b.owner is null order by 1 limit 5`);
      return rows.map((row) => row.name);
    },
  };
}
