/** Slide that follows, in a loop. */
export const nextSlide = (at: number, count: number): number => (count === 0 ? 0 : (at + 1) % count);
/** Slide before, in a loop. */
export const previousSlide = (at: number, count: number): number => (count === 0 ? 0 : (at + count - 1) % count);

/** A finger that moved less than this has not swiped, px. */
const SWIPE_PX = 40;
/** The direction of a swipe: -1 back, 1 on, 0 none. In a text direction from right to left it is mirrored. */
export function swipeStep(dx: number, dy: number, rtl: boolean): -1 | 0 | 1 {
  if (Math.abs(dx) < SWIPE_PX || Math.abs(dx) < Math.abs(dy)) return 0;
  return dx < 0 !== rtl ? 1 : -1;
}
/** The direction of an arrow key: -1 back, 1 on, 0 for any other key. */
export function keyStep(key: string, rtl: boolean): -1 | 0 | 1 {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return 0;
  return (key === 'ArrowRight') !== rtl ? 1 : -1;
}

/** The link of a slide: its own, to a page of this exchange or to another site, else its text. */
export type SlideTarget =
  | { readonly kind: 'site'; readonly href: string }
  | { readonly kind: 'page' | 'text'; readonly to: string };
export function slideTarget({ id, link }: { readonly id: number; readonly link: string }): SlideTarget {
  if (/^https:\/\//.test(link)) return { kind: 'site', href: link };
  return /^\/(?!\/)/.test(link) ? { kind: 'page', to: link } : { kind: 'text', to: `/noticeDetail?id=${id}` };
}

/** Banners change every five seconds (rules §16). */
export const AUTOPLAY_MS = 5_000;
