/** Screens of which the page shows pictures; `tools/pictures.mjs` takes them, one for each theme. */
export const PICTURES = ['spot', 'c2c', 'proof'] as const;
export type PictureName = (typeof PICTURES)[number];

/** Size of every picture, px: its place is kept before it has come. */
export const PICTURE_SIZE = { width: 1120, height: 700 } as const;

export const pictureAddress = (name: PictureName, theme: 'dark' | 'white'): string => `/pictures/${name}-${theme}.webp`;
