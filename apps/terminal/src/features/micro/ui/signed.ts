import { atMost, directionOf, grouped } from '@bourse/ui';

/** A profit or a loss with its sign, eight decimals at most, kept left to right among other words. */
export const signed = (text: string): string =>
  `\u2066${directionOf(text) > 0 ? '+' : ''}${grouped(atMost(text, 8))}\u2069`;
