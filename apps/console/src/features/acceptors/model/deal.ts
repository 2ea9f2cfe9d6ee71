import type { AcceptorDeal } from '@bourse/contract';

/** Finance decides what was objected to and is not over. */
export const needsDecision = ({ is_sure: sure, stage }: Pick<AcceptorDeal, 'is_sure' | 'stage'>): boolean =>
  sure === 0 && stage === 2;
