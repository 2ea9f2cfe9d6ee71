import { Injectable } from '@nestjs/common';
import type { Language, Params, Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { ChatStore, type Chat, type ExpiredChats } from '../application/ports.js';
import { C2cDatabase } from '../../shared/application/database.js';
import type { ChatLine, ChatSender, ChatSide, NewLine } from '../domain/chat-line.js';
import type { Page } from '@bourse/platform';

interface LineRow extends Record<string, unknown> {
  readonly id: number;
  readonly sender: ChatSender;
  readonly text: string;
  readonly image: string;
  readonly key: string;
  readonly params: Params;
  readonly at: Date;
}
/** How many lines one statement reads of a whole chat, so that other work runs in between. */
const WHOLE_PAGE = 200;
const LINE = 'id, sender, text, image, key, params, at';
const toLine = ({ id, sender, text, image, key, params, at }: LineRow): ChatLine => ({
  ...{ id, text, image, key, params },
  from: sender,
  at: at.getTime(),
});

interface ChatRow extends Record<string, unknown> {
  readonly deal_id: string;
  readonly buyer_id: string;
  readonly seller_id: string;
  readonly buyer_lang: Language;
  readonly seller_lang: Language;
}

@Injectable()
export class PostgresChats extends ChatStore {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  async open(tx: Tx, { dealId, buyerId, sellerId, buyerLang, sellerLang }: Chat): Promise<void> {
    await tx.execute(
      `insert into chat (deal_id, buyer_id, seller_id, buyer_lang, seller_lang) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [dealId, buyerId, sellerId, buyerLang, sellerLang],
    );
  }

  async find(dealId: string, tx?: Tx): Promise<Chat | null> {
    const [row] = await (tx ?? this.database).query<ChatRow>(
      'select deal_id::text, buyer_id::text, seller_id::text, buyer_lang, seller_lang from chat where deal_id = $1',
      [dealId],
    );
    return row
      ? {
          dealId: row.deal_id,
          buyerId: Number(row.buyer_id),
          sellerId: Number(row.seller_id),
          buyerLang: row.buyer_lang,
          sellerLang: row.seller_lang,
        }
      : null;
  }

  async countSpoken(tx: Tx, dealId: string): Promise<number> {
    await tx.query('select 1 from chat where deal_id = $1 for update', [dealId]);
    const [row] = await tx.query<{ lines: number }>(
      `select count(*)::int as lines from chat_line where deal_id = $1 and sender in ('buyer', 'seller')`,
      [dealId],
    );
    return row?.lines ?? 0;
  }

  async add(tx: Tx, dealId: string, said: NewLine, at: number): Promise<ChatLine> {
    // The lock on the row of the chat lasts until the commit: a reader who has read up to a number has missed no lower
    // one.
    const [row] = await tx.query<{ lines: number }>(
      'update chat set lines = lines + 1 where deal_id = $1 returning lines',
      [dealId],
    );
    if (!row) throw new Error(`invariant: deal ${dealId} has no chat`);
    await tx.execute(
      `insert into chat_line (deal_id, id, sender, text, image, key, params, at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [dealId, row.lines, said.from, said.text, said.image, said.key, JSON.stringify(said.params), new Date(at)],
    );
    return { ...said, id: row.lines, at };
  }

  async list(dealId: string, after: number, page: Page): Promise<Rows<ChatLine>> {
    const [rows, [count]] = await Promise.all([
      this.database.query<LineRow>(
        `select ${LINE} from chat_line where deal_id = $1 and id > $2::bigint order by id desc limit $3 offset $4`,
        [dealId, after, page.size, page.offset],
      ),
      this.database.query<{ total: number }>(
        'select count(*)::int as total from chat_line where deal_id = $1 and id > $2::bigint',
        [dealId, after],
      ),
    ]);
    return { rows: rows.map(toLine), total: count?.total ?? 0 };
  }

  async listAll(dealId: string): Promise<readonly ChatLine[]> {
    const lines: ChatLine[] = [];
    for (let isMore = true; isMore;) {
      const rows = await this.database.query<LineRow>(
        `select ${LINE} from chat_line where deal_id = $1 and id > $2 order by id limit ${WHOLE_PAGE}`,
        [dealId, lines.at(-1)?.id ?? 0],
      );
      lines.push(...rows.map(toLine));
      isMore = rows.length === WHOLE_PAGE;
    }
    return lines;
  }

  async markRead(dealId: string, side: ChatSide, upTo: number): Promise<void> {
    await this.database.execute(
      `update chat set ${side}_read = least($2, lines) where deal_id = $1 and ${side}_read < $2`,
      [dealId, upTo],
    );
  }

  async countUnread(userId: number, dealIds: readonly string[], tx?: Tx): Promise<ReadonlyMap<string, number>> {
    if (dealIds.length === 0) return new Map();
    const rows = await (tx ?? this.database).query<{ deal_id: string; unread: number }>(
      `select c.deal_id::text, count(*)::int as unread from chat c join chat_line l using (deal_id)
       where c.deal_id = any($2::bigint[]) and (
         (c.buyer_id = $1 and l.id > c.buyer_read and l.sender in ('seller', 'support'))
         or (c.seller_id = $1 and l.id > c.seller_read and l.sender in ('buyer', 'support')))
       group by 1`,
      [userId, dealIds],
    );
    return new Map(rows.map(({ deal_id: id, unread }) => [id, unread]));
  }

  async listExpired(endedBefore: number, limit: number): Promise<ExpiredChats> {
    const rows = await this.database.query<{ deal_id: string }>(
      `select c.deal_id::text from chat c join deal d on d.id = c.deal_id
       where d.ended_at < $1 and d.appeal <> 'open' order by d.ended_at, d.id limit $2`,
      [new Date(endedBefore), limit],
    );
    const dealIds = rows.map(({ deal_id: id }) => id);
    const pictures = await this.database.query<{ image: string }>(
      `select image from chat_line where deal_id = any($1::bigint[]) and image <> ''
       except select image from chat_line where deal_id <> all($1::bigint[]) and image <> ''`,
      [dealIds],
    );
    return { dealIds, pictures: pictures.map(({ image }) => image) };
  }

  async remove(tx: Tx, dealIds: readonly string[]): Promise<void> {
    await tx.execute('delete from chat where deal_id = any($1::bigint[])', [dealIds]);
  }
}
