import type { Tone } from '@bourse/ui';

/** Of the states of an appeal: withdrawn, open, decided for the buyer, decided for the seller. */
export const APPEAL_TONES: Readonly<Record<0 | 1 | 2 | 3, Tone>> = { 0: 'plain', 1: 'warn', 2: 'up', 3: 'up' };
