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
