import type { ChainName } from '@bourse/contract';
import type { Database, Tx } from '@bourse/persistence';
import { ChainHealth } from '../application/chain-health.js';
import { HouseMovements, OwnAddresses, type OwnAddress } from '../application/own-addresses.js';

export class PostgresOwnAddresses extends OwnAddresses {
  constructor(private readonly database: Database) {
    super();
  }

  override find(chain: ChainName, addresses: readonly string[]): Promise<readonly OwnAddress[]> {
    return this.database.query<OwnAddress & Record<string, unknown>>(
      'select address, index from deposit_address where chain = $1 and address = any($2)',
      [chain, addresses],
    );
  }

  override used(chain: ChainName): Promise<readonly OwnAddress[]> {
    return this.database.query<OwnAddress & Record<string, unknown>>(
      `select address, index
        from deposit_address a
        where chain = $1 and exists (select from deposit d where d.chain = a.chain and d.address = a.address)
        order by index`,
      [chain],
    );
  }
}

/**
 * Movements are stored by their signer before they are sent; payouts that bring gas to a deposit address are movements
 * too.
 */
export class PostgresHouseMovements extends HouseMovements {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(chain: ChainName, txIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ tx_id: string }>(
      `select tx_id from house_movement
        where chain = $1 and tx_id = any($2)
        union select tx_id from payout_signature
        where chain = $1 and tx_id = any($2) and reference like 'gas:%'`,
      [chain, txIds],
    );
    return new Set(rows.map(({ tx_id }) => tx_id));
  }

  /** Runs in the transaction that stores the signature. */
  async add(tx: Tx, chain: ChainName, txId: string): Promise<void> {
    await tx.execute('insert into house_movement (chain, tx_id) values ($1, $2) on conflict do nothing', [chain, txId]);
  }
}

/** Reads the watcher's rows, so every instance gets the same result. */
export class PostgresChainHealth extends ChainHealth {
  constructor(private readonly database: Database) {
    super();
  }

  override async closed(chain: ChainName): Promise<boolean> {
    const rows = await this.database.query(
      `select from chain_closed where chain = $1
        union all (select from deposit where chain = $1 and height is null and state <> 'seen' limit 1)`,
      [chain],
    );
    return rows.length > 0;
  }
}
