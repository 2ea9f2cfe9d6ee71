import { chargeReq, decimalText, deposit, flag, timeText, withdrawal } from '@bourse/contract';
import * as z from 'zod/mini';
import { RISK_HINTS } from '../../domain/withdrawal/risk.js';

/** Answers to operators about deposits and withdrawals (api §2.12, §6.4). */
export const reviewedWithdrawal = z.extend(withdrawal, {
  user_id: z.int(),
  network_name: z.string(),
  value: decimalText,
  approvals: z.int(),
  approvals_needed: z.int(),
  held: z.enum(['', 'frozen', 'brake']),
  risk: z.nullable(
    z.object({
      hints: z.readonly(z.array(z.enum(RISK_HINTS))),
      earlier_withdrawals: z.int(),
      earlier_to_address: z.int(),
      address_shared_with: z.readonly(z.array(z.int())),
      address_bound_at: z.string(),
      last_deposit_at: z.string(),
      deposited_24h: decimalText,
      registered_at: timeText,
      new_device_at: z.string(),
      contact_changed_at: z.string(),
      identity_shared_with: z.readonly(z.array(z.int())),
    }),
  ),
});
export const watchedDeposit = z.extend(deposit, {
  user_id: z.int(),
  chain: z.string(),
  address: z.string(),
  memo: z.string(),
  contract_address: z.string(),
  output: z.int(),
  lost: flag,
  return_address: z.string(),
  return_fee: z.string(),
  return_tx_id: z.string(),
});
export const reviewedClaim = z.extend(chargeReq, { user_id: z.int(), deposit_id: z.string(), reason: z.string() });
export const shownJournal = z.object({
  id: z.string(),
  time: timeText,
  cause_type: z.string(),
  cause_id: z.string(),
  legs: z.array(
    z.object({
      owner: z.string(),
      account: z.string(),
      state: z.enum(['available', 'held']),
      currency: z.string(),
      amount: decimalText,
    }),
  ),
});
export const shownHouse = z.object({
  account: z.string(),
  currency: z.string(),
  balance: decimalText,
  held: decimalText,
});
const usdSums = { assets: decimalText, liabilities: decimalText, own: decimalText };
export const houseSums = z.object({
  coins: z.readonly(
    z.array(
      z.object({
        ...usdSums,
        currency: z.string(),
        people: decimalText,
        suspense: decimalText,
        difference: decimalText,
        usd: z.nullable(z.object(usdSums)),
      }),
    ),
  ),
  usd: z.object(usdSums),
  unpriced: z.readonly(z.array(z.string())),
});
