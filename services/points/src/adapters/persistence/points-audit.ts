import { Injectable } from '@nestjs/common';
import { AuditPart } from '../../application/ports.js';

/** What the auditor checks of points: every point was credited by a binding or a day, and left by an exchange. */
@Injectable()
export class PointsAccountsAudit extends AuditPart {
  readonly prefixes = [];
  /** Points are never held. */
  readonly holds = 'select null::text, null::int, null::numeric where false';
  readonly checks = {
    pointsAccounts: {
      says: 'everybody has the points that were credited less those that were exchanged',
      wrong: `select 'user ' || user_id as what
        from (
          select user_id, total as points from points_account
          union all select user_id, -points from points_binding where state = 'bound'
          union all select user_id, points from points_exchange
        ) moved group by user_id having sum(points) <> 0`,
    },
  };
}
