import { withoutHiddenCharacters } from '@bourse/contract';
import type { Bank, PaymentSettings } from '../application/ports/people.js';
import type { Seal } from '../application/ports/seal.js';
import type { AccountEntity } from './entities/account.entity.js';
import type { BankEntity } from './entities/bank.entity.js';
import type { PaymentSettingsEntity } from './entities/payment-settings.entity.js';

/*
 * Rows of personal data. The columns of an earlier release hold the text in the clear until it is sealed (`reseal`);
 * they are read until then, and are empty afterwards.
 */

type StoredBank = Omit<BankEntity, 'account' | 'cityMark' | 'areaMark'>;
type StoredName = Pick<AccountEntity, 'id' | 'name' | 'nameSealed'>;

/** Empty clear-text columns, written beside a seal. */
export const NO_BANK: Bank = { realName: '', bankNo: '', bankName: '', region: '', phone: '' };
export const NO_PAYMENT: PaymentSettings = {
  realName: '',
  bankName: '',
  bankAccount: '',
  alipayAccount: '',
  alipayCollect: '',
  wechatAccount: '',
  wechatNickname: '',
  wechatCollect: '',
};

export function bankOf(seal: Seal, { userId, sealed, realName, bankNo, bankName, region, phone }: StoredBank): Bank {
  if (sealed === null) return { realName, bankNo, bankName, region, phone };
  return JSON.parse(seal.open('bank', sealed, String(userId))) as Bank;
}

/** With the marks by which the agents of a city or district find their people. */
export function sealedBank(
  seal: Seal,
  userId: number,
  bank: Bank,
): { readonly sealed: string; readonly cityMark: string; readonly areaMark: string } {
  const [city = '', district = ''] = bank.region.split('/');
  const [cityMark = ''] = seal.marks('region', city);
  const [areaMark = ''] = seal.marks('region', `${city}/${district}`);
  return { sealed: seal.seal('bank', JSON.stringify(bank), String(userId)), cityMark, areaMark };
}

export function paymentOf(seal: Seal, { userId, sealed, ...clear }: PaymentSettingsEntity): PaymentSettings {
  return sealed === null ? clear : (JSON.parse(seal.open('payment', sealed, String(userId))) as PaymentSettings);
}

export const sealedPayment = (seal: Seal, userId: number, payment: PaymentSettings): string =>
  seal.seal('payment', JSON.stringify(payment), String(userId));

export const nameOf = (seal: Seal, { id, name, nameSealed }: StoredName): string =>
  nameSealed === '' ? name : seal.open('name', nameSealed, String(id));

/** The number of an id card, with the mark by which accounts with the same number are found [HARD-501]. */
export const sealedCard = (
  seal: Seal,
  cardId: string,
): { readonly cardSealed: string; readonly cardMark: string; readonly cardId: '' } => ({
  cardSealed: cardId === '' ? '' : seal.seal('card', cardId),
  cardMark: cardId === '' ? '' : (cardMarks(seal, cardId)[0] ?? ''),
  cardId: '',
});

/** Marks of an id number in upper case without blanks and hidden characters, the stored one first. */
export const cardMarks = (seal: Seal, cardId: string): string[] =>
  seal.marks('card', withoutHiddenCharacters(cardId).normalize('NFKC').replaceAll(/\s+/gu, '').toUpperCase());

/** With the marks by which operators find it: the whole name, and each of its words. */
export function sealedName(
  seal: Seal,
  userId: number,
  name: string,
): { readonly nameSealed: string; readonly nameMarks: string[] } {
  const marks = [name, ...name.split(/\s+/u)]
    .filter((word) => word !== '')
    .map((word) => seal.marks('name', word)[0] ?? '');
  return { nameSealed: name === '' ? '' : seal.seal('name', name, String(userId)), nameMarks: [...new Set(marks)] };
}
