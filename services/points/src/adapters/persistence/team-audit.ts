import { Injectable } from '@nestjs/common';
import { AuditPart } from '../../application/ports.js';

/**
 * Shares of days that have been settled for longer are not summed again: the auditor looks every 15 s, and shares are
 * kept for ever.
 */
const DAYS_AFTER_SETTLED = 2;
const RECENT = `day > coalesce((select day from rebate_closed), 0) - ${DAYS_AFTER_SETTLED}`;

/** What the auditor checks of teams: the sums that are kept are those that are counted. */
@Injectable()
export class TeamAudit extends AuditPart {
  readonly prefixes = [];
  readonly holds = `select null::text, null::int, null::numeric where false`;
  readonly checks = {
    teamSums: {
      // Of each with those right below: so it holds of whole teams.
      says: 'team, direct members and deposits of everybody are the sums of those below',
      wrong: `select 'member ' || m.id as what
        from team_member m
        left join (
          select inviter_id, count(*) as invited, count(*) filter (where certified) as direct,
            sum(team + certified::int) as team, sum(top_up + own_top_up) as top_up
          from team_member where inviter_id is not null group by inviter_id
        ) c on c.inviter_id = m.id
        where m.invited <> coalesce(c.invited, 0) or m.direct <> coalesce(c.direct, 0)
          or m.team <> coalesce(c.team, 0) or m.top_up <> coalesce(c.top_up, 0)`,
    },
    teamDeposits: {
      says: 'what everybody has deposited is the sum of their deposits',
      wrong: `select 'member ' || coalesce(m.id, d.user_id) as what
        from team_member m full join (
          select user_id, sum(value) as value from team_deposit group by user_id
        ) d on d.user_id = m.id
        where coalesce(m.own_top_up, 0) <> coalesce(d.value, 0)`,
    },
    teamRanks: {
      says: 'nobody has a lower rank than their team has reached',
      wrong: `select 'member ' || id as what from team_member
        where rank < case
          when direct >= 20 and team >= 500 and top_up >= 1000000 then 4
          when direct >= 10 and team >= 100 and top_up >= 100000 then 3
          when direct >= 5 and team >= 20 and top_up >= 10000 then 2
          when direct >= 3 then 1 else 0 end`,
    },
    rebateDays: {
      says: 'what is owed, or was settled lately, for each day is the sum of its shares',
      wrong: `select 'day ' || day || ' of ' || person || ' in ' || currency as what
        from (
          select day, person, currency, sum(amount) as amount from rebate_share where ${RECENT} group by 1, 2, 3
        ) s full join (
          select day, person, currency, sum from rebate_day where ${RECENT}
          union all select day, person, currency, sum from rebate_paid where ${RECENT}
        ) d using (day, person, currency)
        where coalesce(s.amount, 0) <> coalesce(d.sum, 0)`,
    },
    rebateCarries: {
      says: 'what was settled is what was paid and what is carried on',
      wrong: `select 'person ' || person || ' in ' || currency as what
        from (
          select person, currency, sum(sum) - sum(amount) as amount from rebate_paid group by 1, 2
        ) p full join rebate_carry c using (person, currency)
        where coalesce(p.amount, 0) <> coalesce(c.amount, 0)`,
    },
    rebateTurns: {
      says: 'no day that is closed is owed for longer than it takes to pay it',
      wrong: `select 'day ' || d.day || ' of ' || d.person as what
        from rebate_day d join rebate_closed c on d.day <= c.day
        where not exists (select 1 from timer t where t.kind = 'rebate.piece')`,
    },
  };
}
