/**
 * A decimal as text at the scale of its currency or pair; `-` in front when negative, never `+`, never an exponent
 * (api §1.6).
 */
export type DecimalText = string;
/** `YYYY-MM-DD HH:mm:ss` in UTC, `''` when it has not happened. */
export type TimeText = string;
/** Unix milliseconds. */
export type Millis = number;
export type Flag = 0 | 1;
/** Orders, deals, journals: random decimal text. */
export type OrderId = string;
