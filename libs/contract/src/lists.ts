/** Lists that browsers need without the schemas of answers: alone here, so that a page does not load those. */

/** Periods of bars. */
export const PERIODS = ['1min', '5min', '15min', '30min', '60min', '1day', '1week', '1mon'] as const;
export type Period = (typeof PERIODS)[number];

/** News categories: the values of `c_id` in `/api/news/list`. */
export const NEWS = { about: 9, notices: 11, gift: 32, popup: 33, banners: 34, strip: 35, support: 36 } as const;
