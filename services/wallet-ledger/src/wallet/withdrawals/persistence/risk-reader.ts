import type { Database } from '@bourse/persistence';
import { RiskReader, type BookedFacts } from '../application/ports.js';

/** Most withdrawals that are counted, and other people that are named, for one withdrawal. */
const COUNTED_MAX = 1_000;
const PEOPLE_MAX = 20;

interface Stored {
  id: string;
  earlier: string;
  to_address: string;
  others: string[] | null;
  bound: Date | null;
  last_deposit: Date | null;
  deposited: string;
}

/** Facts about withdrawals in PostgreSQL. */
export class PostgresRiskReader extends RiskReader {
  constructor(private readonly database: Database) {
    super();
  }

  async of(ids: readonly string[]): Promise<BookedFacts[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<Stored>(
      `select w.id,
          (select count(*) from (select 1 from withdrawal e where ${EARLIER} limit ${COUNTED_MAX}) counted) as earlier,
          (select count(*)
            from (select 1 from withdrawal e where ${EARLIER} and ${SAME_ADDRESS} limit ${COUNTED_MAX}) counted
          ) as to_address,
          (select array_agg(user_id::text order by user_id)
            from (
              select distinct e.user_id from withdrawal e
              where ${SAME_ADDRESS} and e.user_id <> w.user_id limit ${PEOPLE_MAX}
            ) others
          ) as others,
          (select max(b.created_at) from bound_address b
            where b.user_id = w.user_id and b.network_id = w.network_id and b.address = w.address
              and b.memo = w.memo and b.removed_at is null) as bound,
          (select max(d.seen_at) from deposit d where ${DEPOSIT}) as last_deposit,
          (select coalesce(sum(d.amount), 0)::text from deposit d
            where ${DEPOSIT} and d.seen_at > w.created_at - interval '24 hours') as deposited
        from withdrawal w
        where w.id = any($1)`,
      [ids],
    );
    return rows.map((row) => ({
      id: row.id,
      earlier: Number(row.earlier),
      earlierToAddress: Number(row.to_address),
      othersToAddress: (row.others ?? []).map(Number),
      addressBoundAt: row.bound?.getTime() ?? null,
      lastDepositAt: row.last_deposit?.getTime() ?? null,
      deposited: row.deposited,
    }));
  }
}

const EARLIER = `e.user_id = w.user_id and e.id <> w.id and e.state = 'done' and e.created_at <= w.created_at`;
const SAME_ADDRESS = 'e.address = w.address and e.memo = w.memo';
const DEPOSIT = `d.user_id = w.user_id and d.currency_id = w.currency_id and d.state = 'credited'
  and d.seen_at <= w.created_at`;
