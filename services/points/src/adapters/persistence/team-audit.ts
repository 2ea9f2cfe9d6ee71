import { Injectable } from '@nestjs/common';
import { AuditPart } from '../../application/ports.js';

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
  };
}
