import { z } from 'zod';
import { decimal, defineEvent, idText, ms, userId } from '../define.js';
import { TOPICS } from '../topics.js';

/** Cause of the journals that pay rebates out of `h.fees`: their amounts are no returned fees. */
export const REBATE_CAUSE = 'rebate';

/**
 * Whether a payment with this cause is a fee of the exchange, the base of points and rebates (rules §10, §11). The fee
 * of a withdrawal in `h.fees` is the price of the network, which the house passes on.
 */
export const isExchangeFee = (cause: string): boolean => cause !== 'withdrawal';

/**
 * Fees by payer: one entry for each payer and currency of a journal that credits `h.fees`, so that the sum of all
 * entries equals what people have paid to `h.fees`. A returned fee is negative, rebates are not among them;
 * `isExchangeFee` decides which causes count for points and rebates. `journal` is the id of the journal; journal, payer
 * and currency together name an entry once. Emitted by the writer with the journals of a batch.
 */
export const FeesPaidV1 = defineEvent({
  type: 'ledger.fees',
  version: 1,
  topic: TOPICS.ledgerFacts,
  key: () => 'fees',
  schema: z.object({
    fees: z
      .array(
        z.object({
          journal: z.string().min(1),
          payer: userId,
          currency: z.number().int().positive(),
          amount: decimal,
          /** Cause of the journal: which product the fee was paid in. */
          cause: z.string(),
          /** Business time. */
          at: ms,
        }),
      )
      .min(1),
  }),
});
export type FeesPaid = z.output<typeof FeesPaidV1.schema>;
export type FeePaid = FeesPaid['fees'][number];

/**
 * A deposit was credited to a person, with its value in USD at that moment (scale 8, rounded down; api §6.18 says by
 * which price). `id` names the deposit once.
 */
export const DepositCreditedV1 = defineEvent({
  type: 'ledger.deposit',
  version: 1,
  topic: TOPICS.ledgerFacts,
  key: (deposit) => String(deposit.userId),
  schema: z.object({
    id: idText,
    userId,
    currency: z.number().int().positive(),
    amount: decimal,
    value: decimal,
    at: ms,
  }),
});
export type DepositCredited = z.output<typeof DepositCreditedV1.schema>;
