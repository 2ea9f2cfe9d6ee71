import { COMPLAINTS } from './complaints.js';
import { NEWS_PART } from './news.js';
import { NOTICES } from './notices.js';
import type { NoticesPart } from './part.js';
import { PUSH } from './push.js';

/** The parts, each after those whose tables it refers to. */
export const PARTS: readonly NoticesPart[] = [NEWS_PART, NOTICES, PUSH, COMPLAINTS];
