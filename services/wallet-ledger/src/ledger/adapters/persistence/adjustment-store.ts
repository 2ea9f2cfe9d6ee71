import type { Rows } from '@bourse/contract';
import type { Database, Tx } from '@bourse/persistence';
import {
  AdjustmentStore,
  type Actor,
  type Adjustment,
  type AdjustmentFilter,
  type AdjustmentState,
  type NewAdjustment,
  type Part,
  type PartitionBalance,
} from '../../application/adjustments/ports.js';

interface Stored {
  id: number;
  user_id: string | null;
  account: string;
  to_account: string | null;
  currency_id: number;
  amount: string;
  reason_code: string;
  note: string;
  state: AdjustmentState;
  created_by: string;
  created_by_name: string;
  at: string;
  decided_by: string | null;
  decided_by_name: string;
  decision_reason: string;
}
const COLUMNS =
  'id, user_id, account, to_account, currency_id, amount::text, reason_code, note, state, ' +
  'created_by, created_by_name, floor(extract(epoch from created_at) * 1000)::bigint as ' +
  'at, decided_by, decided_by_name, decision_reason';

export class PostgresAdjustmentStore extends AdjustmentStore {
  constructor(private readonly database: Database) {
    super();
  }

  async insert(tx: Tx, row: NewAdjustment, by: Actor, at: number): Promise<number> {
    const [inserted] = await tx.query<{ id: number }>(
      `insert into adjustment (user_id, account, to_account, currency_id, amount, reason_code, note, created_by,
          created_by_name, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        returning id`,
      [
        row.userId,
        row.account,
        row.toAccount,
        row.currencyId,
        row.amount,
        row.reasonCode,
        row.note,
        by.operatorId,
        by.operator,
        timeOf(at),
      ],
    );
    if (!inserted) throw new Error('invariant: an insert without a row');
    return inserted.id;
  }

  async lock(tx: Tx, id: number): Promise<Adjustment | null> {
    return first(await tx.query<Stored>(`select ${COLUMNS} from adjustment where id = $1 for update`, [id]));
  }
  async find(id: number): Promise<Adjustment | null> {
    return first(await this.database.query<Stored>(`select ${COLUMNS} from adjustment where id = $1`, [id]));
  }

  async sameFund({ account, toAccount, currencyId, amount }: NewAdjustment): Promise<Adjustment | null> {
    return first(
      await this.database.query<Stored>(
        `select ${COLUMNS} from adjustment
          where state = 'waiting' and user_id is null and account = $1 and to_account = $2 and currency_id = $3
            and amount = $4
          order by id limit 1`,
        [account, toAccount, currencyId, amount],
      ),
    );
  }

  async list(
    { state, userId }: AdjustmentFilter,
    { size, offset }: { readonly size: number; readonly offset: number },
  ): Promise<Rows<Adjustment>> {
    // User id 0 selects the movements between house accounts.
    const whose = '($2::bigint is null or user_id = $2 or ($2 = 0 and user_id is null))';
    // An adjustment that is approved and not yet booked is listed as waiting: nothing has moved.
    const where =
      `($1::text is null or case state when 'posting' then 'waiting' else state ` + `end = $1) and ${whose}`;
    const [rows, [count]] = await Promise.all([
      this.database.query<Stored>(
        `select ${COLUMNS} from adjustment where ${where} order by id desc limit ${size} offset ${offset}`,
        [state ?? null, userId ?? null],
      ),
      this.database.query<{ count: string }>(`select count(*) as count from adjustment where ${where}`, [
        state ?? null,
        userId ?? null,
      ]),
    ]);
    return { rows: rows.map(adjustmentOf), total: Number(count?.count) };
  }

  async decide(tx: Tx, id: number, state: AdjustmentState, by: Actor | null, at: number): Promise<void> {
    await tx.execute(
      `update adjustment
        set state = $2, decided_by = $3, decided_by_name = $4, decision_reason = $5, decided_at = $6
        where id = $1`,
      [id, state, by?.operatorId ?? null, by?.operator ?? '', by?.reason ?? '', by ? timeOf(at) : null],
    );
  }

  async addParts(tx: Tx, id: number, parts: readonly Pick<Part, 'partition' | 'amount'>[]): Promise<void> {
    for (const { partition, amount } of parts) {
      await tx.execute(
        `insert into adjustment_part (adjustment_id, part, partition, amount)
          select $1, coalesce(max(part), 0) + 1, $2, $3
          from adjustment_part
          where adjustment_id = $1`,
        [id, partition, amount],
      );
    }
  }

  async parts(id: number, tx?: Tx): Promise<Part[]> {
    return (tx ?? this.database).query<Part & { part: number }>(
      'select part, partition, amount::text, state from adjustment_part where adjustment_id = $1 order by part',
      [id],
    );
  }
  async markPart(id: number, part: number, state: 'done' | 'refused'): Promise<void> {
    await this.database.execute(
      `update adjustment_part set state = $3 where adjustment_id = $1 and part = $2 and state = 'sent'`,
      [id, part, state],
    );
  }
  async posting(): Promise<number[]> {
    return (
      await this.database.query<{ id: number }>(
        `select id from adjustment where state = 'posting' order by id limit 100`,
      )
    ).map(({ id }) => id);
  }

  async balances(account: string, currencyId: number): Promise<PartitionBalance[]> {
    return this.database.query<PartitionBalance & { partition: number }>(
      `select partition, available::text
        from balance
        where owner < 0 and product = $1 and currency = $2
        order by partition`,
      [account, currencyId],
    );
  }
}

const timeOf = (at: number): string => new Date(at).toISOString();
const first = ([row]: Stored[]): Adjustment | null => (row ? adjustmentOf(row) : null);
const adjustmentOf = (row: Stored): Adjustment => ({
  id: row.id,
  userId: row.user_id === null ? null : Number(row.user_id),
  account: row.account,
  toAccount: row.to_account,
  currencyId: row.currency_id,
  amount: row.amount,
  reasonCode: row.reason_code,
  note: row.note,
  state: row.state,
  createdBy: Number(row.created_by),
  createdByName: row.created_by_name,
  createdAt: Number(row.at),
  decidedBy: row.decided_by === null ? null : Number(row.decided_by),
  decidedByName: row.decided_by_name,
  decisionReason: row.decision_reason,
});
