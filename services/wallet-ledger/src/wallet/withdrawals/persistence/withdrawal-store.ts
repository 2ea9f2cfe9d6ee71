import type { Rows } from '@bourse/contract';
import { formatUnits, toUnits } from '@bourse/money';
import { readPage, type Database, type Tx } from '@bourse/persistence';
import { WithdrawalStore, type NewWithdrawal, type WithdrawalRow } from '../application/ports.js';
import { USD_SCALE } from '../../shared/application/settings.js';
import { moveOf, type WithdrawalEvent, type WithdrawalState } from '../domain/withdrawal.js';

interface Stored {
  id: string;
  user_id: string;
  currency_id: number;
  network_id: number;
  number: string;
  fee: string;
  received: string;
  address: string;
  memo: string;
  state: WithdrawalState;
  value: string;
  approvals_needed: number;
  approvals: string;
  reason: string;
  tx_id: string;
  confirmations: number;
  created: string;
  updated: string;
  total?: string;
}

/** A failed payout may name the transaction that displaced it, for its fee: it is none of the withdrawal. */
const OWN_TX = `case when p.state = 'failed' and not exists (
    select from payout_signature s where s.reference = p.reference and s.tx_id = p.tx_id) then ''
  else coalesce(p.tx_id, '') end`;
const COLUMNS = `
  w.id, w.user_id, w.currency_id, w.network_id, w.number::text, w.fee::text, w.received::text, w.address, w.memo,
  w.state, w.value::text, w.approvals_needed, w.reason,
  (select count(*) from withdrawal_approval a where a.withdrawal_id = w.id) as approvals,
  ${OWN_TX} as tx_id, case when ${OWN_TX} = '' then 0 else coalesce(p.confirmations, 0) end as confirmations,
  floor(extract(epoch from w.created_at) * 1000)::bigint as created,
  floor(extract(epoch from w.updated_at) * 1000)::bigint as updated`;
const FROM = `withdrawal w left join payout p on p.reference = 'withdrawal:' || w.id`;
const DAY_MS = 86_400_000;
const AT = (parameter: string): string => `to_timestamp(${parameter}::double precision / 1000)`;

/** Withdrawals in PostgreSQL. */
export class PostgresWithdrawalStore extends WithdrawalStore {
  constructor(private readonly database: Database) {
    super();
  }

  async insert(tx: Tx, row: NewWithdrawal): Promise<void> {
    await tx.execute(
      `insert into withdrawal (id, user_id, currency_id, network_id, number, fee, received, address, memo, state, value,
        day, approvals_needed, command_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, ${AT('$15')}, ${AT('$15')})`,
      [
        row.id,
        row.userId,
        row.currencyId,
        row.networkId,
        row.number,
        row.fee,
        row.received,
        row.address,
        row.memo,
        row.state,
        row.value,
        row.day,
        row.approvalsNeeded,
        row.commandId,
        row.createdAt,
      ],
    );
  }

  async find(id: string): Promise<WithdrawalRow | null> {
    const [row] = await this.database.query<Stored>(`select ${COLUMNS} from ${FROM} where w.id = $1`, [id]);
    return row ? rowOf(row) : null;
  }

  async revalue(
    tx: Tx,
    id: string,
    { value, approvalsNeeded }: { readonly value: bigint; readonly approvalsNeeded: number },
  ): Promise<void> {
    // The caller has locked the row: the value and the day's sum change by the same difference.
    await tx.execute(
      `update withdrawal_day d
        set used = greatest(d.used - w.value + $2::numeric, 0)
        from withdrawal w
        where w.id = $1 and d.user_id = w.user_id and d.day = w.day`,
      [id, formatUnits(value, USD_SCALE)],
    );
    await tx.execute('update withdrawal set value = $2, approvals_needed = $3 where id = $1', [
      id,
      formatUnits(value, USD_SCALE),
      approvalsNeeded,
    ]);
  }

  async lock(tx: Tx, id: string): Promise<WithdrawalRow | null> {
    // Locks first: the joined rows may change while the lock is awaited.
    await tx.query('select 1 from withdrawal where id = $1 for update', [id]);
    const [row] = await tx.query<Stored>(`select ${COLUMNS} from ${FROM} where w.id = $1`, [id]);
    return row ? rowOf(row) : null;
  }

  async move(
    tx: Tx,
    id: string,
    event: WithdrawalEvent,
    { at, reason = '' }: { readonly at: number; readonly reason?: string },
  ): Promise<boolean> {
    const { from, to } = moveOf(event);
    const [moved] = await tx.query<{ user_id: string; day: string; value: string }>(
      `update withdrawal
        set state = $3, reason = $4, updated_at = ${AT('$5')}
        where id = $1 and state = $2
        returning user_id, day::text, value::text`,
      [id, from, to, reason, at],
    );
    if (!moved) return false;
    if (to === 'failed' || to === 'cancelled')
      await this.giveDay(tx, Number(moved.user_id), moved.day, toUnits(moved.value, USD_SCALE));
    if (to === 'review') {
      await tx.execute('delete from withdrawal_approval where withdrawal_id = $1', [id]);
      await tx.execute('update withdrawal set approvals_needed = greatest(approvals_needed, 1) where id = $1', [id]);
    }
    return true;
  }

  async approvers(sql: Pick<Tx, 'query'>, id: string): Promise<number[]> {
    const rows = await sql.query<{ operator_id: string }>(
      'select operator_id from withdrawal_approval where withdrawal_id = $1',
      [id],
    );
    return rows.map((row) => Number(row.operator_id));
  }

  async removeApprovals(tx: Tx, id: string, operatorIds: readonly number[]): Promise<void> {
    if (operatorIds.length === 0) return;
    await tx.execute('delete from withdrawal_approval where withdrawal_id = $1 and operator_id = any($2)', [
      id,
      operatorIds,
    ]);
  }

  async giveDay(tx: Tx, userId: number, day: string, value: bigint): Promise<void> {
    await tx.execute(
      'update withdrawal_day set used = greatest(used - $3::numeric, 0) where user_id = $1 and day = $2',
      [userId, day, formatUnits(value, USD_SCALE)],
    );
  }

  async approve(tx: Tx, id: string, operatorId: number, at: number): Promise<boolean> {
    return (
      (await tx.execute(
        `insert into withdrawal_approval (withdrawal_id, operator_id, at) values ($1, $2, ${AT('$3')}) on conflict
          do nothing`,
        [id, operatorId, at],
      )) === 1
    );
  }

  async takeDay(tx: Tx, userId: number, day: string, value: bigint, limit: bigint): Promise<boolean> {
    await tx.execute('insert into withdrawal_day (user_id, day, used) values ($1, $2, 0) on conflict do nothing', [
      userId,
      day,
    ]);
    return (
      (await tx.execute(
        `update withdrawal_day
          set used = used + $3::numeric
          where user_id = $1 and day = $2 and used + $3::numeric <= $4::numeric`,
        [userId, day, formatUnits(value, USD_SCALE), formatUnits(limit, USD_SCALE)],
      )) === 1
    );
  }

  async valueOfDay(
    tx: Pick<Tx, 'query'>,
    userId: number,
    at: number,
    openedBefore: string | null = null,
  ): Promise<bigint> {
    // Those of earlier versions have no number: they were opened before all others, in the order of their requests.
    const [row] = await tx.query<{ value: string }>(
      `select coalesce(sum(value), 0)::text as value
        from withdrawal
        where user_id = $1 and created_at > ${AT('$2')} and state in ('review', 'sending', 'done')
          and ($3::bigint is null or (coalesce(opened, 0), created_at, id) <
            (select coalesce(opened, 0), created_at, id from withdrawal where id = $3))`,
      [userId, at - DAY_MS, openedBefore],
    );
    return toUnits(row?.value ?? '0', USD_SCALE);
  }

  async usedOn(userId: number, day: string): Promise<bigint> {
    const [row] = await this.database.query<{ used: string }>(
      'select used::text from withdrawal_day where user_id = $1 and day = $2',
      [userId, day],
    );
    return row ? toUnits(row.used, USD_SCALE) : 0n;
  }

  async ofUser(
    userId: number,
    { currency }: { readonly currency?: number },
    slice: { readonly size: number; readonly offset: number },
  ): Promise<Rows<WithdrawalRow>> {
    return this.page('w.user_id = $1 and ($2::int is null or w.currency_id = $2)', [userId, currency ?? null], slice);
  }

  async all(
    {
      id,
      state,
      userId,
    }: {
      readonly id?: string | undefined;
      readonly state?: WithdrawalState | undefined;
      readonly userId?: number | undefined;
    },
    slice: { readonly size: number; readonly offset: number },
  ): Promise<Rows<WithdrawalRow>> {
    return this.page(
      `($1::text is null or w.state = $1) and ($2::bigint is null or w.user_id = $2)
        and ($3::bigint is null or w.id = $3)`,
      [state ?? null, userId ?? null, id ?? null],
      slice,
    );
  }

  async one(userId: number, id: string): Promise<WithdrawalRow | null> {
    const [row] = await this.database.query<Stored>(
      `select ${COLUMNS} from ${FROM} where w.id = $2 and w.user_id = $1`,
      [userId, id],
    );
    return row ? rowOf(row) : null;
  }

  private async page(
    where: string,
    params: readonly unknown[],
    { size, offset }: { readonly size: number; readonly offset: number },
  ): Promise<Rows<WithdrawalRow>> {
    const list = { columns: COLUMNS, from: FROM, countFrom: 'withdrawal w', where, params };
    const orderBy = 'w.created_at desc, w.id desc';
    const { rows, total } = await readPage<Stored>(this.database, { ...list, orderBy }, { size, offset });
    return { rows: rows.map(rowOf), total };
  }
}

function rowOf(row: Stored): WithdrawalRow {
  return {
    id: row.id,
    userId: Number(row.user_id),
    currencyId: row.currency_id,
    networkId: row.network_id,
    number: row.number,
    fee: row.fee,
    received: row.received,
    address: row.address,
    memo: row.memo,
    state: row.state,
    value: row.value,
    approvalsNeeded: row.approvals_needed,
    approvals: Number(row.approvals),
    reason: row.reason,
    txId: row.tx_id,
    confirmations: row.confirmations,
    createdAt: Number(row.created),
    updatedAt: Number(row.updated),
  };
}
