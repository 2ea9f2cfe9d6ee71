import { z } from 'zod';
import { decimal, defineEvent, idText, ms } from '../define.js';
import { TOPICS } from '../topics.js';

/** Trades of one commit of a book, in match order; `sequence` counts per symbol without gaps. */
export const SpotTradesV1 = defineEvent({
  type: 'spot.trades',
  version: 1,
  topic: TOPICS.spotEvents,
  key: (batch) => batch.symbol,
  schema: z.object({
    symbol: z.string(),
    pairId: z.number().int(),
    trades: z
      .array(
        z.object({
          sequence: z.number().int().positive(),
          price: decimal,
          quantity: decimal,
          takerSide: z.enum(['buy', 'sell']),
          makerOrderId: idText,
          takerOrderId: idText,
          at: ms,
          /** Both sides are accounts of the house (api §6.19); absent otherwise. */
          house: z.literal(true).optional(),
        }),
      )
      .min(1),
  }),
});
export type SpotTrades = z.output<typeof SpotTradesV1.schema>;
