import { z } from 'zod';
import { decimal, defineEvent, idText, ms } from '../define.js';
import { TOPICS } from '../topics.js';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * One recorded price: the feed's last price of a market in one second, numbered and chained (rules §4). In the log the
 * ticks of a market come in the order of their ids, and of their times: a tick says that no earlier one will come.
 */
export const MarketTickV1 = defineEvent({
  type: 'market.tick',
  version: 1,
  topic: TOPICS.marketTicks,
  key: (tick) => tick.symbol,
  schema: z.object({
    /** Rises by 1 from tick to tick of a market. */
    id: idText,
    symbol: z.string(),
    /** Full second of the business clock, ms. */
    time: ms,
    /** When the feed gave the price, business time, ms; how old a price is counts from here. */
    at: ms,
    /** Decimal text without trailing zeros, exactly as hashed. */
    price: decimal,
    prev_hash: sha256,
    /** SHA-256 of `prev_hash|id|symbol|time|price|at`, in hex; of version 1 without `at`. */
    hash: sha256,
    /** Ed25519 over the 32 bytes of the hash, base64. */
    signature: z.base64(),
    /** 32 bytes in base64: the key of the period in which it was signed. */
    public_key: z.base64(),
    kind: z.enum(['recorded', 'simulated', 'live']),
    /** 2: the hash covers `at`. Absent in ticks of version 1. */
    tick_version: z.literal(2).optional(),
  }),
});
export type MarketTick = z.output<typeof MarketTickV1.schema>;
