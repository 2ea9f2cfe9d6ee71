import type { ApiClient } from '@bourse/api-client';
import type { Country } from '@bourse/contract';
import { accountKind, areaCodeId, areaDigits } from '../model/account.js';

export type CodeScene = 'login' | 'register' | 'forget' | 'bind' | 'fund';

/** Area codes for the picker. */
export const countries = async (api: ApiClient): Promise<Country[]> => (await api.get<Country[]>('/api/country/list')).message;

/** Sends a code to the account by mail or SMS, as its form tells. Answers the seconds until the next one may be asked for. */
export async function sendCode(api: ApiClient, account: string, scene: CodeScene, areaCode: string): Promise<number> {
  const path = accountKind(account) === 'email' ? '/api/sms_mail' : '/api/sms_send';
  const answer = await api.post<string, { seconds: number }>(path, { user_string: account, scene, ...area(areaCode) }, { quiet: true });
  return answer.seconds;
}

export interface LoginRequest { account: string; password: string; areaCode: string; code?: string; totp?: string }
/** The answer's message is the token. */
export async function login(api: ApiClient, { account, password, areaCode, code, totp }: LoginRequest): Promise<{ token: string; id: number }> {
  const answer = await api.post<string, { id: number }>('/api/user/login', {
    user_string: account, password, ...area(areaCode), ...(code ? { sms_code: code } : {}), ...(totp ? { totp_code: totp } : {}),
  }, { quiet: true });
  return { token: answer.message, id: answer.id };
}

export interface RegisterRequest { account: string; code: string; password: string; repeat: string; invite: string; areaCode: string; nationality: string }
export const register = (api: ApiClient, { account, code, password, repeat, invite, areaCode, nationality }: RegisterRequest) =>
  api.post('/api/user/register', {
    type: accountKind(account) === 'email' ? 'email' : 'mobile', user_string: account, code, password, re_password: repeat,
    ...(invite ? { extension_code: invite } : {}), ...area(areaCode), ...(nationality ? { nationality } : {}),
  }, { quiet: true });

export const resetPassword = (api: ApiClient, request: { account: string; code: string; password: string; repeat: string }) =>
  api.post('/api/user/forget', { account: request.account, password: request.password, repassword: request.repeat, code: request.code, scene: 'forget' }, { quiet: true });

export const saveFundPassword = (api: ApiClient, request: { password: string; repeat: string; code: string }) =>
  api.post('/api/safe/update_password', { password: request.password, re_password: request.repeat, code: request.code }, { quiet: true });

const area = (areaCode: string): { area_code: string; area_code_id: 0 | 1 } => ({ area_code: areaDigits(areaCode), area_code_id: areaCodeId(areaDigits(areaCode)) });
