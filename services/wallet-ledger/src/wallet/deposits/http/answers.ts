import { chargeReq, deposit, flag } from '@bourse/contract';
import * as z from 'zod/mini';

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
