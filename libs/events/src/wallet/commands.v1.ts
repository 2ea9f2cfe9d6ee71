import { z } from 'zod';
import { decimal, defineEvent, idText, ms, userId } from '../define.js';
import { TOPICS } from '../topics.js';

/**
 * A withdrawal whose amount the ledger has just held (`withdrawal:<id>`); the wallet opens it, or refuses it and
 * releases the hold.
 */
export const WithdrawalPlaceV1 = defineEvent({
  type: 'wallet.withdrawal-place',
  version: 1,
  topic: TOPICS.walletCommands,
  key: (withdrawal) => String(withdrawal.userId),
  schema: z.object({
    withdrawalId: idText,
    userId,
    currencyId: z.number().int().positive(),
    networkId: z.number().int().positive(),
    /** The amount that the person pays; fee and received add up to it. */
    number: decimal,
    fee: decimal,
    received: decimal,
    address: z.string().max(200),
    memo: z.string().max(64),
    at: ms,
    commandId: z.string().max(80),
    bodyHash: z.string().nullable(),
    hasKey: z.boolean(),
    replyTo: z.string(),
    validUntil: ms,
  }),
});
export type WithdrawalPlace = z.output<typeof WithdrawalPlaceV1.schema>;
