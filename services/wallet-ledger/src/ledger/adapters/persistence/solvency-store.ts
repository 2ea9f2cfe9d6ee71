import { OperatorActionV1, TOPICS, type OperatorAction } from '@bourse/events';
import { jsonColumn, jsonValues, nameColumn, numberColumn, type Database, type Tx } from '@bourse/persistence';
import {
  NODES_A_BLOCK,
  SolvencyStore,
  type NodePlace,
  type OutsideRow,
  type OwedRow,
  type SnapshotCoin,
  type SnapshotRow,
  type StoredLeaf,
  type StoredNodes,
} from '../../application/solvency/ports.js';

/** Accounts per piece of a read. */
const PIECE = 2_000;
const PARTITIONED = ['solvency_leaf', 'solvency_nodes'] as const;

export class PostgresSolvencyStore extends SolvencyStore {
  constructor(private readonly database: Database) {
    super();
  }

  request(action?: (id: number) => OperatorAction): Promise<number> {
    return this.database.transaction(async (tx) => {
      const [row] = await tx.query<{ id: number }>('insert into solvency_snapshot default values returning id');
      if (!row) throw new Error('invariant: an insert without a row');
      if (action) tx.emit(TOPICS.operatorActions, 0, OperatorActionV1.encode(action(row.id)));
      return row.id;
    });
  }

  async requestDaily(tx: Tx, day: string): Promise<void> {
    await tx.execute('insert into solvency_snapshot (day) values ($1) on conflict (day) do nothing', [day]);
  }

  async requestFirst(): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query('lock table solvency_snapshot in share row exclusive mode');
      await tx.execute(
        'insert into solvency_snapshot (state) select $1 where not exists (select 1 from solvency_snapshot)',
        ['wanted'],
      );
    });
  }

  async claim(by: string, seconds: number): Promise<number | null> {
    const [row] = await this.database.query<{ id: number }>(
      `update solvency_snapshot set claimed_by = $1, claimed_until = now() + make_interval(secs => $2)
       where id = (select id from solvency_snapshot
         where state = 'wanted' and (claimed_until is null or claimed_until < now() or claimed_by = $1)
         order by id limit 1 for update skip locked)
       returning id`,
      [by, seconds],
    );
    return row?.id ?? null;
  }

  async keepClaim(id: number, by: string, seconds: number): Promise<boolean> {
    return (
      (await this.database.execute(
        `update solvency_snapshot
          set claimed_until = now() + make_interval(secs => $3)
          where id = $1 and claimed_by = $2 and state = 'wanted'`,
        [id, by, seconds],
      )) === 1
    );
  }

  async isDone(id: number): Promise<boolean> {
    return (
      (await this.database.query(`select 1 from solvency_snapshot where id = $1 and state = 'done'`, [id])).length > 0
    );
  }

  read(take: (rows: readonly OwedRow[]) => Promise<void>): Promise<readonly OutsideRow[]> {
    return this.database.transaction(
      async (tx) => {
        const outside = await tx.query<{ currency: number; balance: string } & OutsideRow>(
          `select currency, sum(available)::text as balance
            from balance
            where owner < 0 and product = 'h.outside'
            group by currency`,
        );
        for (let after = 0; ;) {
          // Reads whole owners at a time, along the primary key.
          const rows = await tx.query<{ owner: string; currency: number; balance: string }>(
            `select owner, currency, sum(available + held)::text as balance from balance
           where owner > $1
             and owner <= coalesce((select max(owner)
                 from (select owner from balance where owner > $1 order by owner limit ${PIECE}) piece),
               0)
           group by owner, currency order by owner, currency`,
            [after],
          );
          if (rows.length === 0) return outside;
          await take(rows.map((row) => ({ ...row, owner: Number(row.owner) })));
          after = Number(rows.at(-1)?.owner);
        }
      },
      { isolation: 'repeatable read' },
    );
  }

  async begin(id: number): Promise<void> {
    for (const table of PARTITIONED) {
      await this.database.execute(`drop table if exists ${table}_${id}`);
      await this.database.execute(`create table ${table}_${id} partition of ${table} for values in (${id})`);
    }
  }

  async saveLeaves(id: number, currency: number, leaves: readonly StoredLeaf[]): Promise<void> {
    if (leaves.length === 0) return;
    await this.database.execute(
      `insert into solvency_leaf (snapshot_id, currency, owner, place, nonce, balance)
        select $1, $2, l.* from unnest($3::bigint[], $4::int[], $5::text[], $6::numeric[]) as l`,
      [
        id,
        currency,
        numberColumn(leaves.map(({ owner }) => owner)),
        numberColumn(leaves.map(({ place }) => place)),
        nameColumn(leaves.map(({ nonce }) => nonce)),
        numberColumn(leaves.map(({ balance }) => balance)),
      ],
    );
  }

  async saveNodes(id: number, currency: number, nodes: readonly StoredNodes[]): Promise<void> {
    if (nodes.length === 0) return;
    await this.database.execute(
      `insert into solvency_nodes (snapshot_id, currency, level, block, nodes)
        select $1, $2, n.* from unnest($3::smallint[], $4::int[], ${jsonColumn('$5')}::json[]) as n`,
      [
        id,
        currency,
        numberColumn(nodes.map(({ level }) => level)),
        numberColumn(nodes.map(({ block }) => block)),
        jsonValues(nodes.map((row) => JSON.stringify(row.nodes))),
      ],
    );
  }

  finish({ id, takenAt, simulatedAssets, coins }: SnapshotRow, by: string): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const changed = await tx.execute(
        `update solvency_snapshot
          set state = 'done', taken_at = $3, simulated_assets = $4, claimed_until = null
          where id = $1 and claimed_by = $2 and state = 'wanted'`,
        [id, by, new Date(takenAt).toISOString(), simulatedAssets],
      );
      if (changed !== 1) return false;
      for (const coin of coins) {
        await tx.execute(
          `insert into solvency_coin (snapshot_id, currency, name, scale, liabilities, assets, leaves, depth,
              root_hash)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          [
            id,
            coin.currency,
            coin.name,
            coin.scale,
            coin.liabilities,
            coin.assets,
            coin.leaves,
            coin.depth,
            coin.rootHash,
          ],
        );
      }
      return true;
    });
  }

  async dropBefore(at: number): Promise<void> {
    const old = await this.database.query<{ id: number }>(
      `select id from solvency_snapshot where state = 'done' and taken_at < $1`,
      [new Date(at).toISOString()],
    );
    for (const { id } of old) {
      for (const table of PARTITIONED) await this.database.execute(`drop table if exists ${table}_${id}`);
      await this.database.execute('delete from solvency_snapshot where id = $1', [id]);
    }
  }

  async snapshot(id?: number): Promise<SnapshotRow | null> {
    const [row] = await this.database.query<{ id: number; at: string; simulated_assets: boolean }>(
      `select id, floor(extract(epoch from taken_at) * 1000)::bigint as at, simulated_assets
        from solvency_snapshot
        where state = 'done' and ($1::int is null or id = $1)
        order by id desc limit 1`,
      [id ?? null],
    );
    if (!row) return null;
    const coins = await this.database.query<Omit<SnapshotCoin, 'rootHash'> & { root_hash: string }>(
      `select currency, name, scale, liabilities::text, assets::text, leaves, depth, root_hash
        from solvency_coin
        where snapshot_id = $1
        order by currency`,
      [row.id],
    );
    return {
      id: row.id,
      takenAt: Number(row.at),
      simulatedAssets: row.simulated_assets,
      coins: coins.map(({ root_hash: rootHash, ...coin }) => ({ ...coin, rootHash })),
    };
  }

  async leaf(id: number, currency: number, owner: number): Promise<StoredLeaf | null> {
    const [row] = await this.database.query<{ place: number; nonce: string; balance: string }>(
      'select place, nonce, balance::text from solvency_leaf where snapshot_id = $1 and currency = $2 and owner = $3',
      [id, currency, owner],
    );
    return row ? { owner, ...row } : null;
  }

  async nodes(
    id: number,
    currency: number,
    places: readonly NodePlace[],
  ): Promise<readonly (readonly [string, string])[]> {
    const rows = await this.database.query<{ hash: string; sum: string }>(
      `select n.nodes->p.index->>0 as hash, n.nodes->p.index->>1 as sum
       from unnest($3::smallint[], $4::int[], $5::int[]) with ordinality as p(level, block, index, place)
       join solvency_nodes n on n.snapshot_id = $1 and n.currency = $2 and n.level = p.level and n.block = p.block
       order by p.place`,
      [
        id,
        currency,
        numberColumn(places.map(({ level }) => level)),
        numberColumn(places.map(({ index }) => Math.floor(index / NODES_A_BLOCK))),
        numberColumn(places.map(({ index }) => index % NODES_A_BLOCK)),
      ],
    );
    if (rows.length !== places.length)
      throw new Error(`invariant: snapshot ${id} has ${rows.length} of ${places.length} nodes of a path`);
    return rows.map(({ hash, sum }) => [hash, sum]);
  }
}
