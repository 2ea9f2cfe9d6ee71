import type { Rows } from '@bourse/contract';
import { readPage, type Database, type Tx } from '@bourse/persistence';
import { ClaimStore, type ClaimFilter, type ClaimRow, type Slice } from '../application/ports.js';

const CLAIM_COLUMNS =
  'id::text, user_id, currency_id, amount::text, account, status, deposit_id::text, reason, created_at';
interface Claim {
  id: string;
  user_id: string;
  currency_id: number;
  amount: string;
  account: string;
  status: 1 | 2 | 3 | 4;
  deposit_id: string | null;
  reason: string;
  created_at: Date;
}
const claimOf = (row: Claim): ClaimRow => ({
  id: row.id,
  userId: Number(row.user_id),
  currencyId: row.currency_id,
  amount: row.amount,
  account: row.account,
  status: row.status,
  depositId: row.deposit_id,
  reason: row.reason,
  createdAt: row.created_at.getTime(),
});

/** Claims to deposits without an owner, in PostgreSQL. */
export class PostgresClaimStore extends ClaimStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async add({
    id,
    userId,
    currencyId,
    amount,
    account,
    createdAt,
  }: Pick<ClaimRow, 'id' | 'userId' | 'currencyId' | 'amount' | 'account' | 'createdAt'>): Promise<void> {
    await this.database.execute(
      `insert into charge_req (id, user_id, currency_id, amount, account, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $6)`,
      [id, userId, currencyId, amount, account, new Date(createdAt)],
    );
  }

  override async find(id: string): Promise<ClaimRow | null> {
    const [row] = await this.database.query<Claim & Record<string, unknown>>(
      `select ${CLAIM_COLUMNS} from charge_req where id = $1`,
      [id],
    );
    return row ? claimOf(row) : null;
  }

  override async lock(tx: Tx, id: string): Promise<ClaimRow | null> {
    const [row] = await tx.query<Claim & Record<string, unknown>>(
      `select ${CLAIM_COLUMNS} from charge_req where id = $1 for update`,
      [id],
    );
    return row ? claimOf(row) : null;
  }

  override async decide(
    tx: Tx,
    id: string,
    {
      status,
      depositId,
      by,
      reason,
      at,
    }: {
      readonly status: 2 | 3 | 4;
      readonly depositId: string | null;
      readonly by: number;
      readonly reason: string;
      readonly at: number;
    },
  ): Promise<boolean> {
    // The deposit's row is locked by the caller: two claims cannot take it at once.
    return (
      (await tx.execute(
        `update charge_req set status = $2, deposit_id = $3, decided_by = $4, reason = $5, updated_at = $6
      where id = $1 and status = 1
        and ($3::bigint is null or not exists (select from charge_req other where other.deposit_id = $3::bigint))`,
        [id, status, depositId, by, reason, new Date(at)],
      )) === 1
    );
  }

  override ofUser(userId: number, { currency }: { readonly currency?: number }, slice: Slice): Promise<Rows<ClaimRow>> {
    return this.page('user_id = $1 and ($2::integer is null or currency_id = $2)', [userId, currency ?? null], slice);
  }
  override all({ status, userId }: ClaimFilter, slice: Slice): Promise<Rows<ClaimRow>> {
    return this.page(
      '($1::bigint is null or user_id = $1) and ($2::smallint is null or status = $2)',
      [userId ?? null, status ?? null],
      slice,
    );
  }

  private async page(where: string, params: readonly unknown[], { size, offset }: Slice): Promise<Rows<ClaimRow>> {
    const list = { columns: CLAIM_COLUMNS, from: 'charge_req', where, params, orderBy: 'created_at desc, id desc' };
    const { rows, total } = await readPage<Claim & Record<string, unknown>>(this.database, list, { size, offset });
    return { rows: rows.map(claimOf), total };
  }
}
