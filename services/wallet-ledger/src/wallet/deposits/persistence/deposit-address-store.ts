import type { ChainName } from '@bourse/contract';
import type { Database } from '@bourse/persistence';
import { DepositAddressStore, type GivenAddress } from '../application/ports.js';

/** Deposit addresses, in PostgreSQL: each belongs to one person, for one chain. */
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
      // The row of the chain stays locked to the end, so addresses of a chain are assigned one after another.
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
