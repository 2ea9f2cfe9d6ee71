import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { TotpSetup } from '@bourse/contract';
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
import { OperatorDesk, type OperatorRow } from '../../application/operator-desk.js';
import { OperatorSignIn } from '../../application/operator-sign-in.js';
import { OPERATOR_ROLES, type OperatorRole } from '../../application/ports.js';
import { actorOf } from '../../application/trail.js';
import { originOf, readPassword, Takes } from './request.js';

/** Sign-in of operators (api §2.12). */
@ApiTags('operators')
@Controller()
export class OperatorController {
  constructor(
    private readonly signIn: OperatorSignIn,
    private readonly desk: OperatorDesk,
  ) {}

  @ApiOperation({ summary: 'Operator log in: the token is the message' })
  @Takes('username*', 'password*', 'totp_code')
  @Call({ method: 'POST', path: '/api/admin/login', auth: 'public', rate: 'signIn', account: 'username' })
  async login(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Reply> {
    const username = present(fields, 'username');
    if (username === undefined) throw new Refused('set.enterAccount', {}, { field: 'username' });
    const password = readPassword(fields, 'password', 'login.psw6');
    const { token, id, roles } = await this.signIn.execute(
      { username: username.slice(0, 100), password, totpCode: present(fields, 'totp_code') },
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

  @ApiOperation({ summary: 'Add an operator, or change one; a new authenticator secret is shown this once' })
  @Takes('username*', 'password', 'roles*', 'active', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/operators', auth: 'operator', role: 'admin' })
  async save(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const username = readText(fields, 'username', 'common.fieldRequired', { pattern: USERNAME }).toLowerCase();
    const password =
      present(fields, 'password') === undefined ? undefined : readPassword(fields, 'password', 'login.psw6');
    const roles = readRoles(fields);
    const { id, totp } = await this.desk.save(
      actorOf(caller),
      { username, password, roles, active: readFlag(fields, 'active', true) },
      reasonOf(fields),
    );
    return new Notice('common.success', { id, ...(totp ? { totp } : {}) });
  }

  @ApiOperation({ summary: "New authenticator secret of one's own; it counts once it was confirmed" })
  @Takes('password*', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/totp_setup', auth: 'operator', role: 'support' })
  setupTotp(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<TotpSetup> {
    return this.desk.setupTotp(caller, readPassword(fields, 'password', 'login.psw6'));
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

  @ApiOperation({ summary: 'Change the own password' })
  @Takes('password*', 'new_password*', 're_password*', 'reason*')
  @Call({ method: 'POST', path: '/api/admin/password', auth: 'operator', role: 'support' })
  async changePassword(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const old = readPassword(fields, 'password', 'login.psw6');
    const fresh = readPassword(fields, 'new_password', 'register.psw16');
    if (fields['re_password'] !== fresh) throw new Refused('pswFalse', {}, { field: 're_password' });
    await this.desk.changePassword(caller, { old, fresh }, reasonOf(fields));
    return new Notice('common.success');
  }
}

const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,49}$/;
const reasonOf = (fields: FieldRecord): string => readText(fields, 'reason', 'common.fieldRequired', { max: 500 });

/** One or more roles with commas between them. */
function readRoles(fields: FieldRecord): readonly OperatorRole[] {
  const words = readText(fields, 'roles')
    .split(',')
    .map((word) => word.trim());
  if (words.some((word) => !(OPERATOR_ROLES as readonly string[]).includes(word)))
    throw new Refused('common.fieldInvalid', { field: 'roles' }, { field: 'roles' });
  return [...new Set(words)] as OperatorRole[];
}
