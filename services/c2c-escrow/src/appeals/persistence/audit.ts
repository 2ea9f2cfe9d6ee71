import { Injectable } from '@nestjs/common';
import { AuditPart } from '@bourse/messaging';

/** Audits deals against their appeals; appeals have no holds of their own. */
@Injectable()
export class AppealAudit extends AuditPart {
  readonly checks = {
    'appeals.state': {
      says: 'deals and their appeals agree',
      wrong: `select 'deal ' || d.id as what from deal d
        left join lateral (
          select state from appeal a where a.deal_id = d.id and a.state in ('open', 'buyer', 'seller')
          order by opened_at desc, id desc limit 1) a on true
        where d.appeal <> 'none' and a.state is distinct from d.appeal
        union all
        select 'appeal ' || a.id from appeal a join deal d on d.id = a.deal_id
        where a.state in ('open', 'buyer', 'seller') and d.appeal <> a.state`,
    },
    'appeals.escrow': {
      says: 'an open appeal has its coins in escrow, a decided one has moved them to the winner',
      wrong: `select 'appeal ' || a.id as what from appeal a join deal d on d.id = a.deal_id
        where (a.state = 'open' and a.with_escrow and d.state <> 'paid')
          or (a.state = 'buyer' and a.with_escrow and d.state <> 'finished')
          or (a.state = 'seller' and a.with_escrow and (d.state <> 'cancelled' or d.cancelled_by <> 'decision'))
          or (not a.with_escrow and a.state in ('open', 'buyer', 'seller') and d.state <> 'cancelled')`,
    },
  };
}
