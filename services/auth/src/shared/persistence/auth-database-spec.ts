import type { DatabaseSpec } from '@bourse/persistence';
import { AUTH_ENTITIES } from './entities/index.js';
import { AUTH_MIGRATIONS } from './migrations.js';

/** Schema `auth`, for the service and for the programs that open it by themselves. */
export const AUTH_SPEC: DatabaseSpec = { schema: 'auth', migrations: AUTH_MIGRATIONS, entities: AUTH_ENTITIES };
