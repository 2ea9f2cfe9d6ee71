import type { ApiClient } from '@bourse/api-client';
import type { PasskeyRequest } from '@bourse/contract';
import { accountKind, areaFields } from '../../../forms/account-name.js';

export interface LoginRequest {
  account: string;
  password: string;
  areaCode: string;
  code?: string;
  totp?: string;
  passkey?: string;
}
/** The answer's message is the token. */
export async function login(
  api: ApiClient,
  { account, password, areaCode, code, totp, passkey }: LoginRequest,
): Promise<{ token: string; id: number }> {
  const answer = await api.post(
    '/api/user/login',
    {
      user_string: account,
      password,
      ...areaFields(areaCode),
      ...(code ? { sms_code: code } : {}),
      ...(totp ? { totp_code: totp } : {}),
      ...(passkey ? { passkey } : {}),
    },
    { quiet: true },
  );
  return { token: answer.message, id: answer.id };
}

/** A challenge that any passkey of this exchange may answer. */
export const passkeyOptions = async (api: ApiClient): Promise<PasskeyRequest> =>
  (await api.post('/api/user/passkey_options', {}, { quiet: true })).message;
export async function passkeyLogin(api: ApiClient, passkey: string): Promise<{ token: string; id: number }> {
  const answer = await api.post('/api/user/passkey_login', { passkey }, { quiet: true });
  return { token: answer.message, id: answer.id };
}

/**
 * Signs in a device by a code that a signed-in one shows; single use. `totp` or `passkey` where the account has one.
 */
export async function deviceLogin(
  api: ApiClient,
  account: string,
  areaCode: string,
  code: string,
  { totp, passkey }: { totp?: string; passkey?: string },
): Promise<{ token: string; id: number }> {
  const answer = await api.post(
    '/api/user/device_login',
    {
      user_string: account,
      authorization_code: code,
      ...areaFields(areaCode),
      ...(totp ? { totp_code: totp } : {}),
      ...(passkey ? { passkey } : {}),
    },
    { quiet: true },
  );
  return { token: answer.message, id: answer.id };
}

export interface RegisterRequest {
  account: string;
  code: string;
  password: string;
  repeat: string;
  invite: string;
  areaCode: string;
  nationality: string;
}
export const register = (
  api: ApiClient,
  { account, code, password, repeat, invite, areaCode, nationality }: RegisterRequest,
) =>
  api.post(
    '/api/user/register',
    {
      type: accountKind(account) === 'email' ? 'email' : 'mobile',
      user_string: account,
      code,
      password,
      re_password: repeat,
      ...(invite ? { extension_code: invite } : {}),
      ...areaFields(areaCode),
      ...(nationality ? { nationality } : {}),
    },
    { quiet: true },
  );

export const resetPassword = (
  api: ApiClient,
  request: { account: string; code: string; password: string; repeat: string },
) =>
  api.post(
    '/api/user/forget',
    {
      account: request.account,
      password: request.password,
      repassword: request.repeat,
      code: request.code,
    },
    { quiet: true },
  );

export const saveFundPassword = (api: ApiClient, request: { password: string; repeat: string; code: string }) =>
  api.post(
    '/api/safe/update_password',
    { password: request.password, re_password: request.repeat, code: request.code },
    { quiet: true },
  );
