/** Scale of amounts in settings. */
export const AMOUNT_SCALE = 8;
