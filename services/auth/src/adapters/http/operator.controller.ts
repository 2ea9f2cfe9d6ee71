import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Call, Context, CurrentCaller, Fields, Notice, present, Refused, Reply, type CallContext, type Caller, type FieldRecord } from '@bourse/platform';
import { OperatorSignIn } from '../../application/operator-sign-in.js';
import { originOf, readPassword, Takes } from './request.js';

/** Sign-in of operators (api §2.12). */
@ApiTags('operators')
@Controller()
export class OperatorController {
  constructor(private readonly signIn: OperatorSignIn) {}

  @ApiOperation({ summary: 'Operator log in: the token is the message' })
  @Takes('username*', 'password*', 'totp_code')
  @Call({ method: 'POST', path: '/api/admin/login', auth: 'public', rate: 'signIn' })
  async login(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Reply> {
    const username = present(fields, 'username');
    if (username === undefined) throw new Refused('set.enterAccount', {}, { field: 'username' });
    const password = readPassword(fields, 'password', 'login.psw6');
    const { token, id, roles } = await this.signIn.execute({ username: username.slice(0, 100), password, totpCode: present(fields, 'totp_code') }, originOf(context));
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
  me(@CurrentCaller() { userId: id, accountNumber: username, roles }: Caller): Reply { return new Reply({ id, username, roles }, { id, roles }); }
}
