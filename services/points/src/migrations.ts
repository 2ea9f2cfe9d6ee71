import type { Migration } from '@bourse/persistence';
import { PARTS } from './parts.js';

export const MIGRATIONS: readonly Migration[] = PARTS.flatMap(({ migrations }) => migrations);
