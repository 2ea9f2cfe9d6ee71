import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { DataPage } from '@bourse/contract';
import {
  Call,
  type CallContext,
  type Caller,
  Context,
  CurrentCaller,
  dataPage,
  message,
  notice,
  Notice,
  Refused,
} from '@bourse/platform';
import { kycRow, namedPerson, userFile, userRow } from './answers.js';
import * as z from 'zod/mini';
import { KycReview, type KycRow } from '../../identity/application/kyc-review.js';
import { UserAdmin, type UserFile, type UserRow } from '../application/user-admin.js';
import { actorOf } from '../../shared/application/audit-log.js';
import {
  DecidePapersBody,
  FreezeBody,
  NamedPeopleQuery,
  PapersQuery,
  PeopleQuery,
  PeopleRoleBody,
  ResetBody,
} from './fields.js';

/**
 * Operators' calls about people and their identity documents (api §2.12). The edge has demanded `reason` of every
 * write.
 */
@ApiTags('operators')
@Controller()
export class PeopleAdminController {
  constructor(
    private readonly desk: UserAdmin,
    private readonly review: KycReview,
  ) {}

  @Call(
    { method: 'GET', path: '/api/admin/users', auth: 'operator', role: 'support' },
    { summary: 'People, newest first', answer: message(dataPage(userRow)) },
  )
  users(@Query() fields: PeopleQuery): Promise<DataPage<UserRow>> {
    const { page, ...filter } = fields;
    return this.desk.list({ keyword: filter.keyword, role: filter.role }, page);
  }

  @Call(
    { method: 'GET', path: '/api/admin/people', auth: 'operator', role: 'support' },
    { summary: 'Get the names of up to 100 people by their ids', answer: message(z.array(namedPerson)) },
  )
  named(@Query() { ids }: NamedPeopleQuery): Promise<z.output<typeof namedPerson>[]> {
    return this.desk.named(ids);
  }

  @Call(
    { method: 'GET', path: '/api/admin/users/:id', auth: 'operator', role: 'support' },
    {
      summary: 'One person with sessions, balances and holds',
      answer: message(userFile),
      refuses: ['common.notFound'],
    },
  )
  user(@Param('id') id: string, @Context() { lang }: CallContext): Promise<UserFile> {
    if (!/^[1-9]\d{0,15}$/.test(id)) throw new Refused('common.notFound', {}, { field: 'id' });
    return this.desk.file(Number(id), lang);
  }

  @Call(
    { method: 'POST', path: '/api/admin/users/freeze', auth: 'operator', role: 'support' },
    {
      summary: 'Freeze a scope of a person, or lift the freeze',
      answer: notice('common.success'),
      refuses: ['common.notFound'],
    },
  )
  async freeze(@CurrentCaller() operator: Caller, @Body() fields: FreezeBody): Promise<Notice> {
    await this.desk.freeze(operator, fields.userId, fields.scope, fields.reason);
    return new Notice('common.success');
  }

  @Call(
    { method: 'POST', path: '/api/admin/users/reset', auth: 'operator', role: 'support' },
    {
      summary:
        'End sessions; take an authenticator off, or have a fund password set again, once a second person approves',
      answer: notice(['common.success', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  async reset(@CurrentCaller() operator: Caller, @Body() fields: ResetBody): Promise<Notice> {
    const approvalId = await this.desk.reset(operator, fields.userId, fields.what, fields.reason);
    return approvalId === null
      ? new Notice('common.success')
      : new Notice('admin.approvalWaiting', { approval_id: approvalId });
  }

  @Call(
    { method: 'POST', path: '/api/admin/users/role', auth: 'operator', role: 'admin' },
    {
      summary: 'Set the roles of a person: seller, acceptor, region agent, member of the points programme',
      answer: notice('common.success'),
      refuses: ['common.notFound'],
    },
  )
  async role(@CurrentCaller() operator: Caller, @Body() fields: PeopleRoleBody): Promise<Notice> {
    const { userId, isSeller, isAcceptor, region, inPoints, reason } = fields;
    await this.desk.role(actorOf(operator), userId, { isSeller, isAcceptor, region, inPoints }, reason);
    return new Notice('common.success');
  }

  @Call(
    { method: 'GET', path: '/api/admin/kyc', auth: 'operator', role: 'support' },
    { summary: 'List documents submitted for identity checks', answer: message(dataPage(kycRow)) },
  )
  papers(@Query() { reviewStatus, userId, page }: PapersQuery): Promise<DataPage<KycRow>> {
    return this.review.list({ reviewStatus, userId }, page);
  }

  @Call(
    { method: 'POST', path: '/api/admin/kyc/decide', auth: 'operator', role: 'support' },
    {
      summary: 'Certify a person, or return the documents',
      answer: notice('common.success'),
      refuses: ['kyc.state', 'common.notFound'],
    },
  )
  async decide(@CurrentCaller() operator: Caller, @Body() fields: DecidePapersBody): Promise<Notice> {
    const { userId, pass, submittedAt, reason } = fields;
    await this.review.decide(operator, userId, { pass, submittedAt }, reason);
    return new Notice('common.success');
  }
}
