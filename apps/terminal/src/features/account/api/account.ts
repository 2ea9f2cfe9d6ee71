import { keys, type ApiClient } from '@bourse/api-client';
import type {
  ApiKeyPermissions,
  ApiKeyRow,
  Center,
  DataPage,
  PasskeyCreation,
  PasskeyRow,
  PaymentInfo,
  RegionUser,
  SessionRow,
  TotpSetup,
} from '@bourse/contract';
import { areaFields, type AccountKind } from '../../../forms/account-name.js';
import type { BankForm, PaymentText } from '../model/forms.js';

/** Names of this feature's answers in the query cache; all go with the session. */
export const KEYS = {
  center: keys.center,
  authorization: [...keys.user, 'authorization'],
  sessions: [...keys.user, 'sessions'],
  apiKeys: [...keys.user, 'api-keys'],
  passkeys: [...keys.user, 'passkeys'],
  push: [...keys.user, 'push'],
  payment: [...keys.user, 'payment'],
  region: [...keys.user, 'region'],
} as const;
const QUIET = { quiet: true } as const;

export const center = async (api: ApiClient): Promise<Center> => (await api.get('/api/user/center', {}, QUIET)).message;
/** A code that signs another device in, and the seconds it has left. */
export const authorizationCode = async (api: ApiClient): Promise<{ code: string; seconds: number }> => {
  const answer = await api.get('/api/user/authorization_code', {}, QUIET);
  return { code: answer.message, seconds: answer.expires_in };
};

export const sendIdentity = (
  api: ApiClient,
  request: { name: string; card: string; front: string; back: string; hand: string },
) =>
  api.post(
    '/api/user/real_name',
    {
      name: request.name,
      card_id: request.card,
      front_pic: request.front,
      reverse_pic: request.back,
      ...(request.hand ? { hand_pic: request.hand } : {}),
    },
    QUIET,
  );
export const saveBank = (api: ApiClient, form: BankForm) => api.post('/api/user/set_bank_account', { ...form }, QUIET);
export const payment = async (api: ApiClient): Promise<PaymentInfo | null> =>
  (await api.post('/api/user/cash_info', {}, QUIET)).message;
export const savePayment = (
  api: ApiClient,
  request: { texts: Record<PaymentText, string>; alipay: string; wechat: string; password: string },
) =>
  api.post(
    '/api/user/cash_save',
    {
      ...request.texts,
      alipay_collect: request.alipay,
      wechat_collect: request.wechat,
      ...(request.password ? { password: request.password } : {}),
    },
    QUIET,
  );

export const bind = (api: ApiClient, kind: AccountKind, account: string, areaCode: string, code: string) =>
  kind === 'email'
    ? api.post('/api/safe/email', { email: account, code }, QUIET)
    : api.post('/api/safe/mobile', { mobile: account, code, ...areaFields(areaCode) }, QUIET);

export const totpSetup = async (api: ApiClient): Promise<TotpSetup> =>
  (await api.post('/api/safe/totp_setup', {}, QUIET)).message;
export const totpEnable = (api: ApiClient, code: string) =>
  api.post('/api/safe/totp_enable', { totp_code: code }, QUIET);
export const totpDisable = (api: ApiClient, code: string, password: string) =>
  api.post('/api/safe/totp_disable', { totp_code: code, password }, QUIET);
export const passkeys = async (api: ApiClient): Promise<PasskeyRow[]> =>
  (await api.get('/api/safe/passkeys', {}, QUIET)).message;
export const passkeySetup = async (api: ApiClient): Promise<PasskeyCreation> =>
  (await api.post('/api/safe/passkey_setup', {}, QUIET)).message;
export const passkeyEnable = (api: ApiClient, label: string, passkey: string) =>
  api.post('/api/safe/passkey_enable', { label, passkey }, QUIET);
export const passkeyRename = (api: ApiClient, id: string, label: string) =>
  api.post('/api/safe/passkey_rename', { id, label }, QUIET);
export const passkeyDisable = (api: ApiClient, id: string, password: string) =>
  api.post('/api/safe/passkey_disable', { id, password }, QUIET);
export const saveWord = (api: ApiClient, word: string) => api.post('/api/safe/anti_phishing', { word }, QUIET);
export const freeze = (api: ApiClient, password: string) => api.post('/api/safe/freeze', { password }, QUIET);

export const sessions = async (api: ApiClient): Promise<SessionRow[]> =>
  (await api.get('/api/user/sessions', {}, QUIET)).message;
export const revokeSession = (api: ApiClient, id: string) => api.post('/api/user/session_revoke', { id }, QUIET);

export const apiKeys = async (api: ApiClient): Promise<ApiKeyRow[]> =>
  (await api.get('/api/apikey', {}, QUIET)).message;
/** The only answer that carries the secret. */
export const createKey = async (
  api: ApiClient,
  request: { label: string; permissions: ApiKeyPermissions; addresses: readonly string[]; password: string },
): Promise<{ key: string; secret: string }> => {
  const { message } = await api.post(
    '/api/apikey',
    {
      label: request.label,
      permissions: request.permissions,
      password: request.password,
      ...(request.addresses.length > 0 ? { ips: request.addresses.join(',') } : {}),
    },
    QUIET,
  );
  return message;
};
export const deleteKey = (api: ApiClient, key: string, password: string) =>
  api.delete('/api/apikey', { key, password }, QUIET);

export const regionPeople = async (api: ApiClient, page: number): Promise<DataPage<RegionUser>> =>
  (await api.get('/api/user/region_users', { page }, QUIET)).message;
