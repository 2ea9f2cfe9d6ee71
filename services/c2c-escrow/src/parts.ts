import type { Part } from '@bourse/settings';
import { ACCEPTORS } from './acceptors/part.js';
import { APPEALS } from './appeals/part.js';
import { CHAT } from './chat/part.js';
import { DEALS } from './deals/part.js';
import { SHOPS } from './shops/part.js';

/** The products; each comes after those whose tables it refers to. */
export const PARTS: readonly Part[] = [ACCEPTORS, SHOPS, DEALS, CHAT, APPEALS];
