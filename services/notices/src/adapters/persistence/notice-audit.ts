import { Injectable } from '@nestjs/common';
import { AuditPart } from '@bourse/messaging';

/** The audit checks of notices. */
@Injectable()
export class NoticeAudit extends AuditPart {
  readonly checks = {
    noticeReads: {
      says: 'only what everybody was told is read by person',
      wrong: `select 'notice ' || n.id as what
        from notice_read r join notice n on n.id = r.notice_id where n.user_id is not null`,
    },
  };
}
