import { COMPLAINTS } from './complaints.js';
import { NEWS_PART } from './news.js';
import { NOTICES } from './notices.js';
import type { Part } from './part.js';

/** The parts, each after those whose tables it refers to. */
export const PARTS: readonly Part[] = [NEWS_PART, NOTICES, COMPLAINTS];
