import { toUnits } from '@bourse/money';
import { decimal, defineSetting } from '@bourse/settings';
import { FENCE_SCALE } from '../domain/index-price.js';

/** A source of live prices further than this from the median of all is left out of the index (rules §17). */
export const FEED_FENCE = defineSetting(
  'feed.max_deviation',
  decimal({ scale: FENCE_SCALE, min: '0.5', max: '20' }),
  toUnits('3', FENCE_SCALE),
  'Percent by which a source of live prices may differ from the median before it is left out of the index.',
  { guarded: true },
);
