import { Injectable } from '@nestjs/common';
import type { NoticeKind } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import { NoticeStore, type NoticePage, type NoticeReader } from '../../application/notice-ports.js';
import { NoticesDatabase } from '../../application/ports.js';
import type { MessageTexts, NewNotice, StoredNotice } from '../../domain/notice.js';

interface Row {
  readonly id: string;
  readonly user_id: string | null;
  readonly source: string;
  readonly kind: NoticeKind;
  readonly params: Record<string, string | number>;
  readonly texts: MessageTexts | null;
  readonly link: string;
  readonly at: string;
  readonly is_read: boolean;
}
const COLUMNS = `id, user_id, source, kind, params, texts, link, (extract(epoch from at) * 1000)::bigint as at`;
/** Rows that one statement deletes: it holds no lock for long. */
const FORGET_MAX = 5_000;

@Injectable()
export class PostgresNotices extends NoticeStore {
  constructor(private readonly database: NoticesDatabase) {
    super();
  }

  async add(tx: Tx, notices: readonly NewNotice[]): Promise<readonly StoredNotice[]> {
    if (notices.length === 0) return [];
    const rows = await tx.query<Row>(
      `insert into notice (user_id, source, kind, params, texts, link, at)
       select n.user_id, n.source, n.kind, n.params, n.texts, n.link, to_timestamp(n.at / 1000.0)
       from jsonb_to_recordset($1::jsonb) as n
         (user_id bigint, source text, kind text, params jsonb, texts jsonb, link text, at bigint, place bigint)
       order by n.place
       on conflict (user_id, source) do nothing
       returning ${COLUMNS}, false as is_read`,
      [JSON.stringify(notices.map(columnsOf))],
    );
    return rows.map(noticeOf).sort((one, other) => one.id - other.id);
  }

  page(reader: NoticeReader, { offset, size }: { offset: number; size: number }): Promise<NoticePage> {
    return this.database.transaction(
      async (tx) => {
        const [counts] = await tx.query<{ total: number; unread: number }>(
          `select own.total + common.total as total, own.unread + common.unread as unread
           from (select count(*)::int as total, (count(*) filter (where read_at is null))::int as unread
                 from notice where user_id = $1) own,
                (select count(*)::int as total, (count(*) filter (where r.notice_id is null))::int as unread
                 from notice n left join notice_read r on r.notice_id = n.id and r.user_id = $1
                 where n.user_id is null and n.at >= to_timestamp($2::bigint / 1000.0)) common`,
          [reader.userId, reader.since],
        );
        const rows = await tx.query<Row>(
          `select * from (
             (select ${COLUMNS}, read_at is not null as is_read from notice where user_id = $1
              order by id desc limit $3::bigint + $4::bigint)
             union all
             (select ${COLUMNS}, exists (select from notice_read r where r.notice_id = n.id and r.user_id = $1)
              from notice n where user_id is null and at >= to_timestamp($2::bigint / 1000.0)
              order by id desc limit $3::bigint + $4::bigint)
           ) found order by id desc offset $3::bigint limit $4::bigint`,
          [reader.userId, reader.since, offset, size],
        );
        return { rows: rows.map(noticeOf), total: counts!.total, unread: counts!.unread };
      },
      { isolation: 'repeatable read' },
    );
  }

  read(reader: NoticeReader, id: number, now: number): Promise<StoredNotice | null> {
    return this.database.transaction(async (tx) => {
      const [own] = await tx.query<Row>(
        `update notice set read_at = coalesce(read_at, to_timestamp($3::bigint / 1000.0))
         where id = $1::bigint and user_id = $2 returning ${COLUMNS}, true as is_read`,
        [id, reader.userId, now],
      );
      if (own) return noticeOf(own);
      const [common] = await tx.query<Row>(
        `select ${COLUMNS}, true as is_read from notice
         where id = $1::bigint and user_id is null and at >= to_timestamp($2::bigint / 1000.0)`,
        [id, reader.since],
      );
      if (!common) return null;
      await tx.execute(
        `insert into notice_read (user_id, notice_id, read_at)
         values ($1, $2::bigint, to_timestamp($3::bigint / 1000.0)) on conflict do nothing`,
        [reader.userId, id, now],
      );
      return noticeOf(common);
    });
  }

  async keep(tx: Tx, userIds: readonly number[], most: number): Promise<void> {
    await tx.execute(
      `delete from notice where id in (
         select old.id from unnest($1::bigint[]) u (user_id),
           lateral (select id from notice n where n.user_id = u.user_id order by id desc offset $2) old)`,
      [userIds, most],
    );
  }

  async crowded(most: number): Promise<readonly number[]> {
    const rows = await this.database.query<{ user_id: string }>(
      `select user_id from notice where user_id is not null group by user_id having count(*) > $1 limit 1000`,
      [most],
    );
    return rows.map(({ user_id }) => Number(user_id));
  }

  forget(tx: Tx, before: number): Promise<number> {
    return tx.execute(
      `delete from notice where id in (
         select id from notice where at < to_timestamp($1::bigint / 1000.0) order by at limit ${FORGET_MAX})`,
      [before],
    );
  }
}

const columnsOf = ({ userId, source, kind, params, texts, link, at }: NewNotice, place: number): object => ({
  place,
  user_id: userId,
  source,
  kind,
  params,
  texts,
  link,
  at,
});

const noticeOf = (row: Row): StoredNotice => ({
  id: Number(row.id),
  userId: row.user_id === null ? null : Number(row.user_id),
  source: row.source,
  kind: row.kind,
  params: row.params,
  texts: row.texts,
  link: row.link,
  at: Number(row.at),
  isRead: row.is_read,
});
