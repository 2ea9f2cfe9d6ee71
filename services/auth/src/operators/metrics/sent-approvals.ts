import { Injectable } from '@nestjs/common';
import { Clock, Metrics } from '@bourse/platform';
import { AuthDatabase } from '../../shared/application/ports/database.js';

/** Approved calls whose service has not answered: nobody may reject them meanwhile. */
@Injectable()
export class SentApprovalFigures {
  constructor(database: AuthDatabase, clock: Clock, metrics: Metrics) {
    metrics.queried(
      'bourse_approval_unanswered_seconds',
      'How long the approved call has waited for its service that has waited longest; 0: there is none',
      [],
      async () => {
        const [row] = await database.query<{ at: string | null }>(
          'select (extract(epoch from min(sent_at)) * 1000)::text as at from approval where sent_at is not null',
        );
        const at = row?.at ?? null;
        return [{ labels: {}, value: at === null ? 0 : Math.max(0, (clock.now() - Number(at)) / 1_000) }];
      },
    );
  }
}
