import { decimalText, timeText } from '@bourse/contract';
import * as z from 'zod/mini';

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
