import { Body, Controller, Param, Query } from '@nestjs/common';
import { complaint, type DataPage } from '@bourse/contract';
import { Call, CurrentCaller, dataPage, message, notice, Refused, type Caller, type Notice } from '@bourse/platform';
import * as z from 'zod/mini';
import { ComplaintAdmin } from '../../application/complaint-admin.js';
import type { ReviewedComplaint } from '../../application/complaint-views.js';
import { AdminComplaintsQuery, AnswerBody, CloseBody } from './complaint-fields.js';

const ID = /^[1-9]\d{0,14}$/;
const reviewed = z.extend(complaint, { user_id: z.int(), lang: z.string() });

/** Complaints at the desk of support (api §2.12). */
@Controller()
export class ComplaintsAdminController {
  constructor(private readonly admin: ComplaintAdmin) {}

  @Call(
    { method: 'GET', path: '/api/admin/complaints', auth: 'operator', role: 'support' },
    {
      summary: 'List complaints: open ones longest waiting first, others by last activity',
      answer: message(dataPage(reviewed)),
    },
  )
  list(@Query() { state, userId, page }: AdminComplaintsQuery): Promise<DataPage<ReviewedComplaint>> {
    return this.admin.list({ state, userId }, page);
  }

  @Call(
    { method: 'GET', path: '/api/admin/complaints/:id', auth: 'operator', role: 'support' },
    { summary: 'Get a complaint with its messages', answer: message(reviewed), refuses: ['common.notFound'] },
  )
  file(@Param('id') id: string): Promise<ReviewedComplaint> {
    if (!ID.test(id)) throw new Refused('common.notFound', {}, { field: 'id' });
    return this.admin.file(Number(id));
  }

  @Call(
    { method: 'POST', path: '/api/admin/complaints/answer', auth: 'operator', role: 'support' },
    {
      summary: 'Answer a complaint; the person gets a notice',
      answer: notice('admin.complaintAnswered'),
      refuses: ['common.notFound', 'complaint.state'],
    },
  )
  answer(@Body() fields: AnswerBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.admin.answer(operator, fields);
  }

  @Call(
    { method: 'POST', path: '/api/admin/complaints/close', auth: 'operator', role: 'support' },
    {
      summary: 'Close a complaint; the person can reopen it with a reply for some days',
      answer: notice('admin.complaintClosed'),
      refuses: ['common.notFound', 'complaint.state'],
    },
  )
  close(@Body() fields: CloseBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.admin.close(operator, fields);
  }
}
