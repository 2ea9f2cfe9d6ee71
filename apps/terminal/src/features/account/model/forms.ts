import type { PaymentInfo } from '@bourse/contract';
import { accountProblem, type AccountKind } from '../../../forms/account-name.js';
import type { Problems } from '../../../forms/problems.js';
import { photoProblem, type Photo } from '../../../parts/photo.js';

const empty = (text: string): boolean => text.trim() === '';

export interface IdentityForm {
  name: string;
  card: string;
  front: Photo;
  back: Photo;
  hand: Photo;
}
/** Rules §12.5: name, number, front and back; the photo held in the hand may be left out. */
export function identityProblems({ name, card, front, back, hand }: IdentityForm): Problems<keyof IdentityForm> {
  const problems: Problems<keyof IdentityForm> = {};
  if (empty(name)) problems.name = 'kyc.nameRequired';
  if (empty(card)) problems.card = 'kyc.cardRequired';
  const [frontProblem, backProblem, handProblem] = [
    photoProblem(front, 'kyc.photoRequired'),
    photoProblem(back, 'kyc.photoRequired'),
    hand.state === 'none' ? undefined : photoProblem(hand, ''),
  ];
  if (frontProblem) problems.front = frontProblem;
  if (backProblem) problems.back = backProblem;
  if (handProblem) problems.hand = handProblem;
  return problems;
}

export const BANK_FIELDS = ['real_name', 'bank_no', 'bank_name', 'region', 'phone'] as const;
export type BankField = (typeof BANK_FIELDS)[number];
export type BankForm = Record<BankField, string>;
/** All five are needed, in this order. */
export const bankProblems = (form: BankForm): Problems<BankField> =>
  Object.fromEntries(
    BANK_FIELDS.filter((name) => empty(form[name])).map((name) => [name, 'bank.required']),
  ) as Problems<BankField>;

/**
 * Text fields of the payment settings with what is said when one is missing, in the order of rules §12.5; the images
 * come last.
 */
const PAYMENT_TEXTS = {
  real_name: 'cash.realName',
  bank_name: 'cash.bankName',
  bank_account: 'cash.bankAccount',
  alipay_account: 'cash.alipayAccount',
  wechat_account: 'cash.wechatAccount',
  wechat_nickname: 'cash.wechatNickname',
} as const;
export type PaymentText = keyof typeof PAYMENT_TEXTS;
export const PAYMENT_FIELDS = Object.keys(PAYMENT_TEXTS) as PaymentText[];
export interface PaymentForm {
  texts: Record<PaymentText, string>;
  alipay: Photo;
  wechat: Photo;
  password: string;
  needsPassword: boolean;
}
export function paymentProblems({
  texts,
  alipay,
  wechat,
  password,
  needsPassword,
}: PaymentForm): Problems<PaymentText | 'alipay' | 'wechat' | 'password'> {
  const problems: Problems<PaymentText | 'alipay' | 'wechat' | 'password'> = {};
  for (const name of PAYMENT_FIELDS) if (empty(texts[name])) problems[name] = PAYMENT_TEXTS[name];
  const [alipayProblem, wechatProblem] = [photoProblem(alipay, 'cash.images'), photoProblem(wechat, 'cash.images')];
  if (alipayProblem) problems.alipay = alipayProblem;
  if (wechatProblem) problems.wechat = wechatProblem;
  if (needsPassword && password === '') problems.password = 'fund.required';
  return problems;
}
/** The person's own texts, or empty ones for a first time. */
export const paymentTexts = (info: PaymentInfo | null): Record<PaymentText, string> =>
  Object.fromEntries(PAYMENT_FIELDS.map((name) => [name, info?.[name] ?? ''])) as Record<PaymentText, string>;

/** The problem of an address to bind; an empty e-mail has a text of its own (rules §12.4). */
export const bindAccountProblem = (account: string, kind: AccountKind): string | undefined =>
  kind === 'email' && empty(account) ? 'email.required' : accountProblem(account, kind);
export function bindProblems({
  account,
  code,
  kind,
}: {
  account: string;
  code: string;
  kind: AccountKind;
}): Problems<'account' | 'code'> {
  const account_ = bindAccountProblem(account, kind);
  return { ...(account_ ? { account: account_ } : {}), ...(empty(code) ? { code: 'set.enterCode' } : {}) };
}

/** Codes of authenticator apps have six digits. */
export const totpProblems = ({
  code,
  password,
}: {
  code: string;
  password?: string;
}): Problems<'code' | 'password'> => ({
  ...(/^\d{6}$/.test(code) ? {} : { code: 'login.totpRequired' }),
  ...(password === '' ? { password: 'security.loginPasswordRequired' } : {}),
});

/** The word against forged mail has 4 to 20 characters. */
export const wordProblems = (word: string): Problems<'word'> =>
  [...word.trim()].length < 4 || [...word.trim()].length > 20 ? { word: 'security.wordLength' } : {};

const ADDRESSES_MAX = 10;
/** Addresses as typed, one a line or separated by commas or spaces. */
export const addressList = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
const IPV6 = /^(?=.*:)[0-9a-fA-F:]{2,39}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?$/;
export interface KeyForm {
  label: string;
  addresses: string;
  password: string;
}
export function keyProblems({ label, addresses, password }: KeyForm): Problems<keyof KeyForm> {
  const problems: Problems<keyof KeyForm> = {};
  const list = addressList(addresses);
  if (empty(label)) problems.label = 'apiKey.labelRequired';
  if (list.length > ADDRESSES_MAX) problems.addresses = 'apiKey.addressesMax';
  else if (list.some((address) => !IPV4.test(address) && !IPV6.test(address)))
    problems.addresses = 'apiKey.addressWrong';
  if (password === '') problems.password = 'fund.required';
  return problems;
}
