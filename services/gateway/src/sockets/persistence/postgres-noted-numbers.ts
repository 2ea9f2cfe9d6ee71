import { Injectable } from '@nestjs/common';
import { TOPICS } from '@bourse/events';
import { Replies, type LogMark } from '@bourse/messaging';
import { LEASE_MS, type Tx } from '@bourse/persistence';
import { NotedNumbers, type Noted, type ToNote } from '../application/noted-numbers.js';
import { GatewayDatabase } from '../../shared/persistence/gateway-database.js';

/** Consumer name of the readers of private events. */
export const USER_EVENTS = 'gateway.user-events';
/**
 * One mark per minute is kept for a day: how far back a starting gateway reads the events that others still hold in
 * memory.
 */
const MARK_EVERY = '1 minute';
const MARKS_KEPT = '24 hours';
/** Maximum records that a starting gateway reads again: its memory of older ones is not worth a longer wait. */
const RECALLED_MAX = 50_000;
/** New numbers begin this far above the newest noted one, if the clock is not further already. */
const ABOVE = 1_000_000;

type StoredPositions = Readonly<Record<string, { readonly number: number; readonly hash: string | null }>>;
interface StoredNumbers {
  readonly era: number;
  readonly base: number;
  readonly offset: string | null;
  readonly positions: StoredPositions;
  readonly lastStream: string | null;
  readonly seqs: readonly (readonly [number, number])[];
  readonly before: { readonly offset: number; readonly positions: StoredPositions } | null;
  readonly isSetBack: boolean;
}

/**
 * The mark, the numbers and the reader's stream positions move in one transaction: from the positions a restore finds
 * the rows to send again.
 */
@Injectable()
export class PostgresNotedNumbers extends NotedNumbers {
  private readonly held = new Map<number, number>();

  constructor(
    private readonly database: GatewayDatabase,
    private readonly replies: Replies,
  ) {
    super();
  }

  async load(partition: number, now: number): Promise<Noted> {
    await this.database.transaction(async (tx) => {
      const begun = await tx.execute(
        `insert into private_stream (partition, base, kafka_offset, positions)
       select $2, $4, (select kafka_offset from owner where consumer = $1 and partition = $2),
         coalesce((select json_object_agg(stream, json_build_object('number', number, 'hash', hash))
           from position
           where consumer = $1 and stream like $3), '{}')
       on conflict do nothing`,
        [USER_EVENTS, partition, streamsInto(partition), now],
      );
      if (begun > 0) await keepMark(tx, partition);
    });
    const stored = await this.read(partition);
    if (stored.isSetBack) {
      await this.beginAnew(partition, stored.era, now);
      return this.load(partition, now);
    }
    const { era, base, offset, lastStream, seqs, before } = stored;
    const last = lastStream === null ? undefined : stored.positions[lastStream];
    return {
      era,
      base,
      mark: markOf(offset, stored.positions),
      last: lastStream === null || !last ? null : { stream: lastStream, number: last.number, hash: last.hash ?? '' },
      seqs,
      before: before && markOf(String(before.offset), before.positions),
    };
  }

  async note(partition: number, read: () => ToNote): Promise<boolean> {
    const taken = await this.database.tables.owners.take(USER_EVENTS, partition, this.replies.instance, LEASE_MS);
    if (!taken) return false;
    this.held.set(partition, taken.epoch);
    const noted = read();
    return this.database.transaction(
      async (tx) => {
        if (!(await move(tx, partition, noted))) return false;
        await this.movePositions(tx, partition, taken, noted.mark);
        await tx.execute(
          `insert into private_number (partition, user_id, seq)
           select $1, user_id, seq
           from unnest($2::bigint[], $3::bigint[]) as n(user_id, seq)
           on conflict (partition, user_id) do update set seq = excluded.seq`,
          [partition, noted.seqs.map(([userId]) => userId), noted.seqs.map(([, seq]) => seq)],
        );
        await keepMark(tx, partition);
        return true;
      },
      { relaxed: true },
    );
  }

  async eraOf(partition: number): Promise<number> {
    const [row] = await this.database.query<{ era: number }>('select era from private_stream where partition = $1', [
      partition,
    ]);
    return row?.era ?? 0;
  }

  async beginAnew(partition: number, era: number, now: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const begun = await tx.execute(
        `update private_stream as s
         set era = era + 1, kafka_offset = null, last_stream = null,
           base = greatest($3::bigint, ${ABOVE} + coalesce((select max(seq)
             from private_number n
             where n.partition = s.partition), s.base))
         where partition = $1 and era = $2`,
        [partition, era, now],
      );
      if (begun === 0) return;
      await tx.execute('delete from private_number where partition = $1', [partition]);
      await tx.execute('delete from private_mark where partition = $1', [partition]);
      await keepMark(tx, partition);
    });
  }

  async release(): Promise<void> {
    const held = [...this.held];
    this.held.clear();
    for (const [partition, epoch] of held)
      await this.database.tables.owners.free({ consumer: USER_EVENTS, partition, epoch });
  }

  /** In one statement, so that numbers and mark are of one moment. A restore has cleared the owner's offset. */
  private async read(partition: number): Promise<StoredNumbers> {
    const [row] = await this.database.query<StoredNumbers>(
      `select s.era, s.base::float8 as base, s.kafka_offset::text as "offset", s.positions,
         s.last_stream as "lastStream",
         s.kafka_offset is not null and not exists (select 1
           from owner
           where consumer = $1 and partition = $2 and kafka_offset is not null) as "isSetBack",
         coalesce((select json_agg(json_build_array(user_id, seq))
           from private_number
           where partition = $2), '[]') as seqs,
         (select json_build_object('offset', m.kafka_offset, 'positions', m.positions)
           from private_mark m
           where m.partition = $2 and m.noted_at > clock_timestamp() - interval '${MARKS_KEPT}'
             and m.kafka_offset between s.kafka_offset - ${RECALLED_MAX} and s.kafka_offset - 1
           order by m.kafka_offset
           limit 1) as before
       from private_stream s
       where s.partition = $2`,
      [USER_EVENTS, partition],
    );
    if (!row) throw new Error(`private events of partition ${partition} have no numbers`);
    return row;
  }

  private async movePositions(
    tx: Tx,
    partition: number,
    { epoch, kafkaOffset }: { readonly epoch: number; readonly kafkaOffset: string | null },
    { offset, positions }: ToNote['mark'],
  ): Promise<void> {
    const rows = await tx.query<{ stream: string; number: string }>(
      'select stream, number from position where consumer = $1',
      [USER_EVENTS],
    );
    const stored = new Map(rows.map(({ stream, number }) => [stream, Number(number)]));
    const steps = [...positions].flatMap(([stream, { number, hash }]) => {
      const expected = stored.get(stream) ?? 0;
      return number > expected && hash !== null ? [{ stream, expected, number, hash }] : [];
    });
    const key = {
      consumer: USER_EVENTS,
      partition,
      epoch,
      kafkaOffset: offset,
      kafkaFrom: kafkaOffset,
      leaseMs: LEASE_MS,
    };
    const { owned, moved } = await this.database.tables.owners.advance(tx, key, steps);
    if (!owned || moved !== steps.length) throw new Error('another gateway notes the numbers of private events');
  }
}

/** Advances the mark if it is further than the noted one of the same era; returns whether it was. */
async function move(tx: Tx, partition: number, { era, mark, last }: ToNote): Promise<boolean> {
  const moved = await tx.execute(
    `update private_stream set kafka_offset = $3, positions = $4, last_stream = $5
     where partition = $1 and era = $2 and (kafka_offset is null or kafka_offset < $3::bigint)`,
    [partition, era, mark.offset, JSON.stringify(Object.fromEntries(mark.positions)), last.stream],
  );
  return moved === 1;
}

/** The first mark is the beginning of the era, so that its first events can be read again too. */
async function keepMark(tx: Tx, partition: number): Promise<void> {
  const kept = await tx.execute(
    `insert into private_mark (partition, kafka_offset, positions)
     select partition, coalesce(kafka_offset, 0), positions
     from private_stream
     where partition = $1 and not exists (select 1
       from private_mark
       where partition = $1 and noted_at > clock_timestamp() - interval '${MARK_EVERY}')
     on conflict do nothing`,
    [partition],
  );
  if (kept > 0)
    await tx.execute(
      `delete from private_mark where partition = $1 and noted_at < clock_timestamp() - interval '${MARKS_KEPT}'`,
      [partition],
    );
}

const streamsInto = (partition: number): string => `%>${TOPICS.userEvents}/${partition}`;
const markOf = (offset: string | null, positions: StoredPositions): LogMark => ({
  offset,
  positions: new Map(Object.entries(positions)),
});
