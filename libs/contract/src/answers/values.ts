import * as z from 'zod/mini';
/**
 * A decimal as text at the scale of its currency or pair; `-` in front when negative, never `+`, never an exponent
 * (api §1.6).
 */
export const decimalText = z.string();
/** `YYYY-MM-DD HH:mm:ss` in UTC, `''` when it has not happened. */
export const timeText = z.string();
export type TimeText = z.output<typeof timeText>;
/** Unix milliseconds. */
export const millis = z.int();
export const flag = z.literal([0, 1]);
export type Flag = z.output<typeof flag>;
/** A truth value as it is sent. */
export const toFlag = (value: boolean): Flag => (value ? 1 : 0);
/** Id of an order, deal or journal: random decimal text. */
export const orderId = z.string();
