import type { Part } from './part.js';

/** Fixed terms with reserved interest (rules §9). */
export const SAVINGS: Part = {
  controllers: [],
  providers: [],
  migrations: [],
  settings: [],
  rules: [],
};
