import type { Part } from './part.js';

/** Points of the third party and of fees paid, and their exchange (rules §10). */
export const POINTS: Part = {
  controllers: [],
  providers: [],
  migrations: [],
  settings: [],
  rules: [],
};
