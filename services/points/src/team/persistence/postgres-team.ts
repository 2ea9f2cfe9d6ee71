import { Injectable } from '@nestjs/common';
import { formatUnits, toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { PointsDatabase } from '../../shared/application/database.js';
import { TeamStore, type TeamDeposit, type TreeBounds, type TreeRow } from '../application/team-ports.js';
import type { TeamMember } from '../domain/team.js';
import { USD_SCALE, type Rank } from '../domain/team-rank.js';

const COLUMNS = `id::text, inviter_id::text, registered, certified, joined_at::text, invited, direct, team,
  own_top_up::text, top_up::text, rank`;

interface StoredMember extends Record<string, unknown> {
  readonly id: string;
  readonly inviter_id: string | null;
  readonly registered: boolean;
  readonly certified: boolean;
  readonly joined_at: string;
  readonly invited: number;
  readonly direct: number;
  readonly team: number;
  readonly own_top_up: string;
  readonly top_up: string;
  readonly rank: Rank;
}
const memberOf = (row: StoredMember): TeamMember => ({
  id: Number(row.id),
  inviterId: row.inviter_id === null ? null : Number(row.inviter_id),
  registered: row.registered,
  certified: row.certified,
  joinedAt: Number(row.joined_at),
  invited: row.invited,
  direct: row.direct,
  team: row.team,
  ownTopUp: toUnits(row.own_top_up, USD_SCALE),
  topUp: toUnits(row.top_up, USD_SCALE),
  rank: row.rank,
});

/**
 * The team in PostgreSQL. Lines are walked from row to row (`offset 0` keeps each step a look-up by key): a table of
 * all ancestors would have half a million rows for a chain of 1,000.
 */
@Injectable()
export class PostgresTeam extends TeamStore {
  constructor(private readonly database: PointsDatabase) {
    super();
  }

  async alone(tx: Tx): Promise<void> {
    await tx.query('select 1 from team_turn for update');
  }

  async lines(tx: Tx, ids: readonly number[]): Promise<readonly TeamMember[]> {
    const rows = await tx.query<StoredMember>(
      `with recursive line as (
         select m.* from unnest($1::bigint[]) given (id)
           cross join lateral (select * from team_member m where m.id = given.id offset 0) m
         union
         select p.* from line l
           cross join lateral (select * from team_member p where p.id = l.inviter_id offset 0) p
       ) select ${COLUMNS} from line`,
      [ids],
    );
    return rows.map(memberOf);
  }

  async save(tx: Tx, members: readonly TeamMember[]): Promise<void> {
    const column = <T>(read: (member: TeamMember) => T): T[] => members.map(read);
    await tx.execute(
      `insert into team_member (id, inviter_id, registered, certified, joined_at, invited, direct, team, own_top_up,
         top_up, rank)
       select * from unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::boolean[], $5::bigint[], $6::int[],
         $7::int[], $8::int[], $9::numeric[], $10::numeric[], $11::smallint[])
       on conflict (id) do update set inviter_id = excluded.inviter_id, registered = excluded.registered,
         certified = excluded.certified, joined_at = excluded.joined_at, invited = excluded.invited,
         direct = excluded.direct, team = excluded.team, own_top_up = excluded.own_top_up, top_up = excluded.top_up,
         rank = excluded.rank`,
      [
        column(({ id }) => id),
        column(({ inviterId }) => inviterId),
        column(({ registered }) => registered),
        column(({ certified }) => certified),
        column(({ joinedAt }) => joinedAt),
        column(({ invited }) => invited),
        column(({ direct }) => direct),
        column(({ team }) => team),
        column(({ ownTopUp }) => formatUnits(ownTopUp, USD_SCALE)),
        column(({ topUp }) => formatUnits(topUp, USD_SCALE)),
        column(({ rank }) => rank),
      ],
    );
  }

  async addDeposits(tx: Tx, deposits: readonly TeamDeposit[]): Promise<ReadonlySet<string>> {
    const rows = await tx.query<{ id: string }>(
      `insert into team_deposit (id, user_id, value, at)
       select * from unnest($1::text[], $2::bigint[], $3::numeric[], $4::bigint[])
       on conflict (id) do nothing returning id`,
      [
        deposits.map(({ id }) => id),
        deposits.map(({ userId }) => userId),
        deposits.map(({ value }) => formatUnits(value, USD_SCALE)),
        deposits.map(({ at }) => at),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async member(id: number): Promise<TeamMember | null> {
    const [row] = await this.database.query<StoredMember>(
      `select ${COLUMNS} from team_member m where m.id = $1::bigint`,
      [id],
    );
    return row ? memberOf(row) : null;
  }

  async isBelow(id: number, ancestor: number): Promise<boolean> {
    const rows = await this.database.query(
      `with recursive line as (
         select id, inviter_id from team_member where id = $1::bigint
         union all
         select p.id, p.inviter_id from line l
           cross join lateral (select id, inviter_id from team_member where id = l.inviter_id offset 0) p
       ) select 1 from line where inviter_id = $2::bigint limit 1`,
      [id, ancestor],
    );
    return rows.length > 0;
  }

  async tree(root: number, { nodes, depth, after }: TreeBounds): Promise<readonly TreeRow[]> {
    const rows = await this.database.query<{ id: string; inviter_id: string; invited: number }>(
      `with recursive
       last as (select joined_at, id from team_member where id = $4::bigint and inviter_id = $1::bigint),
       tree as (
         select $1::bigint as id, null::bigint as inviter_id, 0 as invited, 0 as depth,
           coalesce((select joined_at from last), -1) as from_time, coalesce((select id from last), -1) as from_id
         union all
         select c.id, c.inviter_id, c.invited, t.depth + 1, -1, -1
         from tree t
           cross join lateral (
             select id, inviter_id, invited from team_member
             where inviter_id = t.id and (joined_at, id) > (t.from_time, t.from_id)
             order by joined_at, id limit $3
           ) c
         where t.depth < $2
       )
       select id::text, inviter_id::text, invited from tree limit $3 + 1`,
      [root, depth, nodes, after ?? null],
    );
    return rows
      .slice(1)
      .map((row) => ({ id: Number(row.id), inviterId: Number(row.inviter_id), invited: row.invited }));
  }
}
