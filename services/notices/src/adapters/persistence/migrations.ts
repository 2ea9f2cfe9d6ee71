import type { Migration } from '@bourse/persistence';
import { PARTS } from '../../parts/index.js';

export const NOTICES_MIGRATIONS: readonly Migration[] = PARTS.flatMap(({ migrations }) => migrations);
