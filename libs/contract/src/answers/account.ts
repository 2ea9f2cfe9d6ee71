import type { Flag, TimeText } from './values.js';

/** Answers of auth (api §2.1). */
export interface UserInfo {
  id: number;
  phone: string;
  email: string;
  area_code: string;
  area_code_id: number;
  extension_code: string;
  review_status: 0 | 1 | 2;
  account_number: string;
  is_seller: Flag;
  type: 0 | 1;
  nationality: string;
  lang: string;
  is_acceptor: Flag;
  is_region: Flag;
  has_fund_password: Flag;
  totp: Flag;
}
export interface Center {
  review_status: 0 | 1 | 2;
  review_reason: string;
  cashinfo_status: 0 | 1;
  security_level: 25 | 50 | 75 | 100;
  name: string;
  card_id: string;
  bank: { real_name: string; bank_no: string; bank_name: string; region: string; phone: string } | null;
}
export interface Country {
  area_code: string;
  country_id: number;
  name_cn: string;
  name_en: string;
}
export interface SessionRow {
  id: string;
  ip: string;
  agent: string;
  created_at: TimeText;
  last_at: TimeText;
  current: Flag;
}
/** Where C2C, fiat and shop deals are paid to; the two `collect` are addresses of images. */
export interface PaymentInfo {
  real_name: string;
  bank_name: string;
  bank_account: string;
  alipay_account: string;
  alipay_collect: string;
  wechat_account: string;
  wechat_nickname: string;
  wechat_collect: string;
}
/** One person of a region agent's region, masked. */
export interface RegionUser {
  city_name: string;
  district_name: string;
  phone: string;
  time: TimeText;
}
/** Permissions a key may have; there is none to withdraw. */
export type ApiKeyPermissions = 'read' | 'read,trade';
/** An API key without its secret, which only the answer of its making shows. */
export interface ApiKeyRow {
  key: string;
  label: string;
  permissions: ApiKeyPermissions;
  ips: readonly string[];
  created_at: TimeText;
  last_at: TimeText;
}
/** What an authenticator app is told, as text and as the address of its QR code. */
export interface TotpSetup {
  secret: string;
  otpauth_url: string;
}
