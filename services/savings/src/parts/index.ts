import type { Part } from '@bourse/settings';
import { SAVINGS } from './savings.js';

/** The products, each after those whose tables it refers to. */
export const PARTS: readonly Part[] = [SAVINGS];
