import { Injectable } from '@nestjs/common';
import { INTERNAL_CURRENCIES } from '@bourse/events';
import { AuditPart } from '@bourse/messaging';

const CASH = INTERNAL_CURRENCIES.CSH.id;

/** Audits unfinished deals with acceptors: held coins, and held cash of the acceptor. */
@Injectable()
export class AcceptorAudit extends AuditPart {
  readonly prefixes = ['acceptor'];
  readonly holds = `select 'acceptor:' || id as hold, currency_id as currency, coins as amount
      from acceptor_deal where state in ('holding', 'open')
    union all
    select 'acceptor:' || id, ${CASH}, cash from acceptor_deal where state = 'open' and type = 'sell'`;
  readonly checks = {
    'acceptors: deadlines': {
      says: 'an open deal has the timer of its deadline, other deals have none',
      wrong: `select 'deal ' || coalesce(d.id::text, t.id) as what
        from (select * from acceptor_deal where due_at is not null) d
        full join (select * from timer where kind = 'acceptor.deal') t on t.id = d.id::text
        where d.id is null or t.id is null or t.due_at <> d.due_at`,
    },
    'acceptors: received': {
      says: 'nobody is paid out more than was paid in',
      wrong: `select 'deal ' || id as what from acceptor_deal
        where case type when 'buy' then coins > cash else cash > coins end`,
    },
  };
}
