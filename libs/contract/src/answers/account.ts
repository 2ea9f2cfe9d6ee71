import type { Flag, TimeText } from './values.js';

/** Answers of auth (api §2.1). */
export interface UserInfo {
  id: number; phone: string; email: string; area_code: string; area_code_id: number; extension_code: string; review_status: 0 | 1 | 2; account_number: string;
  is_seller: Flag; type: 0 | 1; nationality: string; lang: string; is_acceptor: Flag; is_region: Flag; has_fund_password: Flag; totp: Flag;
}
export interface Center {
  review_status: 0 | 1 | 2; review_reason: string; cashinfo_status: 0 | 1; security_level: 25 | 50 | 75 | 100; name: string; card_id: string;
  bank: { real_name: string; bank_no: string; bank_name: string; region: string; phone: string } | null;
}
export interface Country { area_code: string; country_id: number; name_cn: string; name_en: string }
export interface SessionRow { id: string; ip: string; agent: string; created_at: TimeText; last_at: TimeText; current: Flag }
