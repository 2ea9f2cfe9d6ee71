import { Injectable } from '@nestjs/common';
import { AuditPart } from '@bourse/messaging';
import type { PartCheck } from '../../shared/application/database.js';

/** The people of one round. */
const IN_ROUND = 'user_id > $1::bigint and user_id <= $2::bigint';

/** The audit checks of points: every point was credited by a binding or a day, and left by an exchange. */
@Injectable()
export class PointsAccountsAudit extends AuditPart {
  readonly checks: Readonly<Record<string, PartCheck>> = {
    pointsAccounts: {
      says: 'everybody has the points that were credited less those that were exchanged',
      byPeople: true,
      wrong: `select 'user ' || user_id as what
        from (
          select user_id, total as points from points_account where ${IN_ROUND}
          union all select user_id, -points from points_binding where state = 'bound' and ${IN_ROUND}
          union all select user_id, -points from points_fees where state = 'done' and ${IN_ROUND}
          union all select user_id, points from points_exchange where ${IN_ROUND}
        ) moved group by user_id having sum(points) <> 0`,
    },
    pointsOfFees: {
      says: 'the points of every day that is booked are what its fees were worth',
      byPeople: true,
      wrong: `select 'day ' || day || ' of user ' || user_id as what
        from points_fees where ${IN_ROUND} and state <> 'open' and points <> trunc(greatest(value, 0), 8)`,
    },
    pointsDays: {
      says: 'no fee stands under a day that was closed before yesterday',
      wrong: `select 'day ' || f.day || ' of user ' || f.user_id as what
        from points_fees f, points_books b where f.state = 'open' and f.day < b.next_day - 2`,
    },
  };
}
