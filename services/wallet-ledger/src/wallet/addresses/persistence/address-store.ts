import type { Database, Tx } from '@bourse/persistence';
import { AddressStore, type BindingState, type BoundRow, type NewBound } from '../application/ports.js';

/** Signatures are valid for two minutes at most, so older ones need not be stored. */
const SIGNATURES_KEPT = '10 minutes';
const AT = (parameter: string): string => `to_timestamp(${parameter}::double precision / 1000)`;
const MS = (column: string): string => `floor(extract(epoch from ${column}) * 1000)::bigint`;

/** Bound addresses in PostgreSQL. */
export class PostgresAddressStore extends AddressStore {
  constructor(private readonly database: Database) {
    super();
  }

  async bind(
    tx: Tx,
    { userId, currencyId, networkId, address, memo, createdAt, usableAt }: NewBound,
  ): Promise<{ id: number; usableAt: number }> {
    await tx.execute(
      `insert into bound_address (user_id, currency_id, network_id, address, memo, created_at, usable_at)
        values ($1, $2, $3, $4, $5, ${AT('$6')}, ${AT('$7')})
       on conflict (user_id, network_id, address, memo) where removed_at is null do nothing`,
      [userId, currencyId, networkId, address, memo, createdAt, usableAt],
    );
    const [row] = await tx.query<{ id: string; usable: string }>(
      `select id, ${MS('usable_at')} as usable
        from bound_address
        where user_id = $1 and network_id = $2 and address = $3 and memo = $4 and removed_at is null`,
      [userId, networkId, address, memo],
    );
    if (!row) throw new Error('invariant: a bound address is not there');
    return { id: Number(row.id), usableAt: Number(row.usable) };
  }

  async remove(userId: number, id: number, at: number): Promise<boolean> {
    return (
      (await this.database.execute(
        `update bound_address set removed_at = ${AT('$3')} where id = $2 and user_id = $1 and removed_at is null`,
        [userId, id, at],
      )) === 1
    );
  }

  async list(userId: number, currencyId: number): Promise<BoundRow[]> {
    const rows = await this.database.query<{
      id: string;
      currency_id: number;
      network_id: number;
      address: string;
      memo: string;
      created: string;
      usable: string;
    }>(
      `select id, currency_id, network_id, address, memo, ${MS('created_at')} as created, ${MS('usable_at')} as usable
        from bound_address
       where user_id = $1 and currency_id = $2 and removed_at is null order by id desc`,
      [userId, currencyId],
    );
    return rows.map((row) => ({
      id: Number(row.id),
      currencyId: row.currency_id,
      networkId: row.network_id,
      address: row.address,
      memo: row.memo,
      createdAt: Number(row.created),
      usableAt: Number(row.usable),
    }));
  }

  async state(
    userId: number,
    {
      currencyId,
      networkId,
      address,
      memo,
    }: { readonly currencyId: number; readonly networkId: number; readonly address: string; readonly memo: string },
    removedSince: number,
  ): Promise<BindingState> {
    const [row] = await this.database.query<{ restricted: boolean | null; usable: string | null }>(
      `select bool_or(removed_at is null or removed_at > ${AT('$6')}) as restricted,
         min(${MS('usable_at')}) filter (where removed_at is null and network_id = $3 and address = $4
           and memo = $5) as usable
       from bound_address where user_id = $1 and currency_id = $2`,
      [userId, currencyId, networkId, address, memo, removedSince],
    );
    return {
      restricted: row?.restricted ?? false,
      usableAt: row?.usable === null || row?.usable === undefined ? null : Number(row.usable),
    };
  }

  async useSignature(signature: string): Promise<boolean> {
    await this.database.execute(`delete from middleware_signature where at < now() - interval '${SIGNATURES_KEPT}'`);
    return (
      (await this.database.execute('insert into middleware_signature (signature) values ($1) on conflict do nothing', [
        signature,
      ])) === 1
    );
  }
}
