import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { OPERATOR_PASSWORD_LENGTH, type TotpSetup } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  Notice,
  present,
  readFlag,
  readText,
  Refused,
  Reply,
  type CallContext,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { OperatorAdmin, type OperatorRow } from '../../application/operator-admin.js';
import { OperatorSignIn } from '../../application/operator-sign-in.js';
import { OPERATOR_ROLES, type OperatorRole } from '../../application/ports.js';
import { fitsOperator, fitsOperatorSignIn } from '../../domain/password.js';
import { originOf, Takes } from './request.js';

/** Sign-in of operators (api §2.12). */
@ApiTags('operators')
@Controller()
export class OperatorController {
  constructor(
    private readonly signIn: OperatorSignIn,
    private readonly desk: OperatorAdmin,
  ) {}

  @ApiOperation({ summary: 'Operator log in: the token is the message' })
  @Takes('username*', 'password*', 'totp_code', 'new_password')
  @Call({ method: 'POST', path: '/api/admin/login', auth: 'public', rate: 'signIn', account: 'username' })
  async login(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Reply> {
    const username = present(fields, 'username');
    if (username === undefined) throw new Refused('set.enterAccount', {}, { field: 'username' });
    const password = readKnown(fields, 'password');
    const newPassword = fields['new_password'] === undefined ? undefined : readFresh(fields, 'new_password');
    const { token, id, roles } = await this.signIn.execute(
      { username: username.slice(0, 100), password, totpCode: present(fields, 'totp_code'), newPassword },
      originOf(context),
    );
    return new Reply(token, { id, roles });
  }

  @ApiOperation({ summary: 'End this operator session' })
  @Call({ method: 'POST', path: '/api/admin/logout', auth: 'operator', role: 'support' })
  async logout(@CurrentCaller() caller: Caller): Promise<Notice> {
    await this.signIn.logout(caller);
    return new Notice('logout.success');
  }

  @ApiOperation({ summary: 'Who is signed in' })
  @Call({ method: 'GET', path: '/api/admin/me', auth: 'operator', role: 'support' })
  me(@CurrentCaller() { userId: id, accountNumber: username, roles }: Caller): Reply {
    return new Reply({ id, username, roles }, { id, roles });
  }

  @ApiOperation({ summary: 'Who runs the exchange' })
  @Call({ method: 'GET', path: '/api/admin/operators', auth: 'operator', role: 'admin' })
  list(): Promise<OperatorRow[]> {
    return this.desk.list();
  }

  @ApiOperation({
    summary: 'Add an operator, or change one, once a second admin approves; switching off is done at once',
  })
  @Takes('username*', 'password', 'roles*', 'active', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/operators', auth: 'operator', role: 'admin' })
  async save(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const username = readText(fields, 'username', 'common.fieldRequired', { pattern: USERNAME }).toLowerCase();
    const active = readFlag(fields, 'active', true);
    // Who is switched off keeps password and roles: what else was sent counts for nothing.
    const password = !active || present(fields, 'password') === undefined ? undefined : readFresh(fields, 'password');
    const approvalId = await this.desk.save(
      caller,
      { username, password, roles: readRoles(fields), active },
      reasonOf(fields),
    );
    return approvalId === null
      ? new Notice('common.success')
      : new Notice('admin.approvalWaiting', { approval_id: approvalId });
  }

  @ApiOperation({ summary: "New authenticator secret of one's own; it counts once it was confirmed" })
  @Takes('password*', 'totp_code', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/totp_setup', auth: 'operator', role: 'support' })
  setupTotp(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<TotpSetup> {
    return this.desk.setupTotp(caller, readKnown(fields, 'password'), present(fields, 'totp_code'));
  }

  @ApiOperation({ summary: 'Confirm the own authenticator by its first code' })
  @Takes('totp_code*', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/totp_enable', auth: 'operator', role: 'support' })
  async enableTotp(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    await this.desk.enableTotp(
      caller,
      readText(fields, 'totp_code', 'common.fieldRequired', { max: 16 }),
      reasonOf(fields),
    );
    return new Notice('totp.enabled');
  }

  @ApiOperation({ summary: 'Change the own password, by the old one and the authenticator' })
  @Takes('password*', 'new_password*', 'totp_code', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/password', auth: 'operator', role: 'support' })
  async changePassword(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const old = readKnown(fields, 'password');
    const fresh = readFresh(fields, 'new_password');
    const totpCode = present(fields, 'totp_code');
    await this.desk.changePassword(caller, { old, fresh, totpCode }, reasonOf(fields));
    return new Notice('common.success');
  }
}

const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,49}$/;
const reasonOf = (fields: FieldRecord): string => readText(fields, 'reason', 'common.fieldRequired', { max: 500 });

/** A password there is already; blanks belong to it. */
function readKnown(fields: FieldRecord, field: string): string {
  const password = fields[field];
  if (!fitsOperatorSignIn(password)) throw new Refused('login.psw6', {}, { field });
  return password;
}

/** A password that is to be set. */
function readFresh(fields: FieldRecord, field: string): string {
  const password = fields[field];
  if (!fitsOperator(password)) throw new Refused('admin.passwordLength', OPERATOR_PASSWORD_LENGTH, { field });
  return password;
}

/** One or more roles with commas between them. */
function readRoles(fields: FieldRecord): readonly OperatorRole[] {
  const words = readText(fields, 'roles')
    .split(',')
    .map((word) => word.trim());
  if (words.some((word) => !(OPERATOR_ROLES as readonly string[]).includes(word)))
    throw new Refused('common.fieldInvalid', { field: 'roles' }, { field: 'roles' });
  return [...new Set(words)] as OperatorRole[];
}
