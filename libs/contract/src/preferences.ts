/** Choices of the screens that follow the account (api §2.1). */
export const THEMES = ['dark', 'white'] as const;
export const PALETTES = ['classic', 'swapped', 'colorblind'] as const;
/** Zones in which times are shown: that of the device, and that in which the exchange counts days and fees. */
export const TIME_ZONES = ['local', 'utc'] as const;
export type Theme = (typeof THEMES)[number];
export type Palette = (typeof PALETTES)[number];
export type TimeZone = (typeof TIME_ZONES)[number];
/** Favourite pairs that an account keeps. */
export const FAVOURITES_MAX = 100;
/** Columns of a trading screen on a desktop, in their usual order. */
export const DESK_COLUMNS = ['chart', 'book', 'ticket'] as const;
export type DeskColumn = (typeof DESK_COLUMNS)[number];
/**
 * Layout of a trading screen: its columns in the order of reading, the widths of book and ticket and the height of the
 * orders in pixels, and whether the orders lie below the chart or across chart and book.
 */
export const DESK_LAYOUT = /^((chart|book|ticket) ){3}(\d{3} ){3}(below|across)$/;
