/** How long after the first press of a double click the second one may come: what systems allow at most by default. */
const DOUBLE_CLICK_MS = 900;

/**
 * Whether a press is not the second one of the double click that opened what lies under it. Times in ms of one clock
 * [CLIENT-207].
 */
export const isPressOfItsOwn = (openedAt: number, pressedAt: number): boolean => pressedAt - openedAt > DOUBLE_CLICK_MS;
