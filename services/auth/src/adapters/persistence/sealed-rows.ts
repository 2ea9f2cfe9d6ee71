import type { Bank, PaymentSettings, Seal } from '../../application/ports.js';

/*
 * Rows of personal data. What an earlier release wrote lies in columns of its own until it is sealed (`reseal`); they are read as long as nothing
 * is sealed, and are empty from then on.
 */

export interface BankRow {
  readonly user_id: string;
  readonly real_name: string;
  readonly bank_no: string;
  readonly bank_name: string;
  readonly region: string;
  readonly phone: string;
  readonly sealed: string | null;
}
export const BANK_COLUMNS = 'user_id, real_name, bank_no, bank_name, region, phone, sealed';

export function bankOf(seal: Seal, row: BankRow): Bank {
  if (row.sealed !== null) return JSON.parse(seal.open('bank', row.sealed, row.user_id)) as Bank;
  return {
    realName: row.real_name,
    bankNo: row.bank_no,
    bankName: row.bank_name,
    region: row.region,
    phone: row.phone,
  };
}

/** With the marks by which the agents of a city, or of a district of it, find their people. */
export function sealedBank(
  seal: Seal,
  userId: number | string,
  bank: Bank,
): { readonly sealed: string; readonly cityMark: string; readonly areaMark: string } {
  const [city = '', district = ''] = bank.region.split('/');
  const [cityMark = ''] = seal.marks('region', city);
  const [areaMark = ''] = seal.marks('region', `${city}/${district}`);
  return { sealed: seal.seal('bank', JSON.stringify(bank), String(userId)), cityMark, areaMark };
}

export interface PaymentRow {
  readonly user_id: string;
  readonly real_name: string;
  readonly bank_name: string;
  readonly bank_account: string;
  readonly alipay_account: string;
  readonly alipay_collect: string;
  readonly wechat_account: string;
  readonly wechat_nickname: string;
  readonly wechat_collect: string;
  readonly sealed: string | null;
}
export const PAYMENT_COLUMNS =
  'user_id, real_name, bank_name, bank_account, alipay_account, alipay_collect, wechat_account, wechat_nickname, wechat_collect, sealed';

export function paymentOf(seal: Seal, row: PaymentRow): PaymentSettings {
  if (row.sealed !== null) return JSON.parse(seal.open('payment', row.sealed, row.user_id)) as PaymentSettings;
  return {
    realName: row.real_name,
    bankName: row.bank_name,
    bankAccount: row.bank_account,
    alipayAccount: row.alipay_account,
    alipayCollect: row.alipay_collect,
    wechatAccount: row.wechat_account,
    wechatNickname: row.wechat_nickname,
    wechatCollect: row.wechat_collect,
  };
}

export const sealedPayment = (seal: Seal, userId: number | string, payment: PaymentSettings): string =>
  seal.seal('payment', JSON.stringify(payment), String(userId));

export interface NameRow {
  readonly id: string;
  readonly name: string;
  readonly name_sealed: string;
}
export const nameOf = (seal: Seal, { id, name, name_sealed: sealed }: NameRow): string =>
  sealed === '' ? name : seal.open('name', sealed, id);

/** With the marks by which operators find it: the whole name, and each of its words. */
export function sealedName(
  seal: Seal,
  userId: number | string,
  name: string,
): { readonly sealed: string; readonly marks: readonly string[] } {
  const marks = [name, ...name.split(/\s+/u)]
    .filter((word) => word !== '')
    .map((word) => seal.marks('name', word)[0] ?? '');
  return { sealed: name === '' ? '' : seal.seal('name', name, String(userId)), marks: [...new Set(marks)] };
}
