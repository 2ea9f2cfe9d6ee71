/** The longest time between the presses of a double click that systems allow by default. */
const DOUBLE_CLICK_MS = 900;

/**
 * Whether a press is not the second one of the double click that opened the element under it. Times in ms of one clock
 * [CLIENT-207].
 */
export const isPressOfItsOwn = (openedAt: number, pressedAt: number): boolean => pressedAt - openedAt > DOUBLE_CLICK_MS;
