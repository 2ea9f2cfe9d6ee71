import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { flag, totpSetup, type TotpSetup } from '@bourse/contract';
import {
  Call,
  type CallContext,
  type Caller,
  Context,
  CurrentCaller,
  message,
  notice,
  Notice,
  Reply,
  reply,
} from '@bourse/platform';
import { operatorRow } from './answers.js';
import * as z from 'zod/mini';
import { OperatorAdmin, type OperatorRow } from '../application/operator-admin.js';
import { OperatorSignIn } from '../application/operator-sign-in.js';
import { originOf } from '../../shared/http/request.js';
import {
  OperatorPasswordBody,
  OperatorSignInBody,
  OperatorTotpEnableBody,
  OperatorTotpSetupBody,
  SaveOperatorBody,
} from './fields.js';

/** Sign-in of operators (api §2.12). */
@ApiTags('operators')
@Controller()
export class OperatorController {
  constructor(
    private readonly signIn: OperatorSignIn,
    private readonly desk: OperatorAdmin,
  ) {}

  @Call(
    { method: 'POST', path: '/api/admin/login', auth: 'public', rate: 'signIn', account: 'username' },
    {
      summary: 'Log in as an operator; the message is the token',
      answer: reply(z.string(), { id: z.int(), roles: z.array(z.string()) }),
      refuses: [
        'login.resetOnly',
        'auth.wrong',
        'register.pswCommon',
        'login.totpRequired',
        'admin.passwordFirst',
        'login.totpWrong',
      ],
    },
  )
  async login(@Body() fields: OperatorSignInBody, @Context() context: CallContext): Promise<Reply> {
    const { username, password, newPassword, totpCode } = fields;
    const { token, id, roles } = await this.signIn.execute(
      { username: username.slice(0, 100), password, totpCode, newPassword },
      originOf(context),
    );
    return new Reply(token, { id, roles });
  }

  @Call(
    { method: 'POST', path: '/api/admin/logout', auth: 'operator', role: 'support' },
    { summary: 'End this operator session', answer: notice('logout.success') },
  )
  async logout(@CurrentCaller() caller: Caller): Promise<Notice> {
    await this.signIn.logout(caller);
    return new Notice('logout.success');
  }

  @Call(
    { method: 'GET', path: '/api/admin/me', auth: 'operator', role: 'support' },
    {
      summary: 'Who is signed in',
      answer: reply(z.object({ id: z.int(), username: z.string(), roles: z.array(z.string()), totp: flag }), {
        id: z.int(),
        roles: z.array(z.string()),
      }),
    },
  )
  async me(@CurrentCaller() caller: Caller): Promise<Reply> {
    const { userId: id, accountNumber: username, roles } = caller;
    const totp = (await this.desk.hasTotp(caller)) ? 1 : 0;
    return new Reply({ id, username, roles, totp }, { id, roles });
  }

  @Call(
    { method: 'GET', path: '/api/admin/operators', auth: 'operator', role: 'admin' },
    { summary: 'List operators', answer: message(z.array(operatorRow)) },
  )
  list(): Promise<OperatorRow[]> {
    return this.desk.list();
  }

  @Call(
    { method: 'POST', path: '/api/admin/operators', auth: 'operator', role: 'admin' },
    {
      summary: 'Add or change an operator after approval by a second admin; switching one off takes effect at once',
      answer: notice(['common.success', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: [
        'admin.ownRights',
        'common.notFound',
        'admin.ownPassword',
        'admin.passwordLength',
        'register.pswCommon',
        'admin.soleAdmin',
      ],
    },
  )
  async save(@CurrentCaller() caller: Caller, @Body() fields: SaveOperatorBody): Promise<Notice> {
    const { username, active, newTotp, reason } = fields;
    // An operator who is switched off keeps password and roles; the other fields are ignored.
    const password = active ? fields.password : undefined;
    const approvalId = await this.desk.save(
      caller,
      { username: username.toLowerCase(), password, roles: fields.roles, active, newTotp },
      reason,
    );
    return approvalId === null
      ? new Notice('common.success')
      : new Notice('admin.approvalWaiting', { approval_id: approvalId });
  }

  @Call(
    { method: 'POST', path: '/api/admin/totp_setup', auth: 'operator', role: 'support' },
    {
      summary: 'Create an own authenticator secret; it is in force after its first code is confirmed',
      answer: message(totpSetup),
      refuses: ['auth.wrong', 'login.totpRequired', 'login.totpWrong'],
    },
  )
  setupTotp(@CurrentCaller() caller: Caller, @Body() fields: OperatorTotpSetupBody): Promise<TotpSetup> {
    return this.desk.setupTotp(caller, fields.password, fields.totpCode);
  }

  @Call(
    { method: 'POST', path: '/api/admin/totp_enable', auth: 'operator', role: 'support' },
    {
      summary: 'Confirm the own authenticator by its first code',
      answer: notice('totp.enabled'),
      refuses: ['login.totpWrong'],
    },
  )
  async enableTotp(@CurrentCaller() caller: Caller, @Body() fields: OperatorTotpEnableBody): Promise<Notice> {
    await this.desk.enableTotp(caller, fields.totpCode, fields.reason);
    return new Notice('totp.enabled');
  }

  @Call(
    { method: 'POST', path: '/api/admin/password', auth: 'operator', role: 'support' },
    {
      summary: 'Change the own password, by the old one and the authenticator',
      answer: notice('common.success'),
      refuses: ['register.pswCommon', 'auth.wrong', 'login.totpRequired', 'login.totpWrong'],
    },
  )
  async changePassword(@CurrentCaller() caller: Caller, @Body() fields: OperatorPasswordBody): Promise<Notice> {
    const { password: old, newPassword: fresh, totpCode, reason } = fields;
    await this.desk.changePassword(caller, { old, fresh, totpCode }, reason);
    return new Notice('common.success');
  }
}
