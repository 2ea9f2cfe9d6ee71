import { Injectable } from '@nestjs/common';
import { AuditPart } from '@bourse/messaging';

/** Audits shops: their deposits are held, and only open shops have ads on the shelf. */
@Injectable()
export class ShopAudit extends AuditPart {
  readonly prefixes = ['shop'];
  readonly holds = `select 'shop:' || id, deposit_currency_id, deposit
    from shop where state in ('review', 'open', 'closing') and deposit > 0`;
  readonly checks = {
    shopAds: {
      says: 'a shop that is not open has no ad on the shelf',
      wrong: `select 'ad ' || a.id as what
        from ad a left join shop s on s.id = a.shop_id
        where a.kind = 'shop' and a.state = 'shelf' and a.surplus > 0 and s.state is distinct from 'open'`,
    },
  };
}
