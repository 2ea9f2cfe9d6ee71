import type { ChainName, Rows } from '@bourse/contract';
import { readPage, type Database, type Tx } from '@bourse/persistence';
import {
  DepositStore,
  type DepositFilter,
  type DepositRow,
  type NewDeposit,
  type SeenBlock,
  type Slice,
} from '../application/ports.js';
import type { DepositState } from '../domain/deposit.js';
import { DEPOSIT_COLUMNS, depositOf, type StoredDeposit } from './deposit-row.js';

/** Deposits and the last blocks of each chain, in PostgreSQL. */
export class PostgresDepositStore extends DepositStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async blocks(chain: ChainName): Promise<readonly SeenBlock[]> {
    const rows = await this.database.query<{ height: string; hash: string }>(
      'select height, hash from chain_block where chain = $1 order by height desc',
      [chain],
    );
    return rows.map(({ height, hash }) => ({ height: Number(height), hash }));
  }

  override async note(
    tx: Tx,
    chain: ChainName,
    block: SeenBlock,
    deposits: readonly NewDeposit[],
    kept: number,
  ): Promise<readonly NewDeposit[]> {
    await tx.execute(
      `insert into chain_block (chain, height, hash)
        values ($1, $2, $3)
        on conflict (chain, height) do update set hash = excluded.hash`,
      [chain, block.height, block.hash],
    );
    await tx.execute(
      `delete from chain_block
        where chain = $1 and height < (select max(height) from chain_block where chain = $1 and height <= $2)`,
      [chain, block.height - kept],
    );
    const noted: string[] = [];
    const added: NewDeposit[] = [];
    for (const deposit of deposits) {
      // The number of an output may change when its transaction is mined again, so a payment is known by its facts
      // (decision 0245). Of equal ones without a block the booked come first, so that no booked money stays lost.
      const [known] = await tx.query<{ id: string }>(
        `update deposit set height = $7, updated_at = $8,
              decide_again = decide_again or (state = 'held' and height is null)
          where id = (
            select id from deposit
              where chain = $1 and contract = $2 and tx_id = $3 and address = $4 and memo = $5 and chain_amount = $6
                and id <> all ($9::bigint[])
              order by height nulls last, state = 'seen', output limit 1)
          returning id::text`,
        [
          chain,
          deposit.contract,
          deposit.txId,
          deposit.address,
          deposit.memo,
          deposit.chainAmount.toString(),
          deposit.height,
          new Date(deposit.seenAt),
          noted,
        ],
      );
      noted.push(known?.id ?? deposit.id);
      if (known) continue;
      added.push(deposit);
      await tx.execute(
        `insert into deposit (id, network_id, chain, contract, tx_id, output, address, memo, user_id, currency_id,
          amount, chain_amount, height, state, confirmations_needed, min_deposit, seen_at, updated_at)
        select $1, $2, $3, $4, $5, case when bool_or(output = $6) then max(output) + 1 else $6 end, $7, $8, $9, $10,
          $11, $12, $13, 'seen', $14, $15, $16, $16
        from deposit where chain = $3 and contract = $4 and tx_id = $5`,
        [
          deposit.id,
          deposit.networkId,
          chain,
          deposit.contract,
          deposit.txId,
          deposit.output,
          deposit.address,
          deposit.memo,
          deposit.userId,
          deposit.currencyId,
          deposit.amount,
          deposit.chainAmount.toString(),
          deposit.height,
          deposit.needed,
          deposit.minimum,
          new Date(deposit.seenAt),
        ],
      );
    }
    return added;
  }

  override async orphan(tx: Tx, chain: ChainName, above: number): Promise<void> {
    await tx.execute('delete from chain_block where chain = $1 and height > $2', [chain, above]);
    await tx.execute('update deposit set height = null where chain = $1 and height > $2', [chain, above]);
  }

  override async close(tx: Tx, chain: ChainName, reason: string): Promise<void> {
    await tx.execute('insert into chain_closed (chain, reason) values ($1, $2) on conflict do nothing', [
      chain,
      reason,
    ]);
  }

  override async closedFor(chain: ChainName): Promise<string | null> {
    const [row] = await this.database.query<{ reason: string }>('select reason from chain_closed where chain = $1', [
      chain,
    ]);
    return row?.reason ?? null;
  }

  override async nextDue(chain: ChainName): Promise<number | null> {
    const [row] = await this.database.query<{ due: string | null }>(
      `select min(height + confirmations_needed - 1) as due
        from deposit
        where chain = $1 and (state = 'seen' or (state = 'held' and decide_again)) and height is not null`,
      [chain],
    );
    return row?.due ? Number(row.due) : null;
  }

  override async due(chain: ChainName, tip: number, max: number): Promise<readonly string[]> {
    const rows = await this.database.query<{ id: string }>(
      `select id::text from deposit
        where chain = $1 and (state = 'seen' or (state = 'held' and decide_again))
          and height + confirmations_needed - 1 <= $2
        order by height, output, id limit $3`,
      [chain, tip, max],
    );
    return rows.map(({ id }) => id);
  }

  override async lost(chain: ChainName): Promise<readonly DepositRow[]> {
    return (
      await this.database.query<StoredDeposit>(
        `select ${DEPOSIT_COLUMNS} from deposit where chain = $1 and height is null and state <> 'seen' order by id`,
        [chain],
      )
    ).map(depositOf);
  }

  override async alone(tx: Tx, userId: number, currencyId: number): Promise<void> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`deposit:${userId}:${currencyId}`]);
  }

  override async read(tx: Tx, id: string): Promise<DepositRow | null> {
    const [row] = await tx.query<StoredDeposit>(`select ${DEPOSIT_COLUMNS} from deposit where id = $1`, [id]);
    return row ? depositOf(row) : null;
  }

  override async lock(tx: Tx, id: string): Promise<DepositRow | null> {
    const [row] = await tx.query<StoredDeposit>(`select ${DEPOSIT_COLUMNS} from deposit where id = $1 for update`, [
      id,
    ]);
    return row ? depositOf(row) : null;
  }

  override async takeAgain(tx: Tx, id: string): Promise<boolean> {
    return (
      (await tx.execute(`update deposit set decide_again = false where id = $1 and state = 'held' and decide_again`, [
        id,
      ])) === 1
    );
  }

  override async held(tx: Tx, userId: number, currencyId: number): Promise<readonly DepositRow[]> {
    return (
      await tx.query<StoredDeposit>(
        `select ${DEPOSIT_COLUMNS} from deposit
          where user_id = $1 and currency_id = $2 and state = 'held' and height is not null and not decide_again
          order by seen_at, id for update`,
        [userId, currencyId],
      )
    ).map(depositOf);
  }

  override async move(
    tx: Tx,
    id: string,
    from: DepositState,
    to: DepositState,
    what: {
      readonly at: number;
      readonly return?: {
        readonly address: string;
        readonly memo: string;
        readonly fee: string;
        readonly value: string;
        readonly day: string | null;
      };
      readonly returnTxId?: string;
    },
  ): Promise<boolean> {
    const back = what.return;
    return (
      (await tx.execute(
        `update deposit
          set state = $3, updated_at = $4, return_address = coalesce($5, return_address),
            return_memo = coalesce($6, return_memo), return_fee = coalesce($7, return_fee),
            return_attempts = return_attempts + (case when $5::text is null then 0 else 1 end),
            return_tx_id = coalesce($8, return_tx_id),
            return_value = coalesce($9, return_value), return_day = coalesce($10, return_day),
            decide_again = decide_again or ($2 = 'returning' and $3 = 'held' and user_id is not null)
          where id = $1 and state = $2`,
        [
          id,
          from,
          to,
          new Date(what.at),
          back?.address ?? null,
          back?.memo ?? null,
          back?.fee ?? null,
          what.returnTxId ?? null,
          back?.value ?? null,
          back?.day ?? null,
        ],
      )) === 1
    );
  }

  override async setOwner(tx: Tx, id: string, userId: number, at: number): Promise<boolean> {
    return (
      (await tx.execute(
        `update deposit set user_id = $2, updated_at = $3
          where id = $1 and user_id is null and state in ('seen', 'held')`,
        [id, userId, new Date(at)],
      )) === 1
    );
  }

  override async find(id: string): Promise<DepositRow | null> {
    const [row] = await this.database.query<StoredDeposit>(`select ${DEPOSIT_COLUMNS} from deposit where id = $1`, [
      id,
    ]);
    return row ? depositOf(row) : null;
  }

  override async one(userId: number, id: string): Promise<DepositRow | null> {
    const [row] = await this.database.query<StoredDeposit>(
      `select ${DEPOSIT_COLUMNS} from deposit where id = $1 and user_id = $2`,
      [id, userId],
    );
    return row ? depositOf(row) : null;
  }

  override ofUser(
    userId: number,
    { currency }: { readonly currency?: number },
    slice: Slice,
  ): Promise<Rows<DepositRow>> {
    // A deposit that left its block before it was booked is not shown: it may never come back.
    return this.page(
      `user_id = $1 and ($2::integer is null or currency_id = $2) and (height is not null or state <> 'seen')`,
      [userId, currency ?? null],
      slice,
    );
  }

  override all({ id, states, userId }: DepositFilter, slice: Slice): Promise<Rows<DepositRow>> {
    return this.page(
      `($1::bigint is null or user_id = $1) and ($2::text[] is null or state = any ($2))
        and ($3::bigint is null or id = $3)`,
      [userId ?? null, states ?? null, id ?? null],
      slice,
    );
  }

  private async page(where: string, params: readonly unknown[], { size, offset }: Slice): Promise<Rows<DepositRow>> {
    const list = { columns: DEPOSIT_COLUMNS, from: 'deposit', where, params, orderBy: 'seen_at desc, id desc' };
    const { rows, total } = await readPage<StoredDeposit>(this.database, list, { size, offset });
    return { rows: rows.map(depositOf), total };
  }
}
