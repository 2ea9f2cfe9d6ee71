import { ApiError, type ApiClient } from '@bourse/api-client';
import type { BoundAddress, DataPage, Withdrawal } from '@bourse/contract';

export interface WithdrawRequest {
  readonly currency: number;
  readonly type: number;
  readonly address: string;
  readonly number: string;
  readonly rate: string;
  readonly pay_password: string;
  readonly memo?: string | undefined;
  readonly totp_code?: string | undefined;
}

/**
 * Asks for a withdrawal. `intent` keeps a repeated press from asking twice: the code of an authenticator is another one
 * then, which the exchange refuses as another request under the same key, so the first one has arrived and is answered.
 */
export const withdraw = async (
  api: ApiClient,
  { type, memo, totp_code, ...request }: WithdrawRequest,
  intent: string,
): Promise<{ message: string; withdrawal: Withdrawal | undefined }> => {
  const fields = { ...request, type: String(type), memo: memo || undefined, totp_code: totp_code || undefined };
  const answer = await api.post('/api/wallet/out', fields, { intent }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.key !== 'common.keyReused') throw error;
    return api.get('/api/command', { key: intent }) as Promise<{ message: string; withdrawal?: Withdrawal }>;
  });
  return { message: answer.message, withdrawal: answer.withdrawal };
};
export const cancelWithdrawal = async (api: ApiClient, id: string, intent: string): Promise<string> =>
  (await api.post('/api/wallet/out_cancel', { id }, { intent })).message;
export const withdrawals = async (
  api: ApiClient,
  currency: number | undefined,
  page: number,
): Promise<DataPage<Withdrawal>> =>
  (await api.get('/api/wallet/out_list', { currency, page }, { quiet: true })).message;

export const boundAddresses = async (api: ApiClient, currency: number): Promise<BoundAddress[]> =>
  (await api.post('/api/wallet/get_address', { currency }, { quiet: true })).message;
export const removeAddress = async (api: ApiClient, addressId: number): Promise<string> =>
  (await api.post('/api/wallet/deladdress', { address_id: addressId })).message;

/** Sends a code to the person's own phone or e-mail. @returns seconds until the next may be sent */
export const sendBindingCode = async (api: ApiClient, userId: string): Promise<number> =>
  (await api.coded('GET', '/walletMiddle/SendVerificationcode', { user_id: userId }, { quiet: true })).seconds;

export interface Binding {
  readonly address: string;
  readonly coin_name: string;
  readonly contract_address: string;
  readonly memo: string;
  readonly verification_code: string;
}
/**
 * Binds an address: our server signs what was filled in, the middleware checks the signature. The secret never comes
 * here (api §3).
 */
export async function bindAddress(
  api: ApiClient,
  binding: Binding,
): Promise<{ address_id: number; usable_at: string }> {
  const { message: signed } = await api.post('/api/wallet/sign_draw_address', {
    ...binding,
  });
  return api.coded('POST', '/walletMiddle/BindDrawAddress', { data: signed.data, signature: signed.signature });
}
