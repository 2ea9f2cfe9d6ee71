import { Injectable } from '@nestjs/common';
import { AuditPart } from '@bourse/messaging';

const UNFINISHED = `state in ('unpaid', 'paid')`;

/** Audits ads and deals. */
@Injectable()
export class DealAudit extends AuditPart {
  readonly prefixes = ['ad', 'deal'];

  /** Surplus and fee of sell ads, and numbers and fees of deals under way. */
  readonly holds = `
    select 'ad:' || id as hold, currency_id as currency, surplus + surplus_fee as amount
      from ad where state = 'shelf' and type = 'sell'
    union all
    select case when type = 'sell' and in_ad then 'ad:' || ad_id else 'deal:' || id end, currency_id, number + fee
      from deal where ${UNFINISHED}`;

  readonly checks = {
    surplus: {
      says: 'the surplus of an ad is its total without unfinished, finished and returned coins',
      wrong: `select 'ad ' || a.id as what from ad a
        left join (
          select ad_id, sum(number) filter (where state in ('waiting', 'unpaid', 'paid')) as unfinished,
            sum(number) filter (where state = 'finished') as finished
          from deal where in_ad group by 1) d on d.ad_id = a.id
        where a.surplus <> a.total - coalesce(d.unfinished, 0) - coalesce(d.finished, 0) - a.returned
          or a.finished <> coalesce(d.finished, 0)`,
    },
    adDeals: {
      says: 'an ad counts its unfinished deals, and a sold-out ad has neither surplus nor such deals',
      wrong: `select 'ad ' || a.id as what from ad a
        left join (select ad_id, count(*) as deals from deal where state in ('waiting', 'unpaid', 'paid') group by 1) d
          on d.ad_id = a.id
        where a.open_deals <> coalesce(d.deals, 0) or (a.state = 'shelf' and a.surplus = 0 and a.open_deals = 0)
          or (a.state = 'sold' and (a.surplus <> 0 or a.open_deals <> 0))
          or (a.surplus = 0 and a.surplus_fee <> 0)`,
    },
    takers: {
      says: 'the count of a taker equals their unfinished deals',
      wrong: `select 'person ' || c.user_id as what from taker_count c
        left join (
          select taker_id, count(*) as deals from deal where state in ('waiting', 'unpaid', 'paid') group by 1) d
          on d.taker_id = c.user_id
        where c.deals <> coalesce(d.deals, 0)`,
    },
  };
}
