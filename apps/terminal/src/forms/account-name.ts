/**
 * The kind of a typed account: an e-mail address by the pattern of rules §12, anything else a mobile number.
 */
export type AccountKind = 'email' | 'mobile';
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/;

export function accountKind(account: string): AccountKind {
  return account.length <= 64 && EMAIL.test(account) ? 'email' : 'mobile';
}

/** 1 for mainland China, else 0: part of the wire format, not used by the server (api §2.1). */
export const areaCodeId = (areaCode: string): 0 | 1 => (areaCode === '86' ? 1 : 0);

/** The digits after the plus, as the calls want them. */
export const areaDigits = (areaCode: string): string => areaCode.replace(/\D/g, '');

/** Both fields of an area code, as the calls want them. */
export const areaFields = (areaCode: string): { area_code: string; area_code_id: 0 | 1 } => ({
  area_code: areaDigits(areaCode),
  area_code_id: areaCodeId(areaDigits(areaCode)),
});

/** The problem of an account before a code may be sent to it. */
export function accountProblem(account: string, mode: AccountKind): string | undefined {
  if (account.trim() === '') return 'set.enterAccount';
  if (mode === 'email') return accountKind(account.trim()) === 'email' ? undefined : 'register.emailFalse';
  return /^\d{5,15}$/.test(account.trim()) ? undefined : 'register.mobileFalse';
}
