import type { Part } from './part.js';

/** What people complain of, and what support answers (api §2.10). */
export const COMPLAINTS: Part = {
  controllers: [],
  providers: [],
  migrations: [],
  entities: [],
  settings: [],
  rules: [],
};
