/** The view of a picture: its size in percent of its place, and its turn to the right in degrees. */
export interface PictureView {
  readonly zoom: number;
  readonly turn: 0 | 90 | 180 | 270;
}
export type PictureAct = 'nearer' | 'farther' | 'right' | 'left' | 'whole';

export const WHOLE: PictureView = { zoom: 100, turn: 0 };
const ZOOMS = [100, 150, 200, 300, 400, 600] as const;
const TURNS = [0, 90, 180, 270] as const;

/** The view after an act; beyond the ends of the scale nothing changes. */
export function viewAfter({ zoom, turn }: PictureView, act: PictureAct): PictureView {
  switch (act) {
    case 'nearer':
      return { zoom: ZOOMS.find((step) => step > zoom) ?? zoom, turn };
    case 'farther':
      return { zoom: ZOOMS.findLast((step) => step < zoom) ?? zoom, turn };
    case 'right':
      return { zoom, turn: TURNS[(TURNS.indexOf(turn) + 1) % TURNS.length] ?? 0 };
    case 'left':
      return { zoom, turn: TURNS.at(TURNS.indexOf(turn) - 1) ?? 0 };
    case 'whole':
      return WHOLE;
  }
}

/**
 * Keys that act on the pictures of a page, by `event.key`, so that they work on every keyboard layout with these
 * characters.
 */
export const PICTURE_KEYS: Readonly<Record<string, PictureAct>> = {
  '+': 'nearer',
  '=': 'nearer',
  '-': 'farther',
  ']': 'right',
  '[': 'left',
  '0': 'whole',
};
