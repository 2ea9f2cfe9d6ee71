import type { Acceptor, AcceptorDeal as ShownDeal, AcceptorInfo } from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import { translate } from '@bourse/i18n';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { timeText } from '@bourse/platform';
import { CASH_SCALE, isUnderDispute, type AcceptorDeal } from '../domain/acceptor-deal.js';
import type { AcceptorBalance, AcceptorRow } from './ports.js';

/* Views of acceptors and their deals in the contract (api §2.7). */

const IS_SURE = { asking: 0, holding: 0, open: 0, confirmed: 1, rejected: 2 } as const;
const STAGE = { waiting: 0, transferred: 1, objected: 2 } as const;

/** Personal fields of a deal, empty; only its two sides and finance see their values. */
export const EMPTY_PERSONAL_FIELDS = { mobile: '', deal_account: '', hes_account: '', proof_pic: '' } as const;

/** The fields of a deal that are not personal, at a business time in ms. */
export function toAcceptorDealView(
  deal: AcceptorDeal,
  lang: string,
  now: number,
): Omit<ShownDeal, keyof typeof EMPTY_PERSONAL_FIELDS | 'object_until'> {
  const { type, dueAt } = deal;
  const seconds = dueAt === null ? 0 : Math.max(0, Math.ceil((dueAt - now) / 1_000));
  return {
    id: deal.id,
    type,
    money: formatUnits(deal.money, CASH_SCALE),
    receive_money: formatUnits(deal.received, type === 'buy' ? deal.scale : CASH_SCALE),
    acceptor_name: deal.acceptorName,
    way: deal.way,
    is_sure: IS_SURE[deal.state],
    stage: STAGE[deal.stage],
    disputed: isUnderDispute(deal) ? 1 : 0,
    reason: deal.reasonKey === '' ? deal.reason : translate(lang, deal.reasonKey),
    auto_time: timeText(dueAt),
    remain_seconds: seconds,
    create_time: timeText(deal.createdAt),
    update_time: timeText(deal.updatedAt),
  };
}

/** An acceptor in the list; `scale` of the coin. */
export const toAcceptorView = (row: AcceptorRow, balance: AcceptorBalance, scale: number): Acceptor => ({
  id: row.id,
  user_id: row.userId,
  name: row.name,
  recharge_amount: formatUnits(balance.posted, scale),
  recharge_rate: formatTrimmed(row.rechargeRate, PERCENT_SCALE),
  cash_amount: formatUnits(balance.cash, CASH_SCALE),
  cash_rate: formatTrimmed(row.cashRate, PERCENT_SCALE),
});

/** An acceptor with its payment details; `legal` is the balance that the caller can withdraw. */
export const toAcceptorInfoView = (
  row: AcceptorRow,
  balance: AcceptorBalance,
  legal: bigint,
  scale: number,
): AcceptorInfo => ({
  ...toAcceptorView(row, balance, scale),
  wechat_nickname: row.payment.wechatNickname,
  wechat_account: row.payment.wechatAccount,
  ali_nickname: row.payment.aliNickname,
  ali_account: row.payment.aliAccount,
  bank_name: row.payment.bankName,
  bank_account: row.payment.bankAccount,
  bank_address: row.payment.bankAddress,
  user_balance: formatUnits(legal, scale),
});
