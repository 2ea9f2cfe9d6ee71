import { Injectable } from '@nestjs/common';
import { AuditPart } from '@bourse/messaging';

/** Audits chats against their deals. */
@Injectable()
export class ChatAudit extends AuditPart {
  readonly checks = {
    'appeals.chats': {
      says: 'lines of a chat are numbered without gaps, and its sides are those of its deal',
      wrong: `select 'deal ' || c.deal_id as what from chat c
        left join (select deal_id, count(*) as lines, max(id) as last from chat_line group by 1) l using (deal_id)
        join deal d on d.id = c.deal_id
        where c.lines <> coalesce(l.lines, 0) or c.lines <> coalesce(l.last, 0)
          or c.buyer_id <> case d.type when 'sell' then d.taker_id else d.owner_id end
          or c.seller_id <> case d.type when 'sell' then d.owner_id else d.taker_id end`,
    },
  };
}
