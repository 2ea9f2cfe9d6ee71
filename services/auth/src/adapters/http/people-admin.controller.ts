import { Controller, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { DataPage } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  Notice,
  present,
  readFlag,
  readInteger,
  readOneOf,
  readOptionalText,
  readPage,
  readText,
  Refused,
  type CallContext,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { KycReview, type KycRow } from '../../application/kyc-review.js';
import { PEOPLE_ROLES } from '../../application/ports.js';
import { FREEZE_SCOPES, RESETS, UserAdmin, type UserFile, type UserRow } from '../../application/user-admin.js';
import { Takes } from './request.js';

const PAGE = 20;
/** `city` or `city/district`; empty takes the role away. */
const REGION = /^(?:[^/]{1,60}(?:\/[^/]{1,60})?)?$/u;
const REVIEW_STATUSES = ['0', '1', '2'] as const;

/** What operators do about people and their papers (api §2.12). The edge has demanded `reason` of every write. */
@ApiTags('operators')
@Controller()
export class PeopleAdminController {
  constructor(
    private readonly desk: UserAdmin,
    private readonly review: KycReview,
  ) {}

  @ApiOperation({ summary: 'People, newest first' })
  @Call({ method: 'GET', path: '/api/admin/users', auth: 'operator', role: 'support' })
  users(@Fields() fields: FieldRecord): Promise<DataPage<UserRow>> {
    const keyword = readOptionalText(fields, 'keyword', 'common.fieldInvalid', { max: 100 });
    const role = present(fields, 'role') === undefined ? undefined : readOneOf(fields, 'role', PEOPLE_ROLES);
    return this.desk.list({ keyword, role }, readPage(fields, PAGE));
  }

  @ApiOperation({ summary: 'One person with sessions, balances and holds' })
  @Call({ method: 'GET', path: '/api/admin/users/:id', auth: 'operator', role: 'support' })
  user(@Param('id') id: string, @Context() { lang }: CallContext): Promise<UserFile> {
    if (!/^[1-9]\d{0,15}$/.test(id)) throw new Refused('common.notFound', {}, { field: 'id' });
    return this.desk.file(Number(id), lang);
  }

  @ApiOperation({ summary: 'Freeze what a person may do, or open it again' })
  @Takes('user_id*', 'scope*', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/users/freeze', auth: 'operator', role: 'support' })
  async freeze(@CurrentCaller() operator: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const userId = readInteger(fields, 'user_id');
    await this.desk.freeze(operator, userId, readOneOf(fields, 'scope', FREEZE_SCOPES), reasonOf(fields));
    return new Notice('common.success');
  }

  @ApiOperation({
    summary: 'End sessions; take an authenticator off, or have a fund password set anew, once a second person approves',
  })
  @Takes('user_id*', 'what*', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/users/reset', auth: 'operator', role: 'support' })
  async reset(@CurrentCaller() operator: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const userId = readInteger(fields, 'user_id');
    const approvalId = await this.desk.reset(operator, userId, readOneOf(fields, 'what', RESETS), reasonOf(fields));
    return approvalId === null
      ? new Notice('common.success')
      : new Notice('admin.approvalWaiting', { approval_id: approvalId });
  }

  @ApiOperation({ summary: 'Name a seller, an acceptor, a region agent, a member of the points programme' })
  @Takes('user_id*', 'is_seller', 'is_acceptor', 'region', 'type', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/users/role', auth: 'operator', role: 'admin' })
  async role(@CurrentCaller() operator: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const userId = readInteger(fields, 'user_id');
    const flag = (name: string): boolean | undefined =>
      present(fields, name) === undefined ? undefined : readFlag(fields, name);
    const isSeller = flag('is_seller');
    const isAcceptor = flag('is_acceptor');
    const region = fields['region'];
    if (region !== undefined && !REGION.test(region))
      throw new Refused('common.fieldInvalid', { field: 'region' }, { field: 'region' });
    await this.desk.role(operator, userId, { isSeller, isAcceptor, region, inPoints: flag('type') }, reasonOf(fields));
    return new Notice('common.success');
  }

  @ApiOperation({ summary: 'Papers handed in for identity checks' })
  @Call({ method: 'GET', path: '/api/admin/kyc', auth: 'operator', role: 'support' })
  papers(@Fields() fields: FieldRecord): Promise<DataPage<KycRow>> {
    const status =
      present(fields, 'review_status') === undefined
        ? undefined
        : (Number(readOneOf(fields, 'review_status', REVIEW_STATUSES)) as 0 | 1 | 2);
    return this.review.list(status, readPage(fields, PAGE));
  }

  @ApiOperation({ summary: 'Certify a person, or send the papers back' })
  @Takes('user_id*', 'pass*', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/kyc/decide', auth: 'operator', role: 'support' })
  async decide(@CurrentCaller() operator: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const userId = readInteger(fields, 'user_id');
    await this.review.decide(operator, userId, readFlag(fields, 'pass'), reasonOf(fields));
    return new Notice('common.success');
  }
}

/** What the edge has demanded already; a service must not write a line of the trail without it. */
const reasonOf = (fields: FieldRecord): string => readText(fields, 'reason', 'common.fieldRequired', { max: 500 });
