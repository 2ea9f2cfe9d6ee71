import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { DataPage } from '@bourse/contract';
import {
  Call,
  CurrentCaller,
  Fields,
  Notice,
  present,
  readInteger,
  readOneOf,
  readPage,
  readText,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { Approvals, type ApprovalRow } from '../../application/approvals/approvals.js';
import { APPROVAL_STATES } from '../../application/approvals/ports.js';
import { Takes } from './request.js';

const PAGE = 20;

/**
 * What waits for a second operator (api §2.12). The edge asks for the lowest role; which calls one may see and decide
 * is judged by each call's own.
 */
@ApiTags('operators')
@Controller()
export class ApprovalController {
  constructor(private readonly approvals: Approvals) {}

  @ApiOperation({ summary: 'Calls that wait for a second person, and how they were decided' })
  @Call({ method: 'GET', path: '/api/admin/approvals', auth: 'operator', role: 'support' })
  list(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<DataPage<ApprovalRow>> {
    const state = present(fields, 'state') === undefined ? undefined : readOneOf(fields, 'state', APPROVAL_STATES);
    return this.approvals.list(caller, state, readPage(fields, PAGE));
  }

  @ApiOperation({ summary: 'Approve a call that waits: it is carried out now' })
  @Takes('id*', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/approvals/approve', auth: 'operator', role: 'support' })
  async approve(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const id = readInteger(fields, 'id', 'common.fieldInvalid', { min: 1 });
    return new Notice('admin.approvalApproved', await this.approvals.approve(caller, id, reasonOf(fields)));
  }

  @ApiOperation({ summary: 'Refuse a call that waits, or take an own one back' })
  @Takes('id*', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/approvals/reject', auth: 'operator', role: 'support' })
  async reject(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const id = readInteger(fields, 'id', 'common.fieldInvalid', { min: 1 });
    await this.approvals.reject(caller, id, reasonOf(fields));
    return new Notice('admin.approvalRejected');
  }
}

const reasonOf = (fields: FieldRecord): string => readText(fields, 'reason', 'common.fieldRequired', { max: 500 });
