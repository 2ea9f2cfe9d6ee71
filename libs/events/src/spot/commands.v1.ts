import { z } from 'zod';
import { decimal, defineEvent, idText, ms, userId } from '../define.js';
import { TOPICS } from '../topics.js';

/**
 * An accepted order on its way to the book, funds held under `order:<orderId>` (`context.held` says how much). Sent by
 * the ledger alone.
 */
export const SpotPlaceV1 = defineEvent({
  type: 'spot.place',
  version: 1,
  topic: TOPICS.spotCommands,
  key: (order) => order.symbol,
  schema: z.object({
    orderId: idText,
    clientOrderId: z.string(),
    userId,
    pairId: z.number().int(),
    symbol: z.string(),
    side: z.enum(['buy', 'sell']),
    orderType: z.enum(['limit', 'market', 'stop_limit', 'stop_market']),
    timeInForce: z.enum(['GTC', 'IOC', 'FOK']),
    postOnly: z.boolean(),
    selfTrade: z.enum(['cancel_newest', 'cancel_oldest', 'cancel_both']),
    /** Limit price; for a market order the cap C (buy) or floor (sell) it may not pass. */
    price: decimal,
    quantity: decimal,
    stopPrice: decimal.nullable(),
    placedAt: ms,
  }),
});
export type SpotPlace = z.output<typeof SpotPlaceV1.schema>;

/**
 * An order with its linked orders, passed on as `spot.place` is. It is an event of its own, so that a version that does
 * not know these fields stops at it and places nothing.
 */
export const SpotPlaceLinkedV1 = defineEvent({
  type: 'spot.place_linked',
  version: 1,
  topic: TOPICS.spotCommands,
  key: (order) => order.symbol,
  schema: z.object({
    ...SpotPlaceV1.schema.shape,
    /** Prices of the exits that follow when it is done. */
    takeProfit: decimal.nullable(),
    stopLoss: decimal.nullable(),
    /** The order whose exit it is. */
    parentId: idText.nullable(),
    /** The stop leg of a pair whose limit leg is this order; the limit leg has the hold of both. */
    stopLeg: z
      .object({
        orderId: idText,
        orderType: z.enum(['stop_limit', 'stop_market']),
        stopPrice: decimal,
        /** Limit price of a stop_limit; 0 for a stop_market. */
        price: decimal,
      })
      .nullable(),
  }),
});
export type SpotPlaceLinked = z.output<typeof SpotPlaceLinkedV1.schema>;

/**
 * A trailing stop, passed on as `spot.place` is. It is an event of its own, so that a version that does not know trails
 * stops at it and places no order that would never start.
 */
export const SpotPlaceTrailingV1 = defineEvent({
  type: 'spot.place_trailing',
  version: 1,
  topic: TOPICS.spotCommands,
  key: (order) => order.symbol,
  schema: z.object({
    ...SpotPlaceV1.schema.shape,
    orderType: z.literal('trailing_stop'),
    /** Distance of the trigger from the best price, in percent or in quote money: one of the two. */
    trailPercent: decimal.nullable(),
    trailAmount: decimal.nullable(),
    activationPrice: decimal.nullable(),
    /** The last price when it was submitted; null with an activation price. */
    reference: decimal.nullable(),
  }),
});
export type SpotPlaceTrailing = z.output<typeof SpotPlaceTrailingV1.schema>;

/**
 * A stop that the mark starts, passed on as `spot.place` is. It is an event of its own, so that a version that does not
 * know it stops at it and places no order that a trade would start.
 */
export const SpotPlaceByMarkV1 = defineEvent({
  type: 'spot.place_by_mark',
  version: 1,
  topic: TOPICS.spotCommands,
  key: (order) => order.symbol,
  schema: z.object({
    ...SpotPlaceV1.schema.shape,
    orderType: z.enum(['stop_limit', 'stop_market']),
    triggerBy: z.literal('mark'),
    /** Prices of the exits that follow when it is done. */
    takeProfit: decimal.nullable(),
    stopLoss: decimal.nullable(),
  }),
});
export type SpotPlaceByMark = z.output<typeof SpotPlaceByMarkV1.schema>;

/**
 * Starts a stop that waits for the mark, if it still waits and this mark reaches it. The book knows no mark by itself:
 * the price and the time of its tick come with the command, so that a replay starts the same stops, and anybody can
 * compare them with the recorded ticks.
 */
export const SpotTriggerV1 = defineEvent({
  type: 'spot.trigger',
  version: 1,
  topic: TOPICS.spotCommands,
  key: (trigger) => trigger.symbol,
  schema: z.object({
    orderId: idText,
    userId,
    symbol: z.string(),
    /** The feed's index price, and the business time of its tick. */
    mark: decimal,
    markAt: ms,
  }),
});
export type SpotTrigger = z.output<typeof SpotTriggerV1.schema>;

/** A cancel. It takes the same path as orders, so that it cannot overtake the order that it cancels. */
export const SpotCancelV1 = defineEvent({
  type: 'spot.cancel',
  version: 1,
  topic: TOPICS.spotCommands,
  key: (cancel) => cancel.symbol,
  schema: z.object({
    orderId: idText,
    userId,
    symbol: z.string(),
    commandId: z.string(),
    bodyHash: z.string().optional(),
    replyTo: z.string().optional(),
    requestedAt: ms,
  }),
});
export type SpotCancel = z.output<typeof SpotCancelV1.schema>;

/**
 * Another price or amount for an open order; forwarded by the ledger as orders are. The hold `order:<amendId>` has what
 * the ledger held for it beyond the order's own hold (`context.held`: how much; absent: nothing).
 */
export const SpotAmendV1 = defineEvent({
  type: 'spot.amend',
  version: 1,
  topic: TOPICS.spotCommands,
  key: (amend) => amend.symbol,
  schema: z.object({
    amendId: idText,
    orderId: idText,
    userId,
    symbol: z.string(),
    /** Limit price; null: it stays as it is. */
    price: decimal.nullable(),
    /** The whole amount, what is filled of it included; null: it stays as it is. */
    quantity: decimal.nullable(),
    /** Currency of what is held for it. */
    currency: z.number().int().positive(),
    commandId: z.string(),
    bodyHash: z.string().optional(),
    /**
     * The ledger's command that passes it on, for a call with a key. A refusal of the amend ends it: the call is passed
     * on by another one when it is sent again after the answer is forgotten.
     */
    passedBy: z.string().optional(),
    replyTo: z.string().optional(),
    requestedAt: ms,
  }),
});
export type SpotAmend = z.output<typeof SpotAmendV1.schema>;

/**
 * Another mode for a market. It is a command in the log, so that earlier commands of the stream still follow the old
 * mode.
 */
export const SpotModeV1 = defineEvent({
  type: 'spot.mode',
  version: 1,
  topic: TOPICS.spotCommands,
  key: (change) => change.symbol,
  schema: z.object({ symbol: z.string(), mode: z.enum(['normal', 'cancel_only', 'halted']), requestedAt: ms }),
});
export type SpotModeChange = z.output<typeof SpotModeV1.schema>;

/**
 * Another partition for a market. It is a command in the log: the book moves with all earlier commands, and later ones
 * in the old partition are forwarded.
 */
export const SpotMoveV1 = defineEvent({
  type: 'spot.move',
  version: 1,
  topic: TOPICS.spotCommands,
  key: (move) => move.symbol,
  schema: z.object({ symbol: z.string(), to: z.number().int().nonnegative(), requestedAt: ms }),
});
export type SpotMove = z.output<typeof SpotMoveV1.schema>;

/** Announces a market to its new partition, so that its book is opened before the first command arrives. */
export const SpotAdoptV1 = defineEvent({
  type: 'spot.adopt',
  version: 1,
  topic: TOPICS.spotCommands,
  key: (adopt) => adopt.symbol,
  schema: z.object({ symbol: z.string() }),
});
export type SpotAdopt = z.output<typeof SpotAdoptV1.schema>;
