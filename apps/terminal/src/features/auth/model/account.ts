import { accountProblem, type AccountKind } from '../../../forms/account-name.js';
import { hasPasswordLength, isSamePassword } from '../../../forms/password-length.js';
import type { Problems } from '../../../forms/problems.js';

export interface LoginForm {
  account: string;
  password: string;
  code: string;
  needCode: boolean;
  totp?: string;
}
/** First problem of each field, as message keys; the order is the server's (rules §12.1). */
export function loginProblems({
  account,
  password,
  code,
  needCode,
  totp,
}: LoginForm): Problems<'account' | 'password' | 'code' | 'totp'> {
  const problems: Problems<'account' | 'password' | 'code' | 'totp'> = {};
  if (account.trim() === '') problems.account = 'set.enterAccount';
  if (!hasPasswordLength(password)) problems.password = 'login.psw6';
  if (needCode && code.trim() === '') problems.code = 'set.enterCode';
  if (totp === '') problems.totp = 'login.totpRequired';
  return problems;
}

/** All are needed, `totp` once the server has asked for it; whether they are right only the server knows. */
export function deviceProblems({
  account,
  code,
  totp,
}: {
  account: string;
  code: string;
  totp?: string;
}): Problems<'account' | 'code' | 'totp'> {
  return {
    ...(account.trim() === '' ? { account: 'set.enterAccount' } : {}),
    ...(code.trim() === '' ? { code: 'set.enterCode' } : {}),
    ...(totp === '' ? { totp: 'login.totpRequired' } : {}),
  };
}

export interface RegisterForm {
  account: string;
  code: string;
  password: string;
  repeat: string;
  invite: string;
  inviteRequired: boolean;
  terms: boolean;
  mode: AccountKind;
}
type RegisterField = 'account' | 'code' | 'password' | 'repeat' | 'invite' | 'terms';
/** Rules §12.2, in the server's order; terms are accepted in the client only. */
export function registerProblems(form: RegisterForm): Problems<RegisterField> {
  const problems: Problems<RegisterField> = {};
  const account = accountProblem(form.account, form.mode);
  if (account) problems.account = account;
  if (form.code.trim() === '') problems.code = 'set.enterCode';
  if (!hasPasswordLength(form.password)) problems.password = 'register.psw16';
  if (!isSamePassword(form.repeat, form.password)) problems.repeat = 'pswFalse';
  if (form.invite === '' ? form.inviteRequired : form.invite.length < 4)
    problems.invite = form.invite === '' ? 'register.inviteRequired' : 'register.inviteMin';
  if (!form.terms) problems.terms = 'register.terms';
  return problems;
}

export interface ForgetForm {
  account: string;
  code: string;
  password: string;
  repeat: string;
}
/** Rules §12.3. */
export function forgetProblems({
  account,
  code,
  password,
  repeat,
}: ForgetForm): Problems<'account' | 'code' | 'password' | 'repeat'> {
  const problems: Problems<'account' | 'code' | 'password' | 'repeat'> = {};
  if (account.trim() === '') problems.account = 'set.enterAccount';
  if (code.trim() === '') problems.code = 'set.enterCode';
  if (!hasPasswordLength(password)) problems.password = 'register.psw16';
  if (!isSamePassword(repeat, password)) problems.repeat = 'pswFalse';
  return problems;
}

export interface FundForm {
  password: string;
  repeat: string;
  code: string;
}
/** Rules §12.4: exactly six letters or digits. */
export function fundProblems({ password, repeat, code }: FundForm): Problems<'password' | 'repeat' | 'code'> {
  const problems: Problems<'password' | 'repeat' | 'code'> = {};
  if (!/^[A-Za-z0-9]{6}$/.test(password)) problems.password = 'fund.format';
  if (!isSamePassword(repeat, password)) problems.repeat = 'pswFalse';
  if (code.trim() === '') problems.code = 'set.enterCode';
  return problems;
}
