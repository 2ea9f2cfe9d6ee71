import * as z from 'zod/mini';
import { PALETTES, THEMES, TIME_ZONES } from '../preferences.js';
import { REFERENCE_CURRENCIES } from '../reference-currencies.js';
import { flag, timeText } from './values.js';

/** Choices of the screens that follow the account; an unset one is absent. */
export const preferences = z.object({
  theme: z.optional(z.enum(THEMES)),
  palette: z.optional(z.enum(PALETTES)),
  time_zone: z.optional(z.enum(TIME_ZONES)),
  ask_order: z.optional(flag),
  ask_position: z.optional(flag),
  ask_close: z.optional(flag),
  sound: z.optional(flag),
  keys: z.optional(flag),
  /** Pairs, by their symbols. */
  favourites: z.optional(z.array(z.string())),
  spot_layout: z.optional(z.string()),
  lever_layout: z.optional(z.string()),
});
export type Preferences = z.output<typeof preferences>;
/** Answers of auth (api §2.1). */
export const userInfo = z.object({
  id: z.int(),
  phone: z.string(),
  email: z.string(),
  area_code: z.string(),
  area_code_id: z.int(),
  extension_code: z.string(),
  review_status: z.literal([0, 1, 2]),
  account_number: z.string(),
  is_seller: flag,
  type: z.literal([0, 1]),
  nationality: z.string(),
  lang: z.string(),
  /** The currency of approximate values; empty: none chosen. */
  currency: z.enum(['', ...REFERENCE_CURRENCIES]),
  preferences,
  is_acceptor: flag,
  is_region: flag,
  has_fund_password: flag,
  totp: flag,
});
export type UserInfo = z.output<typeof userInfo>;
export const center = z.object({
  review_status: z.literal([0, 1, 2]),
  review_reason: z.string(),
  cashinfo_status: z.literal([0, 1]),
  security_level: z.literal([25, 50, 75, 100]),
  name: z.string(),
  card_id: z.string(),
  bank: z.nullable(
    z.object({
      real_name: z.string(),
      bank_no: z.string(),
      bank_name: z.string(),
      region: z.string(),
      phone: z.string(),
    }),
  ),
});
export type Center = z.output<typeof center>;
export const country = z.object({
  area_code: z.string(),
  country_id: z.int(),
  name_cn: z.string(),
  name_en: z.string(),
});
export type Country = z.output<typeof country>;
export const sessionRow = z.object({
  id: z.string(),
  ip: z.string(),
  agent: z.string(),
  created_at: timeText,
  last_at: timeText,
  current: flag,
});
export type SessionRow = z.output<typeof sessionRow>;
/** The payment accounts of C2C, fiat and shop deals; the two `collect` fields are addresses of images. */
export const paymentInfo = z.object({
  real_name: z.string(),
  bank_name: z.string(),
  bank_account: z.string(),
  alipay_account: z.string(),
  alipay_collect: z.string(),
  wechat_account: z.string(),
  wechat_nickname: z.string(),
  wechat_collect: z.string(),
});
export type PaymentInfo = z.output<typeof paymentInfo>;
/** One person of a region agent's region, masked. */
export const regionUser = z.object({
  city_name: z.string(),
  district_name: z.string(),
  phone: z.string(),
  time: timeText,
});
export type RegionUser = z.output<typeof regionUser>;
/** Permissions a key may have; there is none to withdraw. */
export const apiKeyPermissions = z.enum(['read', 'read,trade']);
export type ApiKeyPermissions = z.output<typeof apiKeyPermissions>;
/** An API key without its secret, which only the answer of its making shows. */
export const apiKeyRow = z.object({
  key: z.string(),
  label: z.string(),
  permissions: apiKeyPermissions,
  ips: z.readonly(z.array(z.string())),
  created_at: timeText,
  last_at: timeText,
});
export type ApiKeyRow = z.output<typeof apiKeyRow>;
/** The secret for an authenticator app, as text and as the address of its QR code. */
export const totpSetup = z.object({
  secret: z.string(),
  otpauth_url: z.string(),
});
export type TotpSetup = z.output<typeof totpSetup>;
/** A passkey of the caller. */
export const passkeyRow = z.object({
  id: z.string(),
  label: z.string(),
  created_at: timeText,
  last_at: timeText,
});
export type PasskeyRow = z.output<typeof passkeyRow>;
/** Ways to an authenticator that browsers name. */
export const PASSKEY_TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
export type PasskeyTransport = (typeof PASSKEY_TRANSPORTS)[number];
const passkeyDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.enum(PASSKEY_TRANSPORTS)),
});
export type PasskeyDescriptor = z.output<typeof passkeyDescriptor>;
/** Options of `navigator.credentials.create`, in the JSON form of WebAuthn level 3. */
export const passkeyCreation = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(passkeyDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreation = z.output<typeof passkeyCreation>;
/** Options of `navigator.credentials.get`, in the same form. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  allowCredentials: z.array(passkeyDescriptor),
  userVerification: z.literal('required'),
});
export type PasskeyRequest = z.output<typeof passkeyRequest>;
