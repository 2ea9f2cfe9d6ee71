import { Body, Controller } from '@nestjs/common';
import { Call, CurrentCaller, notice, type Caller, type Notice } from '@bourse/platform';
import * as z from 'zod/mini';
import { NoticeAdmin } from '../../application/notice-admin.js';
import { messageTexts, NoticeSendBody } from './notice-fields.js';

/** Operators' messages to people (api §2.12). */
@Controller()
export class NoticeAdminController {
  constructor(private readonly admin: NoticeAdmin) {}

  @Call(
    { method: 'POST', path: '/api/admin/notices', auth: 'operator', role: 'support' },
    {
      summary: 'Send a notice to one person, or to everybody after approval by a second operator',
      answer: notice(['notice.sent', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound', 'common.fieldRequired', 'common.fieldInvalid'],
    },
  )
  send(@Body() fields: NoticeSendBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    const { userId, reason } = fields;
    return this.admin.send(operator, { to: userId, texts: messageTexts(fields), reason });
  }
}
