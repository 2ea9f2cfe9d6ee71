import { Injectable } from '@nestjs/common';
import { AuditPart } from '@bourse/messaging';
import type { PartCheck } from '../../shared/application/database.js';

/** The people of one round: rows of others are not read. */
const looked = (person: string): string => `${person} > $1::bigint and ${person} <= $2::bigint`;

/** Shares of days that have been settled for longer are not summed again: shares are kept for ever. */
const DAYS_AFTER_SETTLED = 2;
/** The rows of recent days in a table, each day looked up by its own: the indexes begin with the day. */
const recent = (table: string, amount: string): string =>
  `select r.day, r.person, r.currency, r.${amount} as amount
   from generate_series(
     coalesce((select day from rebate_closed), 0) - ${DAYS_AFTER_SETTLED - 1}, (select max(day) from ${table})
   ) d (day)
   cross join lateral (select * from ${table} t where t.day = d.day and ${looked('t.person')} offset 0) r`;

/** The audit checks of teams: the stored sums equal the counted ones. */
@Injectable()
export class TeamAudit extends AuditPart {
  readonly checks: Readonly<Record<string, PartCheck>> = {
    teamSums: {
      // Compares each member with the direct members, which proves the sums of whole teams.
      says: 'team, direct members and deposits of everybody are the sums of those below',
      byPeople: true,
      wrong: `select 'member ' || m.id as what
        from team_member m
        left join (
          select inviter_id, count(*) as invited, count(*) filter (where certified) as direct,
            sum(team + certified::int) as team, sum(top_up + own_top_up) as top_up
          from team_member where ${looked('inviter_id')} group by inviter_id
        ) c on c.inviter_id = m.id
        where ${looked('m.id')} and (m.invited <> coalesce(c.invited, 0) or m.direct <> coalesce(c.direct, 0)
          or m.team <> coalesce(c.team, 0) or m.top_up <> coalesce(c.top_up, 0))`,
    },
    teamDeposits: {
      says: 'what everybody has deposited is the sum of their deposits',
      byPeople: true,
      wrong: `select 'member ' || coalesce(m.id, d.user_id) as what
        from (select id, own_top_up from team_member where ${looked('id')}) m
        full join (
          select user_id, sum(value) as value from team_deposit where ${looked('user_id')} group by user_id
        ) d on d.user_id = m.id
        where coalesce(m.own_top_up, 0) <> coalesce(d.value, 0)`,
    },
    teamRanks: {
      says: 'nobody has a lower rank than their team has reached',
      byPeople: true,
      wrong: `select 'member ' || id as what from team_member
        where ${looked('id')} and rank < case
          when direct >= 20 and team >= 500 and top_up >= 1000000 then 4
          when direct >= 10 and team >= 100 and top_up >= 100000 then 3
          when direct >= 5 and team >= 20 and top_up >= 10000 then 2
          when direct >= 3 then 1 else 0 end`,
    },
    rebateDays: {
      says: 'what is owed, or was settled lately, for each day is the sum of its shares',
      byPeople: true,
      wrong: `select 'day ' || day || ' of ' || person || ' in ' || currency as what
        from (
          select day, person, currency, sum(amount) as amount
            from (${recent('rebate_share', 'amount')}) s group by 1, 2, 3
        ) s full join (
          ${recent('rebate_day', 'sum')} union all ${recent('rebate_paid', 'sum')}
        ) d using (day, person, currency)
        where coalesce(s.amount, 0) <> coalesce(d.amount, 0)`,
    },
    rebateCarries: {
      says: 'what was settled is what was paid and what is carried on',
      byPeople: true,
      wrong: `select 'person ' || person || ' in ' || currency as what
        from (
          select person, currency, sum(sum) - sum(amount) as amount from rebate_paid where ${looked('person')}
          group by 1, 2
        ) p full join (select * from rebate_carry where ${looked('person')}) c using (person, currency)
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
