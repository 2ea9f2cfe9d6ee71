import type { Part } from './part.js';

/** The team: tree, ranks and rebates (rules §11). */
export const TEAM: Part = {
  controllers: [],
  providers: [],
  migrations: [],
  settings: [],
  rules: [],
};
