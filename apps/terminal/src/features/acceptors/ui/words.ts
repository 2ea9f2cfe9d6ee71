import type { Way } from '@bourse/contract';
import type { FactName } from '../model/acceptors.js';

/** Text keys of the ways of payment. */
export const WAY_TEXT: Readonly<Record<Way, string>> = {
  ali_pay: 'payForm.alipay',
  we_chat: 'payForm.wechat',
  bank: 'payForm.bank',
};
/** Text keys of what a payer needs. */
export const FACT_TEXT: Readonly<Record<FactName, string>> = {
  bank_account: 'bank.bank_no',
  bank_name: 'bank.bank_name',
  bank_address: 'acc.bankAddress',
  ali_account: 'payForm.alipayAccount',
  ali_nickname: 'acc.aliNickname',
  wechat_account: 'payForm.wechatAccount',
  wechat_nickname: 'payForm.wechatNickname',
};
