import type { ChainName } from '@bourse/contract';
import type { Database, Tx } from '@bourse/persistence';
import {
  ClaimStore,
  DepositAddressStore,
  DepositStore,
  type ClaimRow,
  type DepositRow,
  type Found,
  type GivenAddress,
  type NewDeposit,
  type SeenBlock,
  type Slice,
} from '../../application/deposits/ports.js';
import type { DepositState } from '../../domain/deposit/deposit.js';

const COLUMNS =
  'id::text, network_id, chain, contract, tx_id, output, address, memo, user_id, currency_id, amount::text, ' +
  'height, state, confirmations_needed, min_deposit::text, return_address, return_fee::text, return_value::text, ' +
  `coalesce(return_day::text, '') as return_day, return_tx_id, return_attempts, seen_at`;
/** How many rows beyond a page are counted: a list says at least how many there are. */
const COUNTED_BEYOND = 1_000;
interface Row {
  id: string;
  network_id: number;
  chain: ChainName;
  contract: string;
  tx_id: string;
  output: number;
  address: string;
  memo: string;
  user_id: string | null;
  currency_id: number;
  amount: string;
  height: string | null;
  state: DepositState;
  confirmations_needed: number;
  min_deposit: string;
  return_address: string;
  return_fee: string;
  return_value: string;
  return_day: string;
  return_tx_id: string;
  return_attempts: number;
  seen_at: Date;
}
const rowOf = (row: Row): DepositRow => ({
  id: row.id,
  networkId: row.network_id,
  chain: row.chain,
  contract: row.contract,
  txId: row.tx_id,
  output: row.output,
  address: row.address,
  memo: row.memo,
  userId: row.user_id === null ? null : Number(row.user_id),
  currencyId: row.currency_id,
  amount: row.amount,
  height: row.height === null ? null : Number(row.height),
  state: row.state,
  needed: row.confirmations_needed,
  minimum: row.min_deposit,
  returnAddress: row.return_address,
  returnFee: row.return_fee,
  returnValue: row.return_value,
  returnDay: row.return_day,
  returnTxId: row.return_tx_id,
  returnAttempts: row.return_attempts,
  seenAt: row.seen_at.getTime(),
});

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
  ): Promise<void> {
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
    for (const deposit of deposits) {
      await tx.execute(
        `insert into deposit (id, network_id, chain, contract, tx_id, output, address, memo, user_id, currency_id,
          amount, chain_amount, height, state, confirmations_needed, min_deposit, seen_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'seen', $14, $15, $16, $16)
        on conflict (chain, contract, tx_id, output) do update set height = excluded.height
        where deposit.height is distinct from excluded.height`,
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
  }

  override async orphan(tx: Tx, chain: ChainName, above: number): Promise<void> {
    await tx.execute('delete from chain_block where chain = $1 and height > $2', [chain, above]);
    await tx.execute('update deposit set height = null where chain = $1 and height > $2', [chain, above]);
  }

  override async nextDue(chain: ChainName): Promise<number | null> {
    const [row] = await this.database.query<{ due: string | null }>(
      `select min(height + confirmations_needed - 1) as due
        from deposit
        where chain = $1 and state = 'seen' and height is not null`,
      [chain],
    );
    return row?.due ? Number(row.due) : null;
  }

  override async due(chain: ChainName, tip: number, max: number): Promise<readonly string[]> {
    const rows = await this.database.query<{ id: string }>(
      `select id::text from deposit
        where chain = $1 and state = 'seen' and height + confirmations_needed - 1 <= $2
        order by height, output, id limit $3`,
      [chain, tip, max],
    );
    return rows.map(({ id }) => id);
  }

  override async lost(chain: ChainName): Promise<readonly DepositRow[]> {
    return (
      await this.database.query<Row & Record<string, unknown>>(
        `select ${COLUMNS} from deposit where chain = $1 and height is null and state <> 'seen' order by id`,
        [chain],
      )
    ).map(rowOf);
  }

  override async alone(tx: Tx, userId: number, currencyId: number): Promise<void> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`deposit:${userId}:${currencyId}`]);
  }

  override async lock(tx: Tx, id: string): Promise<DepositRow | null> {
    const [row] = await tx.query<Row & Record<string, unknown>>(
      `select ${COLUMNS} from deposit where id = $1 for update`,
      [id],
    );
    return row ? rowOf(row) : null;
  }

  override async held(tx: Tx, userId: number, currencyId: number): Promise<readonly DepositRow[]> {
    return (
      await tx.query<Row & Record<string, unknown>>(
        `select ${COLUMNS} from deposit
          where user_id = $1 and currency_id = $2 and state = 'held'
          order by seen_at, id for update`,
        [userId, currencyId],
      )
    ).map(rowOf);
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
        readonly day: string;
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
        return_value = coalesce($9, return_value), return_day = coalesce($10, return_day)
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

  override async one(userId: number, id: string): Promise<DepositRow | null> {
    const [row] = await this.database.query<Row & Record<string, unknown>>(
      `select ${COLUMNS} from deposit where id = $1 and user_id = $2`,
      [id, userId],
    );
    return row ? rowOf(row) : null;
  }

  override ofUser(
    userId: number,
    { currency }: { readonly currency?: number },
    slice: Slice,
  ): Promise<Found<DepositRow>> {
    // One that no block has any more and that brought nothing is not shown: it may never come back.
    return this.page(
      `user_id = $1 and ($2::integer is null or currency_id = $2) and (height is not null or state <> 'seen')`,
      [userId, currency ?? null],
      slice,
    );
  }

  override all(slice: Slice): Promise<Found<DepositRow>> {
    return this.page('true', [], slice);
  }

  private async page(where: string, params: readonly unknown[], { size, offset }: Slice): Promise<Found<DepositRow>> {
    const rows = await this.database.query<Row & Record<string, unknown>>(
      `select ${COLUMNS} from deposit where ${where} order by seen_at desc, id desc limit ${size} offset ${offset}`,
      params,
    );
    const [count] = await this.database.query<{ n: string }>(
      `select count(*) as n
        from (select 1 from deposit where ${where} limit ${offset + size + COUNTED_BEYOND}) counted`,
      params,
    );
    return { rows: rows.map(rowOf), total: Number(count?.n ?? 0) };
  }
}

export class PostgresDepositAddressStore extends DepositAddressStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(userId: number, chain: ChainName): Promise<GivenAddress | null> {
    const [row] = await this.database.query<GivenAddress & Record<string, unknown>>(
      'select address, memo from deposit_address where user_id = $1 and chain = $2',
      [userId, chain],
    );
    return row ? { address: row.address, memo: row.memo } : null;
  }

  override async give(userId: number, chain: ChainName, make: (index: number) => GivenAddress): Promise<GivenAddress> {
    const known = await this.find(userId, chain);
    if (known) return known;
    return this.database.transaction(async (tx) => {
      // The row of the chain is held to the end: addresses of a chain are given out one after another.
      const [counter] = await tx.query<{ next: number }>(
        `insert into deposit_index (chain, next)
          values ($1, 1)
          on conflict (chain) do update set next = deposit_index.next + 1
          returning next`,
        [chain],
      );
      const [row] = await tx.query<GivenAddress & Record<string, unknown>>(
        'select address, memo from deposit_address where user_id = $1 and chain = $2',
        [userId, chain],
      );
      if (row) return { address: row.address, memo: row.memo };
      const index = (counter?.next ?? 1) - 1;
      const given = make(index);
      await tx.execute(
        'insert into deposit_address (user_id, chain, index, address, memo) values ($1, $2, $3, $4, $5)',
        [userId, chain, index, given.address, given.memo],
      );
      return given;
    });
  }

  override async known(chain: ChainName, addresses: readonly string[]): Promise<ReadonlySet<string>> {
    if (addresses.length === 0) return new Set();
    const rows = await this.database.query<{ address: string }>(
      'select address from deposit_address where chain = $1 and address = any($2)',
      [chain, addresses],
    );
    return new Set(rows.map(({ address }) => address));
  }

  override async owner(chain: ChainName, { address, memo }: GivenAddress): Promise<number | null> {
    const [row] = await this.database.query<{ user_id: string }>(
      'select user_id from deposit_address where chain = $1 and address = $2 and memo = $3',
      [chain, address, memo],
    );
    return row ? Number(row.user_id) : null;
  }
}

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

  override ofUser(
    userId: number,
    { currency }: { readonly currency?: number },
    slice: Slice,
  ): Promise<Found<ClaimRow>> {
    return this.page('user_id = $1 and ($2::integer is null or currency_id = $2)', [userId, currency ?? null], slice);
  }
  override all(slice: Slice): Promise<Found<ClaimRow>> {
    return this.page('true', [], slice);
  }

  private async page(where: string, params: readonly unknown[], { size, offset }: Slice): Promise<Found<ClaimRow>> {
    const rows = await this.database.query<Claim & Record<string, unknown>>(
      `select ${CLAIM_COLUMNS} from charge_req
        where ${where}
        order by created_at desc, id desc limit ${size} offset ${offset}`,
      params,
    );
    const [count] = await this.database.query<{ n: string }>(
      `select count(*) as n
        from (select 1 from charge_req where ${where} limit ${offset + size + COUNTED_BEYOND}) counted`,
      params,
    );
    return { rows: rows.map(claimOf), total: Number(count?.n ?? 0) };
  }
}
