import type { Migration } from '@bourse/persistence';

export const MIGRATIONS: readonly Migration[] = [];
