/** The frame of the shop screens: the middle of the page, as wide as a table needs. */
export const SHOPS_PAGE = 'mx-auto flex w-full max-w-[1280px] flex-col gap-4 p-4';
