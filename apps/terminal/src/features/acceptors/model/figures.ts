import { atMost, fixed, grouped } from '@bourse/ui';
import { COIN_SCALE } from '@bourse/formulas';
import { CASH_SCALE } from './acceptors.js';

/** Coins with all their decimals, at least two. */
export function coinText(text: string): string {
  const trimmed = atMost(text, COIN_SCALE);
  const point = trimmed.indexOf('.');
  return grouped(point < 0 || trimmed.length - point < 3 ? fixed(trimmed, 2) : trimmed);
}
export const cashText = (text: string): string => grouped(fixed(text, CASH_SCALE));

/** A figure inside a sentence of any direction. */
export const inLine = (text: string): string => `\u2066${text}\u2069`;
/** A name inside a sentence: it keeps its own direction. */
export const nameInLine = (text: string): string => `\u2068${text}\u2069`;
