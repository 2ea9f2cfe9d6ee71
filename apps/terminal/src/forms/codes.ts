import type { ApiClient } from '@bourse/api-client';
import type { Country } from '@bourse/contract';
import { accountKind, areaFields } from './account-name.js';

export type CodeScene = 'login' | 'register' | 'forget' | 'bind' | 'fund';

/** Area codes for the picker. */
export const countries = async (api: ApiClient): Promise<Country[]> => (await api.get('/api/country/list', {})).message;

/**
 * Sends a code to the account by e-mail or SMS, depending on the account's form. Answers the seconds until the next
 * request is allowed.
 */
export async function sendCode(api: ApiClient, account: string, scene: CodeScene, areaCode: string): Promise<number> {
  const path = accountKind(account) === 'email' ? '/api/sms_mail' : '/api/sms_send';
  const answer = await api.post(path, { user_string: account, scene, ...areaFields(areaCode) }, { quiet: true });
  return answer.seconds;
}
