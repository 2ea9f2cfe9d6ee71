import { Injectable } from '@nestjs/common';
import { HoldReads, type NeededHolds } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { BoxStore, TemplateDatabase } from '../../application/ports.js';
import { HOLD_PREFIX, type Box } from '../../domain/box.js';

interface BoxRow {
  readonly id: string;
  readonly user_id: string;
  readonly currency: number;
  readonly amount: string;
  readonly state: Box['state'];
  readonly closes_at: Date | null;
}
const COLUMNS = 'id::text, user_id::text, currency, trim_scale(amount)::text as amount, state, closes_at';
const boxOf = ({ user_id: userId, closes_at: closesAt, ...row }: BoxRow): Box => ({
  id: row.id,
  userId: Number(userId),
  currency: row.currency,
  amount: row.amount,
  state: row.state,
  closesAt: closesAt?.getTime() ?? null,
});
/** The holds that open boxes need in the ledger. */
const NEEDED = `select '${HOLD_PREFIX}:' || id as hold, currency, amount from box where state = 'open'`;

@Injectable()
export class PostgresBoxes extends BoxStore {
  private readonly needed: HoldReads;

  constructor(private readonly database: TemplateDatabase) {
    super();
    this.needed = new HoldReads(database, NEEDED);
  }

  async take(tx: Tx, userId: number, most: number): Promise<boolean> {
    await tx.execute('insert into box_count (user_id, boxes) values ($1, 0) on conflict do nothing', [userId]);
    return (
      (await tx.execute('update box_count set boxes = boxes + 1 where user_id = $1 and boxes < $2', [userId, most])) ===
      1
    );
  }

  async giveBack(tx: Tx, userId: number): Promise<void> {
    await tx.execute('update box_count set boxes = boxes - 1 where user_id = $1', [userId]);
  }

  async insert(
    tx: Tx,
    { userId, currency, amount, seconds }: Pick<Box, 'userId' | 'currency' | 'amount'> & { seconds: number },
  ): Promise<string> {
    const [row] = await tx.query<{ id: string }>(
      `insert into box (user_id, currency, amount, seconds, state)
        values ($1, $2, $3, $4, 'waiting')
        returning id::text`,
      [userId, currency, amount, seconds],
    );
    if (!row) throw new Error('invariant: a box was inserted without an id');
    return row.id;
  }

  async open(tx: Tx, id: string, closesAt: number): Promise<Box> {
    const [row] = await tx.query<BoxRow & Record<string, unknown>>(
      `update box set state = 'open', closes_at = $2 where id = $1 and state = 'waiting' returning ${COLUMNS}`,
      [id, new Date(closesAt)],
    );
    if (!row) throw new Error(`invariant: box ${id} does not wait for the ledger`);
    return boxOf(row);
  }

  async drop(tx: Tx, id: string): Promise<void> {
    await tx.execute(`delete from box where id = $1 and state = 'waiting'`, [id]);
  }

  async close(
    tx: Tx,
    id: string,
    which: { readonly dueAt: number } | { readonly userId: number },
  ): Promise<Box | null> {
    const [condition, value] =
      'dueAt' in which ? ['closes_at <= $2', new Date(which.dueAt)] : ['user_id = $2', which.userId];
    const [row] = await tx.query<BoxRow & Record<string, unknown>>(
      `update box set state = 'closed' where id = $1 and state = 'open' and ${condition} returning ${COLUMNS}`,
      [id, value],
    );
    return row ? boxOf(row) : null;
  }

  async list(userId: number): Promise<readonly Box[]> {
    const rows = await this.database.query<BoxRow & Record<string, unknown>>(
      `select ${COLUMNS} from box where user_id = $1 and state = 'open' order by id desc limit 100`,
      [userId],
    );
    return rows.map(boxOf);
  }

  holdDigests(): Promise<readonly string[]> {
    return this.needed.digests();
  }

  holdLines(buckets: readonly number[]): Promise<NeededHolds> {
    return this.needed.lines(buckets);
  }

  async miscounted(): Promise<readonly number[]> {
    const rows = await this.database.query<{ user_id: string }>(
      `select c.user_id::text from box_count c
       left join (select user_id, count(*) as boxes from box where state <> 'closed' group by 1) b using (user_id)
       where c.boxes <> coalesce(b.boxes, 0) limit 20`,
    );
    return rows.map(({ user_id: id }) => Number(id));
  }
}
