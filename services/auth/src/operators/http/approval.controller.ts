import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { timeText, type DataPage } from '@bourse/contract';
import { Call, type Caller, CurrentCaller, dataPage, message, notice, Notice } from '@bourse/platform';
import * as z from 'zod/mini';
import { approvalRow } from './answers.js';
import { Approvals, type ApprovalRow } from '../application/approvals.js';
import { ApprovalListQuery, DecideApprovalBody } from './fields.js';

/**
 * Calls that wait for a second operator (api §2.12). The edge requires the lowest role; each call's own role decides
 * who may see and approve it.
 */
@ApiTags('operators')
@Controller()
export class ApprovalController {
  constructor(private readonly approvals: Approvals) {}

  @Call(
    { method: 'GET', path: '/api/admin/approvals', auth: 'operator', role: 'support' },
    {
      summary: 'List calls that wait for a second person, with their decisions',
      answer: message(dataPage(approvalRow)),
    },
  )
  list(@CurrentCaller() caller: Caller, @Query() fields: ApprovalListQuery): Promise<DataPage<ApprovalRow>> {
    return this.approvals.list(caller, fields.state, fields.page);
  }

  @Call(
    { method: 'POST', path: '/api/admin/approvals/approve', auth: 'operator', role: 'support' },
    {
      summary: 'Approve a waiting call: it is executed now, a change of a guarded row one hour later',
      answer: notice(['admin.approvalApproved', 'admin.approvalHeld'], { in_force_at: z.optional(timeText) }),
      refuses: ['common.notFound', 'admin.decided', 'admin.samePerson', 'admin.outdated'],
    },
  )
  async approve(@CurrentCaller() caller: Caller, @Body() fields: DecideApprovalBody): Promise<Notice> {
    const shown = await this.approvals.approve(caller, fields.id, fields.reason);
    const time = shown['in_force_at'];
    return typeof time === 'string'
      ? new Notice('admin.approvalHeld', shown, { time })
      : new Notice('admin.approvalApproved', shown);
  }

  @Call(
    { method: 'POST', path: '/api/admin/approvals/reject', auth: 'operator', role: 'support' },
    {
      summary: 'Refuse a waiting call, or withdraw an own one',
      answer: notice('admin.approvalRejected'),
      refuses: ['common.notFound', 'admin.decided'],
    },
  )
  async reject(@CurrentCaller() caller: Caller, @Body() fields: DecideApprovalBody): Promise<Notice> {
    await this.approvals.reject(caller, fields.id, fields.reason);
    return new Notice('admin.approvalRejected');
  }
}
